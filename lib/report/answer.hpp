// SPDX-License-Identifier: Apache-2.0
// The answer of a comparison in one line: which kernel is faster and by how much, or why this is unknown.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "model/result.hpp"

namespace kwb {

struct Answer {
    enum class Kind {
        None,          ///< there are no results, or they are not judged yet
        Alone,         ///< one kernel, without fault: its time
        Faster,        ///< `subject` is faster than `other`
        NoDifference,  ///< the interval of their ratio includes 1, and is narrow
        TooNoisy,      ///< the interval includes 1 and is wide
        TooFewRounds,  ///< for an interval
        Faulty,        ///< `subject` is not correct, so there is nothing to compare
        NotTimed,      ///< without fault, but there are no times to compare
    };
    Kind kind = Kind::None;
    std::size_t subject = 0;             ///< index of a result
    std::size_t other = 0;               ///< the baseline, or the one that the baseline is faster than
    std::optional<Speedup> factor = {};  ///< of `subject` over `other`; Faster: at least 1
};

/// Compares the baseline with the fastest of the other kernels that are correct (or ran, if the problem has
/// no reference). If there is none, the answer is the first fault.
/// @param results   those of one run, each with its speed-up over the baseline
/// @param baseline  index into `results`
Answer answer_of(std::span<const KernelResult> results, std::size_t baseline);

/// The same without the CPU's library (cpu:blas), which has no source that could explain its time.
Answer answer_among_kernels(std::span<const KernelResult> results, std::size_t baseline);

/// "tiled is 1.34× as fast as naive", "tiled is about 1.4× as fast as naive" with a wide interval, "No
/// difference seen between tiled and naive", "tiled is wrong".
/// @param labels  one for each result
std::string headline(const Answer& answer, std::span<const KernelResult> results,
                     std::span<const std::string> labels);

/// All elements were compared with the right ones and agree, but OpenCL C does not promise that.
bool is_right_by_luck(const KernelResult& result);

/// Why a kernel is at fault, in a short clause; empty: only its reason is known.
std::string cause_of(const KernelResult& result);

/// The evidence for the headline: "1.31 – 1.37 is the 95 % interval of the ratio, 24 rounds"; of a fault, its
/// cause; empty if there is none.
std::string headline_detail(const Answer& answer, std::span<const KernelResult> results);

}  // namespace kwb
