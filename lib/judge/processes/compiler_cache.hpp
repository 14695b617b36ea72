// The folder in which a driver keeps compiled kernels of one domain of trust.
#pragma once

#include <chrono>
#include <filesystem>

#include "base/fd.hpp"

namespace kwb {

/// A cache is written *and* executed by the runners of its domain, so what a crash leaves in it matters.
/// Every judge that uses it holds a shared lock (on <folder>.lock, which runners cannot reach); who finds
/// itself alone, at its start, its end or after a death, sweeps the files that killed compilations left.
/// Layout, of PoCL 3.1 and 6.0: XX/<hash of source, options and device>/{last_accessed, program.bc,
/// <kernel>/<work-group>/<kernel>.so}, and tempfile_* while compiling.
class CompilerCache {
public:
    /// What PoCL's files are dated by.
    using Time = std::chrono::system_clock::time_point;

    enum class Life {
        Kept,      ///< for the next judge
        Fleeting,  ///< removed with this object
    };

    /// Makes the folder if needed, mode 0700. A kept one rids the folder around it, which must be ours alone,
    /// of files that killed compilations of older versions left there.
    /// @throws EnvironmentError  it cannot be made
    CompilerCache(std::filesystem::path folder, Life life);
    ~CompilerCache();
    CompilerCache(const CompilerCache&) = delete;
    CompilerCache& operator=(const CompilerCache&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Remove what killed compilations left, unless another judge uses the cache. No runner of ours may be
    /// compiling.
    void sweep();

    /// Was a program taken from here within [from, to] that had been there before? PoCL touches a program's
    /// `last_accessed` at each build. Then it may be its file's fault that a runner died of it, though the
    /// program may also be another judge's.
    bool may_have_given(Time from, Time to) const;

    /// Remove the programs that `other` has too.
    /// @return  true if there was one
    bool forget_programs_of(const CompilerCache& other);

private:
    std::filesystem::path path_;
    Life life_;
    Fd lock_;
};

}  // namespace kwb
