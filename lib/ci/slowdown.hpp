// SPDX-License-Identifier: Apache-2.0
// Whether a kernel became slower than its earlier text, decided by as many measurements as that takes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/interval.hpp"

namespace kwb {

/// Each measurement times the kernel and its earlier text in turns. All their rounds are compared together,
/// because a later measurement, longer as it is, would otherwise discard what the earlier ones have shown.
class Slowdown {
public:
    enum class Answer {
        NotYet,     ///< the interval includes the limit, or only one measurement is above it
        Slower,     ///< the interval lies above the limit, and so do the medians of two measurements or more
        NotSlower,  ///< the interval ends at or below the limit
    };

    /// @param limit  the ratio of the times, now by before, that is still accepted: 1.1 for 10 %
    explicit Slowdown(double limit) : limit_(limit) {}

    /// Adds the rounds of a measurement, see stats::compare_paired().
    Answer add(std::span<const double> now_ms, std::span<const double> before_ms);

    /// Time now by time before, of all rounds so far; empty without a round.
    const std::optional<stats::Comparison>& ratio() const { return ratio_; }

private:
    double limit_;
    std::vector<double> now_ms_;
    std::vector<double> before_ms_;
    std::optional<stats::Comparison> ratio_;
    std::size_t slower_measurements_ = 0;
};

}  // namespace kwb
