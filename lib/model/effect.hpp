// SPDX-License-Identifier: Apache-2.0
// What-if experiments: a kernel is timed with one thing changed, against itself as it is. The difference is
// what that thing costs on this device.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/interval.hpp"
#include "base/record.hpp"

namespace kwb {

/// What an experiment changes. The outputs are wrong on purpose, and never judged.
/// Related work: C. Curtsinger and E. Berger, "Coz: finding code that counts with causal profiling", SOSP
/// 2015; Z. Bendifallah and others, "PAMDA: performance assessment using MAQAO toolset and differential
/// analysis", 2014 (instructions are deleted).
enum class WhatIf {
    CacheHits,    ///< every access of a buffer hits a near cache: it is a small piece of memory, repeated
    NoBarriers,   ///< barriers do nothing
    NoAtomicity,  ///< atomic operations are ordinary loads and stores
    Together,     ///< all of these together, where there are several: their effects overlap
    Sorted,       ///< the elements of a buffer of integers are in ascending order
    EmptyKernel   ///< kernels return at once: what is left is starting the work-groups
};

template <>
inline constexpr auto kEnumNames<WhatIf> = std::to_array<std::string_view>({"cache_hits", "no_barriers",
                                                                            "no_atomicity", "together",
                                                                            "sorted", "empty_kernel"});

/// Whether the share of such an effect is what is left of the kernel's time; else it is what is saved.
constexpr bool is_share_left(WhatIf what) {
    return what == WhatIf::Together || what == WhatIf::EmptyKernel;
}

/// What one thing costs a kernel.
struct Effect {
    WhatIf what = WhatIf::CacheHits;
    std::string buffer = {};  ///< of CacheHits and Sorted; empty: all buffers that are only read
    /// Of CacheHits and Together: 1: the nearest cache; 2: the second-level cache, where the nearest one
    /// cannot be had.
    std::uint32_t cache_level = 1;
    /// Of CacheHits and Together: the subscripts were changed, because the device's memory cannot be mapped
    /// repeatedly.
    bool is_by_subscripts = false;
    std::uint32_t rounds = 0;
    std::optional<double> as_it_is_ms = {};  ///< median of the kernel as it is, in the experiment's rounds
    std::optional<double> changed_ms = {};   ///< median of the changed kernel
    /// The share of the kernel's time that is saved without it, or that is left: see is_share_left(). A saved
    /// share below 0: the changed kernel is slower. From the ratios within the rounds.
    std::optional<double> share = {};
    std::optional<Interval> interval = {};  ///< 95 %, of `share`; nullopt: too few rounds
    /// It ended after its first rounds, because they showed no effect: the upper end of the 95 % interval of
    /// their mean share, at least 0. Then there is no `interval`.
    std::optional<double> at_most = {};
    std::string obstacle = {};  ///< why it was not measured: a clause; empty: it was

    /// Whether its rounds say what it costs, be it nothing.
    bool is_measured() const { return interval || at_most; }

    /// Only an interval shows a cost.
    bool is_seen() const {
        return interval && (what == WhatIf::Together ? interval->high < 1 : interval->low > 0);
    }

    /// Whether the kernel is slower with sorted values. Their order costs nothing then, but the time depends
    /// on it.
    bool is_worse_sorted() const { return what == WhatIf::Sorted && interval && interval->high < 0; }
};

}  // namespace kwb
