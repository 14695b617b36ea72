// SPDX-License-Identifier: Apache-2.0
// What-if experiments (model/effect.hpp) in words: the only code that words them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/interval.hpp"
#include "model/effect.hpp"
#include "model/result.hpp"

namespace kwb {

/// "31 – 40 %"
std::string share_interval_text(const Interval& interval);
/// "36 % (31 – 40 %)", "4.2 %"
std::string share_text(double share, const std::optional<Interval>& interval = std::nullopt);

/// What an experiment shows: "36 % (31 – 40 %)", "no effect seen", "not measured".
std::string effect_words(const Effect& effect);

/// What costs time that an experiment takes away: "misses of B", "barriers".
std::string cost_words(const Effect& effect);

/// What an experiment changes: "B hits the nearest cache", "without barriers".
std::string change_words(const Effect& effect);

/// Why experiments gave nothing: "Not measured (naive, without barriers): the changed source does not
/// compile."
/// @param labels  one for each result
std::vector<std::string> obstacle_words(std::span<const KernelResult> results,
                                        std::span<const std::string> labels);

/// "The answer holds for this order of the values in data: in ascending order, local_bins takes 1.8× its
/// time."
/// @param labels  one for each result
/// @return  one for each buffer whose order matters
std::vector<std::string> order_sentences(std::span<const KernelResult> results,
                                         std::span<const std::string> labels);

}  // namespace kwb
