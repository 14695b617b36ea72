// Private temporary folders: one for the judge, in it one for each runner; and how they are removed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/fd.hpp"

namespace kwb {

/// <cache>/run/<random>/, held by a lock on <cache>/run/<random>.lock for as long as this object lives and
/// removed with it. Folders of killed judges hold no lock; the next judge removes them.
class JudgeFolder {
public:
    /// @param cache  the workbench's cache folder
    /// @throws EnvironmentError  it cannot be made
    explicit JudgeFolder(const std::filesystem::path& cache);
    ~JudgeFolder();
    JudgeFolder(const JudgeFolder&) = delete;
    JudgeFolder& operator=(const JudgeFolder&) = delete;

    /// A new empty folder inside, mode 0700.
    /// @throws EnvironmentError
    std::filesystem::path make_folder();

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    Fd lock_;
    std::uint64_t made_ = 0;
};

/// A runner's own folder (its TMPDIR), removed with this object.
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

/// Remove a folder and everything in it, whatever a kernel has put there: folders nested deeper than
/// descriptors or the stack allow, folders without permissions, links (which are not followed).
/// @return  true if it is gone; false if something cannot be removed now
bool remove_tree(const std::filesystem::path& folder) noexcept;

}  // namespace kwb
