// SPDX-License-Identifier: Apache-2.0
// The folders that runners write to: temporary ones, and the compiler cache of each trust domain.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/fd.hpp"
#include "model/plan.hpp"

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

/// Creates a folder, mode 0700, unless it is there.
/// @throws EnvironmentError  it cannot be created
void make_private_folder(const std::filesystem::path& path);

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

/// The home folder of runners, inside their compiler cache: as private as that, and kept as long.
inline constexpr const char* kHome = "home";

/// Determines which kernels may share processes. Kernels of the same domain may share a runner and the
/// compiler cache that it writes and executes; kernels of different domains share neither.
struct TrustDomain {
    Trust trust = Trust::Own;
    /// Empty for shipped kernels, which share a domain. Other kernels have their own: the fingerprint of
    /// their text, and if they are foreign, also their place in the request.
    std::string submission;

    friend auto operator<=>(const TrustDomain&, const TrustDomain&) = default;
};

/// The compiler cache of one trust domain. Its runners write to it *and* execute code from it, so incomplete
/// files that a crash leaves there are dangerous. Every judge that uses the cache holds a shared lock on
/// <folder>.lock, which runners cannot access. A judge that is the only user removes the files of killed
/// compilations: when it starts, when it ends, and after a runner died. Layout in PoCL 3.1 and 6.0: XX/<hash
/// of source, options and device>/{last_accessed, program.bc, <kernel>/<work-group>/<kernel>.so}, and
/// tempfile_* during a compilation.
class CompilerCache {
public:
    /// The clock of file timestamps.
    using Time = std::chrono::system_clock::time_point;

    enum class Life {
        Kept,      ///< kept for the next judge
        Fleeting,  ///< removed with this object
    };

    /// Creates the folder if needed, mode 0700. For a kept cache it also removes temporary files from the
    /// parent folder, where killed compilations of older versions left them; no other program may use that
    /// folder.
    /// @throws EnvironmentError  the folder cannot be created
    CompilerCache(std::filesystem::path folder, Life life);

    /// A kept cache that did not exist: the folder that only one runner has used until now is moved to
    /// `folder`, and what the runner has compiled there is removed. A link remains, so that the runner, for
    /// which the folder keeps its old name, goes on using it.
    /// @return  nullptr: the cache exists, perhaps since a moment ago, or the folder cannot be moved
    /// @throws EnvironmentError  the folder around it cannot be created
    static std::unique_ptr<CompilerCache> adopt(const std::filesystem::path& used,
                                                std::filesystem::path folder);

    ~CompilerCache();
    CompilerCache(const CompilerCache&) = delete;
    CompilerCache& operator=(const CompilerCache&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Removes the files of killed compilations, unless another judge uses the cache. None of this judge's
    /// runners may be compiling.
    void sweep();

    /// True if a program that was in the cache before `from` was read within [from, to], by this or another
    /// judge (PoCL updates `last_accessed` at each build). A runner may then have died because of a damaged
    /// file.
    bool may_have_given(Time from, Time to) const;

    /// Removes the programs that `other` also contains.
    /// @return  true if there was one
    bool forget_programs_of(const CompilerCache& other);

private:
    CompilerCache() = default;
    void take_lock();

    std::filesystem::path path_;
    Life life_ = Life::Kept;
    Fd lock_;
};

}  // namespace kwb
