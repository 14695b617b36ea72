// Private temporary folders: one for the judge, and in it one for each runner; also their removal.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/fd.hpp"

namespace kwb {

/// <cache>/run/<random>/, protected by a lock on <cache>/run/<random>.lock and removed with this object.
/// Folders of killed judges are not locked; the next judge removes them.
class JudgeFolder {
public:
    /// @param cache  the workbench's cache folder
    /// @throws EnvironmentError  the folder cannot be created
    explicit JudgeFolder(const std::filesystem::path& cache);
    ~JudgeFolder();
    JudgeFolder(const JudgeFolder&) = delete;
    JudgeFolder& operator=(const JudgeFolder&) = delete;

    /// Creates a new empty folder inside, mode 0700.
    /// @throws EnvironmentError  it cannot be created
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

/// Removes a folder and everything in it, including what a kernel may have created: folders nested deeper
/// than descriptors or the stack allow, folders without permissions, links (which are not followed).
/// @return  true if it is gone; false if something cannot be removed now
bool remove_tree(const std::filesystem::path& folder) noexcept;

}  // namespace kwb
