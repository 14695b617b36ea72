// Domains of trust, and the folder in which a driver keeps the compiled kernels of one domain.
#pragma once

#include <chrono>
#include <compare>
#include <filesystem>
#include <string>

#include "base/fd.hpp"
#include "model/plan.hpp"

namespace kwb {

/// Who may share processes with whom. Kernels of one domain may share a runner and the compiler cache that it
/// writes and executes; kernels of different domains share neither.
struct TrustDomain {
    Trust trust = Trust::Own;
    std::string submission;  ///< distinguishes foreign kernels; empty unless `trust` is Foreign

    friend auto operator<=>(const TrustDomain&, const TrustDomain&) = default;
};

/// The compiler cache of one trust domain. Its runners write *and* execute it, so what a crash leaves there
/// matters. Every judge that uses it holds a shared lock (on <folder>.lock, which runners cannot reach). A
/// judge that is the only user, at its start, its end or after a runner died, sweeps files that killed
/// compilations left. Layout, of PoCL 3.1 and 6.0: XX/<hash of source, options and device>/{last_accessed,
/// program.bc, <kernel>/<work-group>/<kernel>.so}, and tempfile_* while compiling.
class CompilerCache {
public:
    /// The clock of file dates.
    using Time = std::chrono::system_clock::time_point;

    enum class Life {
        Kept,      ///< for the next judge
        Fleeting,  ///< removed with this object
    };

    /// Makes the folder if needed, mode 0700. For a kept cache it also sweeps the folder around it, which
    /// must be ours alone: killed compilations of older versions left files there.
    /// @throws EnvironmentError  it cannot be made
    CompilerCache(std::filesystem::path folder, Life life);
    ~CompilerCache();
    CompilerCache(const CompilerCache&) = delete;
    CompilerCache& operator=(const CompilerCache&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Remove what killed compilations left, unless another judge uses the cache. None of our runners may be
    /// compiling.
    void sweep();

    /// True if a program that was in the cache before `from` was read within [from, to] (PoCL touches
    /// `last_accessed` at each build), by this or another judge. Then a damaged file may be why a runner
    /// died.
    bool may_have_given(Time from, Time to) const;

    /// Remove the programs that `other` also has.
    /// @return  true if there was one
    bool forget_programs_of(const CompilerCache& other);

private:
    std::filesystem::path path_;
    Life life_;
    Fd lock_;
};

}  // namespace kwb
