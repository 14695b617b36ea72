// SPDX-License-Identifier: Apache-2.0
#include "tune/strategy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "base/text.hpp"
#include "stats/interval.hpp"
#include "support/recorded_space.hpp"
#include "tune/neighbours.hpp"

namespace kwb {
namespace {

constexpr std::array kAll = {StrategyKind::Exhaustive, StrategyKind::Random, StrategyKind::Climb,
                             StrategyKind::Anneal, StrategyKind::Model};
constexpr std::array kLearning = {StrategyKind::Climb, StrategyKind::Anneal, StrategyKind::Model};

using Outcome = std::function<std::optional<double>(std::span<const std::uint16_t>)>;

/// What a strategy proposes, if it is told the outcomes of five at a time, as a tuning does.
/// @param most  proposals
std::vector<std::size_t> proposals(StrategyKind kind, const Space& space, std::uint64_t seed,
                                   const Outcome& outcome, std::size_t most = SIZE_MAX) {
    const auto strategy = make_strategy(kind, space, seed);
    std::vector<std::size_t> all;
    std::size_t told = 0;
    const auto tell = [&] {
        for (; told < all.size(); ++told) strategy->tell(all[told], outcome(space.indices(all[told])));
    };
    while (all.size() < most) {
        const auto next = strategy->next();
        if (!next) break;
        all.push_back(*next);
        if (all.size() - told == 5) tell();
    }
    tell();
    if (all.size() < most) CHECK(!strategy->next());
    return all;
}

std::optional<double> even(std::span<const std::uint16_t>) {
    return 1;
}
std::optional<double> bad(std::span<const std::uint16_t>) {
    return std::nullopt;
}

/// `params` parameters of ten values each, 1, 2, 4, …
Space cube(std::size_t params, const std::vector<std::string>& conditions = {}) {
    SpaceInput input;
    for (std::size_t p = 0; p < params; ++p) {
        input.params.push_back({std::string(1, static_cast<char>('A' + p)), {}});
        for (int i = 0; i < 10; ++i) input.params.back().value.emplace_back(std::int64_t{1} << i);
    }
    for (const std::string& condition : conditions) input.restrictions.push_back({"require", {condition}});
    return Space(std::move(input));
}

/// A bowl on a logarithmic scale, in which the best value of each parameter depends on the one before it. A
/// tenth of the configurations is bad.
std::optional<double> bowl(std::span<const std::uint16_t> at) {
    double squares = 0;
    std::size_t sum = 0;
    for (std::size_t p = 0; p < at.size(); ++p) {
        const double best = p == 0 ? 6 : 3 + 0.5 * at[p - 1];
        squares += (at[p] - best) * (at[p] - best);
        sum += at[p] * (p + 3);
    }
    if (sum % 10 == 7) return std::nullopt;
    return std::exp(0.05 * squares);
}

/// The best among the first proposals, over the optimum.
double best_of(StrategyKind kind, const Space& space, std::uint64_t seed, std::size_t most) {
    double best = INFINITY;
    for (const std::size_t i : proposals(kind, space, seed, bowl, most))
        best = std::min(best, bowl(space.indices(i)).value_or(INFINITY));
    double optimum = INFINITY;
    for (std::size_t i = 0; i < space.size(); ++i)
        optimum = std::min(optimum, bowl(space.indices(i)).value_or(INFINITY));
    return best / optimum;
}

}  // namespace

TEST_CASE("each configuration is proposed once, whatever the outcomes") {
    std::vector<Space> spaces;
    spaces.push_back(line_space(1));
    spaces.push_back(line_space(23));
    spaces.push_back(cube(2));
    spaces.push_back(cube(3, {"(A + B + C) % 7 == 3"}));        // most have few neighbours
    spaces.push_back(cube(4, {"A == B", "C == D", "A == D"}));  // none has
    for (const Space& space : spaces)
        for (const Outcome& outcome : {Outcome(even), Outcome(bad), Outcome(bowl)})
            for (const StrategyKind kind : kAll) {
                CAPTURE(to_string(kind));
                CAPTURE(space.size());
                const auto all = proposals(kind, space, 1, outcome);
                CHECK(all.size() == space.size());
                CHECK(std::set(all.begin(), all.end()).size() == space.size());
                CHECK(*std::ranges::max_element(all) == space.size() - 1);
            }
}

TEST_CASE("an empty space has no proposals") {
    const Space space = cube(1, {"A == 0"});
    for (const StrategyKind kind : kAll) CHECK(proposals(kind, space, 1, even).empty());
}

TEST_CASE("the proposals depend only on the space, the seed and the outcomes") {
    const Space space = cube(3);
    for (const StrategyKind kind : kAll) {
        CAPTURE(to_string(kind));
        const auto all = proposals(kind, space, 7, bowl, 100);
        CHECK(all == proposals(kind, space, 7, bowl, 100));
        CHECK((all == proposals(kind, space, 8, bowl, 100)) == (kind == StrategyKind::Exhaustive));
    }
}

TEST_CASE("exhaustive is in the order of the space, and random in the same order on every machine") {
    const Space space = line_space(1000);
    const auto exhaustive = proposals(StrategyKind::Exhaustive, space, 1, even);
    CHECK(std::ranges::is_sorted(exhaustive));
    CHECK(proposals(StrategyKind::Random, space, 7, even).front() == 15);
}

TEST_CASE("strategies that learn begin with the defaults of the file") {
    const Space space = cube(3);
    for (const StrategyKind kind : kLearning) CHECK(proposals(kind, space, 3, bowl, 1).front() == 0);
}

TEST_CASE(
    "what was told without a proposal is learned from and not proposed; telling twice changes nothing") {
    const Space space = cube(2);
    for (const StrategyKind kind : kLearning) {
        CAPTURE(to_string(kind));
        const auto once = make_strategy(kind, space, 1);
        const auto twice = make_strategy(kind, space, 1);
        for (std::size_t i = 0; i < space.size(); i += 2) {
            once->tell(i, bowl(space.indices(i)));
            twice->tell(i, bowl(space.indices(i)));
            twice->tell(i, 1e-6);
        }
        for (std::size_t i = 1; i < space.size(); i += 2) {
            const auto next = once->next();
            REQUIRE(next);
            CHECK(*next % 2 == 1);
            CHECK(twice->next() == next);
            once->tell(*next, bowl(space.indices(*next)));
            twice->tell(*next, bowl(space.indices(*next)));
        }
        CHECK(!once->next());
    }
}

TEST_CASE("outcomes may come in any order, or never") {
    const Space space = cube(2);
    for (const StrategyKind kind : kLearning) {
        CAPTURE(to_string(kind));
        const auto strategy = make_strategy(kind, space, 1);
        std::vector<std::size_t> all;
        while (const auto next = strategy->next()) {
            all.push_back(*next);
            if (all.size() % 3 == 0)
                strategy->tell(all[all.size() - 3], bowl(space.indices(all[all.size() - 3])));
            if (all.size() % 7 == 0) strategy->tell(all.front(), 5.0);
        }
        CHECK(std::set(all.begin(), all.end()).size() == space.size());
    }
}

TEST_CASE("strategies that learn find a fast one in a bowl much sooner than chance does") {
    const Space space = cube(4);  // 10,000
    const auto mean_of = [&](StrategyKind kind) {
        double sum = 0;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) sum += best_of(kind, space, seed, 200);
        return sum / 3;
    };
    const double by_chance = mean_of(StrategyKind::Random);
    for (const StrategyKind kind : kLearning) {
        CAPTURE(to_string(kind));
        const double ratio = mean_of(kind);
        CHECK(ratio < 1.05);
        CHECK(ratio < by_chance);
    }
}

TEST_CASE("on recorded spaces the model is within 5 % of the optimum after a quarter of the configurations") {
    for (const RecordedSpace& recorded : recorded_spaces()) {
        if (recorded.space.size() < 100) continue;  // a quarter is little more than the first run
        CAPTURE(recorded.name);
        std::vector<double> ratios;
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const auto strategy = make_strategy(StrategyKind::Model, recorded.space, seed);
            const auto best_ms = best_of_first(recorded, *strategy, recorded.space.size() / 4);
            ratios.push_back(best_ms.value_or(INFINITY) / recorded.optimum_ms);
        }
        CHECK(stats::median(ratios) <= 1.05);
    }
}

TEST_CASE("a space of a million is no problem") {
    const Space space = cube(6);
    const double by_chance = best_of(StrategyKind::Random, space, 1, 150);
    for (const StrategyKind kind : kLearning) {
        CAPTURE(to_string(kind));
        CHECK(best_of(kind, space, 1, 150) < by_chance);
    }
}

TEST_CASE("neighbours: the next larger and smaller number however listed, and any other text") {
    SpaceInput input;
    input.params = {{"N", {8, 2, 32, 4}}, {"T", {"x", "y", "z"}}};
    const Space space(std::move(input));
    const Neighbours neighbours(space);
    const auto at = [&](std::int64_t n, const char* text) { return *space.find({{"N", n}, {"T", text}}); };
    const auto of = [&](std::size_t i, Distance distance) {
        const auto found = neighbours.of(i, distance);
        return std::set(found.begin(), found.end());
    };
    CHECK(of(at(8, "y"), Distance::OneStep) == std::set{at(4, "y"), at(32, "y"), at(8, "x"), at(8, "z")});
    CHECK(of(at(32, "y"), Distance::OneStep) == std::set{at(8, "y"), at(32, "x"), at(32, "z")});
    CHECK(of(at(8, "y"), Distance::OneParameter) == std::set{at(2, "y")});
    CHECK(of(at(32, "y"), Distance::TwoSteps) == std::set{at(8, "x"), at(8, "z")});
}

TEST_CASE("neighbours are valid, also where a restriction couples two parameters") {
    const Space space = cube(2, {"A * B == 64"});
    const Neighbours neighbours(space);
    const std::size_t i = *space.find({{"A", 8}, {"B", 8}});
    CHECK(neighbours.of(i, Distance::OneStep).empty());
    const auto two = neighbours.of(i, Distance::TwoSteps);
    CHECK(std::set(two.begin(), two.end()) ==
          std::set{*space.find({{"A", 4}, {"B", 16}}), *space.find({{"A", 16}, {"B", 4}})});
}

}  // namespace kwb
