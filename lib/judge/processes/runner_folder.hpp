// Private temporary folders: one of the judge, in it one for each runner.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/fd.hpp"

namespace kwb {

/// <cache>/run/<random>/, held by a lock on <cache>/run/<random>.lock for as long as this object lives and
/// removed with it. Folders of judges that were killed hold no lock; a new one sweeps them.
class JudgeFolder {
public:
    /// @param cache  the workbench's cache folder
    /// @throws EnvironmentError  it cannot be made
    explicit JudgeFolder(const std::filesystem::path& cache);
    ~JudgeFolder();
    JudgeFolder(const JudgeFolder&) = delete;
    JudgeFolder& operator=(const JudgeFolder&) = delete;

    /// A new empty folder within, mode 0700.
    /// @throws EnvironmentError
    std::filesystem::path make_folder();

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    Fd lock_;
    std::uint64_t made_ = 0;
};

/// One runner's own folder (its TMPDIR and HOME), removed with this object.
class RunnerFolder {
public:
    explicit RunnerFolder(JudgeFolder& judge) : path_(judge.make_folder()) {}
    ~RunnerFolder();
    RunnerFolder(const RunnerFolder&) = delete;
    RunnerFolder& operator=(const RunnerFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace kwb
