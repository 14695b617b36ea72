// SPDX-License-Identifier: Apache-2.0
#include "report/effect_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.hpp"
#include "report/numbers.hpp"

namespace kwb {
namespace {

/// Smaller changes of the time are not worth a sentence.
constexpr double kLeastOrderShare = 0.05;

/// Smaller shares are not told apart.
constexpr double kLeastShown = 0.001;

/// The time with sorted values, by that of the kernel as it is.
RatioTexts sorted_ratio(const Effect& effect) {
    return ratio_texts({.to = "",
                        .value = 1 - *effect.share,
                        .interval = Interval{1 - effect.interval->high, 1 - effect.interval->low}});
}

std::string rounded_share(double share) {
    const double value = 100 * share;
    return std::abs(value) < 10 ? fmt::format("{:.1f} %", value) : fmt::format("{:.0f} %", value);
}

}  // namespace

std::string share_interval_text(const Interval& interval) {
    const int decimals = 100 * std::min(std::abs(interval.low), std::abs(interval.high)) < 10 ? 1 : 0;
    return fmt::format("{:.{}f} – {:.{}f} %", 100 * interval.low, decimals, 100 * interval.high, decimals);
}

std::string share_text(double share, const std::optional<Interval>& interval) {
    return rounded_share(share) + (interval ? " (" + share_interval_text(*interval) + ")" : "");
}

std::string effect_words(const Effect& effect) {
    if (!effect.obstacle.empty()) return "not measured";
    if (!effect.share && effect.as_it_is_ms) return "too short to time";
    if (!effect.is_measured()) return "too few rounds";
    if (effect.at_most && effect.what != WhatIf::EmptyKernel) return "no effect seen";
    if (effect.at_most.value_or(1) < kLeastShown) return "below 0.1 %";
    if (effect.is_worse_sorted()) {
        const RatioTexts texts = sorted_ratio(effect);
        return fmt::format("{}× as long when sorted ({})", texts.value, texts.interval);
    }
    if (!effect.is_seen()) return "no effect seen";
    const std::string share =
        effect.interval->high < kLeastShown ? "below 0.1 %" : share_text(*effect.share, effect.interval);
    return effect.what == WhatIf::Together ? "leaves " + share : share;
}

std::string cost_words(const Effect& effect) {
    switch (effect.what) {
        case WhatIf::CacheHits:
            return fmt::format("{}misses of {}", effect.cache_level == 1 ? "" : "second-level ",
                               effect.buffer.empty() ? "all inputs" : effect.buffer);
        case WhatIf::NoBarriers:
            return "barriers";
        case WhatIf::NoAtomicity:
            return "atomicity";
        case WhatIf::Together:
            return "left over";
        case WhatIf::Sorted:
            return "order of " + effect.buffer;
        case WhatIf::EmptyKernel:
            return "starting the work-groups";
    }
    return "";
}

std::string change_words(const Effect& effect) {
    switch (effect.what) {
        case WhatIf::CacheHits:
            if (effect.is_by_subscripts)
                return fmt::format("near subscripts of {}",
                                   effect.buffer.empty() ? "all inputs" : effect.buffer);
            return fmt::format("{} the {} cache",
                               effect.buffer.empty() ? "all inputs hit" : effect.buffer + " hits",
                               effect.cache_level == 1 ? "nearest" : "second-level");
        case WhatIf::NoBarriers:
            return "without barriers";
        case WhatIf::NoAtomicity:
            return "without atomicity";
        case WhatIf::Together:
            return "all of these together";
        case WhatIf::Sorted:
            return effect.buffer + " in ascending order";
        case WhatIf::EmptyKernel:
            return "empty kernels";
    }
    return "";
}

std::vector<std::string> obstacle_words(std::span<const KernelResult> results,
                                        std::span<const std::string> labels) {
    std::map<std::string, std::vector<std::string>> about;
    for (std::size_t i = 0; i < results.size(); ++i)
        for (const Effect& effect : results[i].effects.value_or(std::vector<Effect>()))
            if (!effect.obstacle.empty())
                about[effect.obstacle].push_back(labels[i] + ", " + change_words(effect));
    std::vector<std::string> sentences;
    for (const auto& [obstacle, experiments] : about)
        sentences.push_back(fmt::format("Not measured ({}): {}.", join(experiments, "; "), obstacle));
    return sentences;
}

std::vector<std::string> order_sentences(std::span<const KernelResult> results,
                                         std::span<const std::string> labels) {
    std::map<std::string, std::vector<std::string>> times;
    for (std::size_t i = 0; i < results.size(); ++i)
        for (const Effect& effect : results[i].effects.value_or(std::vector<Effect>()))
            if ((effect.what == WhatIf::Sorted && effect.is_seen()) || effect.is_worse_sorted())
                if (std::abs(*effect.share) >= kLeastOrderShare)
                    times[effect.buffer].push_back(
                        fmt::format("{} takes {}× its time", labels[i], sorted_ratio(effect).value));
    std::vector<std::string> sentences;
    for (const auto& [buffer, kernels] : times)
        sentences.push_back(
            fmt::format("The answer holds for this order of the values in {}: in ascending order, {}.",
                        buffer, enumerate(kernels)));
    return sentences;
}

}  // namespace kwb
