// SPDX-License-Identifier: Apache-2.0
// Part 18: how soon the strategies of kwb tune are near the optimum, on spaces whose times were recorded.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "base/text.hpp"
#include "parts.hpp"
#include "stats/interval.hpp"
#include "support/recorded_space.hpp"

namespace kwb::bench {
namespace {

/// Of the space, evaluated.
constexpr std::array kShares = {0.1, 0.2, 0.4};

/// The optimum over the best time found, for each seed.
std::vector<double> found_shares(const RecordedSpace& recorded, StrategyKind kind, double share, int seeds) {
    const auto configurations =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(recorded.space.size())));
    std::vector<double> found;
    for (int seed = 1; seed <= seeds; ++seed) {
        const auto strategy = make_strategy(kind, recorded.space, static_cast<std::uint64_t>(seed));
        const auto best_ms = best_of_first(recorded, *strategy, configurations);
        found.push_back(best_ms ? recorded.optimum_ms / *best_ms : 0);
    }
    return found;
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

using Means = std::array<double, kShares.size()>;

std::string in_words(const Means& means) {
    return fmt::format("{:.1f} %, {:.1f} %, {:.1f} %", 100 * means[0], 100 * means[1], 100 * means[2]);
}

std::vector<Row> compare_on(const Setting& setting, const RecordedSpace& recorded) {
    const auto means_of = [&](StrategyKind kind) {
        Means means;
        std::ranges::transform(kShares, means.begin(), [&](double share) {
            return mean(found_shares(recorded, kind, share, setting.repetitions(50, 10)));
        });
        return means;
    };
    const Means by_chance = means_of(StrategyKind::Random);
    std::vector<Row> rows;
    for (const StrategyKind kind : {StrategyKind::Climb, StrategyKind::Anneal, StrategyKind::Model}) {
        const Means means = means_of(kind);
        rows.push_back(
            {fmt::format("18. {} of {} configurations, {}: mean share of the optimum after 10, 20, 40 %",
                         recorded.name, recorded.space.size(), to_string(kind)),
             "random's " + in_words(by_chance), in_words(means),
             std::ranges::equal(means, by_chance, std::greater_equal())});
    }
    const double near = stats::median(found_shares(recorded, StrategyKind::Model, 0.25, 20));
    rows.push_back({fmt::format("18. {}, model after 25 %: median of 20 seeds", recorded.name),
                    "95 % of the optimum", fmt::format("{:.1f} %", 100 * near), near >= 0.95});
    return rows;
}

/// A million configurations, of which none has a known time.
Row measure_proposals(StrategyKind kind) {
    SpaceInput input;
    for (const char* name : {"A", "B", "C", "D", "E", "F"}) {
        input.params.push_back({name, {}});
        for (std::int64_t value = 1; value <= 10; ++value) input.params.back().value.emplace_back(value);
    }
    const Space space(std::move(input));
    const auto strategy = make_strategy(kind, space, 1);
    std::vector<double> took_ms;
    for (int i = 0; i < 300; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const std::size_t proposal = strategy->next().value();
        strategy->tell(proposal, 1 + static_cast<double>(proposal % 1009));
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        took_ms.push_back(took.count());
    }
    return {fmt::format("18. {}: a proposal in a space of a million, the first 300", to_string(kind)),
            "10 ms", describe(took_ms, "ms"), stats::median(took_ms) <= 10};
}

}  // namespace

std::vector<Row> measure_strategies(const Setting& setting) {
    announce("strategies on recorded spaces");
    std::vector<Row> rows;
    for (const RecordedSpace& recorded : recorded_spaces())
        for (Row& row : compare_on(setting, recorded)) rows.push_back(std::move(row));
    for (const StrategyKind kind : {StrategyKind::Climb, StrategyKind::Anneal, StrategyKind::Model})
        rows.push_back(measure_proposals(kind));
    return rows;
}

}  // namespace kwb::bench
