// SPDX-License-Identifier: Apache-2.0
#include "tune/tuning.hpp"
#include "support/recorded_space.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace kwb {
namespace {

/// A strategy for a space that nobody else needs.
class LineStrategy {
public:
    LineStrategy(StrategyKind kind, std::int64_t configurations, std::uint64_t seed)
        : space_(line_space(configurations)), strategy_(kwb::make_strategy(kind, space_, seed)) {}
    LineStrategy(const LineStrategy&) = delete;
    LineStrategy& operator=(const LineStrategy&) = delete;

    Strategy& operator*() const { return *strategy_; }

private:
    Space space_;
    std::unique_ptr<Strategy> strategy_;
};

LineStrategy make_strategy(StrategyKind kind, std::int64_t configurations, std::uint64_t seed) {
    return {kind, configurations, seed};
}

/// Runs configurations whose times are known, on a machine that becomes slower from run to run.
class Lab {
public:
    std::vector<double> times_ms;       ///< of each configuration
    std::set<std::size_t> wrong = {};   ///< these are
    std::set<std::size_t> deadly = {};  ///< the judge dies with these
    std::optional<double> doubt = {};   ///< of ratios, as a factor
    std::vector<std::vector<std::size_t>> runs = {};

    void run(Tuning& tuning) {
        double slowness = 1;
        while (const auto run = tuning.next_run(static_cast<double>(runs.size()))) {
            runs.push_back(run->configurations);
            end(tuning, *run, slowness);
            slowness *= 1.5;
        }
    }

    /// @param slowness  of the device that it ran on, as a factor
    void end(Tuning& tuning, const TuneRun& run, double slowness, double wall_ms = 0) const {
        std::vector<KernelResult> results;
        bool died = false;
        for (const std::size_t i : run.configurations) {
            died = died || deadly.contains(i);
            results.push_back(died ? KernelResult{} : result(i, run.configurations.front(), slowness));
        }
        tuning.take(run, results, died ? Tuning::End::JudgeFailed : Tuning::End::Complete, {"", wall_ms});
    }

private:
    KernelResult result(std::size_t i, std::size_t baseline, double slowness) const {
        KernelResult result;
        result.params = {{"P", static_cast<std::int64_t>(i)}};
        result.verdict = wrong.contains(i) ? Verdict::Wrong : Verdict::Correct;
        if (wrong.contains(i)) return result;
        result.median_ms = slowness * times_ms[i];
        result.samples_ms.assign(8, *result.median_ms);
        if (i != baseline && !wrong.contains(baseline))
            result.speedup = Speedup{"k", times_ms[baseline] / times_ms[i], {}};
        if (result.speedup && doubt)
            result.speedup->interval = {result.speedup->value / *doubt, result.speedup->value * *doubt};
        return result;
    }
};

std::vector<std::size_t> ranking(const Tuning& tuning) {
    std::vector<std::size_t> ranking;
    for (const Trial* trial : tuning.ranked()) ranking.push_back(trial->configuration);
    return ranking;
}

}  // namespace

TEST_CASE("the order is that of the true times, although the machine becomes slower") {
    Lab lab;
    for (int i = 0; i < 40; ++i) lab.times_ms.push_back(1 + (i * 17 % 40));
    const auto strategy = make_strategy(StrategyKind::Exhaustive, 40, 1);
    Tuning tuning(*strategy, {}, 40);
    lab.run(tuning);
    const std::vector<std::size_t> order = ranking(tuning);
    REQUIRE(order.size() == 40);
    for (std::size_t i = 1; i < 40; ++i) CHECK(lab.times_ms[order[i - 1]] < lab.times_ms[order[i]]);
    for (std::size_t i = 1; i < lab.runs.size(); ++i) CHECK(lab.runs[i].size() <= 17);
}

TEST_CASE("the fastest run against each other at the end; equal ones cannot be told apart") {
    Lab lab{{9, 5, 5.2, 5, 8, 7, 6, 5.4, 5.6}};
    const auto strategy = make_strategy(StrategyKind::Exhaustive, 9, 1);
    Tuning tuning(*strategy, {}, 9);
    lab.run(tuning);
    CHECK(tuning.is_final());
    CHECK(lab.runs.back() == std::vector<std::size_t>{1, 3, 2, 7});
    const auto ranked = tuning.ranked();
    CHECK(!ranked[0]->result.speedup);
    REQUIRE(ranked[1]->result.speedup);
    CHECK(ranked[1]->result.speedup->interval->contains(1));
    CHECK(ranked[2]->result.speedup->value == doctest::Approx(5 / 5.2));
    CHECK(!ranked[4]->result.speedup);
}

TEST_CASE("all that may be as fast as the best by their intervals run at the end, but at most eight") {
    Lab lab{{1, 2, 2.9, 3.1, 4}, {}, {}, 3.0};
    const auto strategy = make_strategy(StrategyKind::Exhaustive, 5, 1);
    Tuning tuning(*strategy, {}, 5);
    lab.run(tuning);
    CHECK(lab.runs.back() == std::vector<std::size_t>{0, 1, 2});
    CHECK(tuning.left_out() == 0);
    lab.times_ms.assign(20, 1);
    const auto again = make_strategy(StrategyKind::Exhaustive, 20, 1);
    Tuning equal(*again, {}, 20);
    lab.run(equal);
    CHECK(lab.runs.back().size() == 8);
    CHECK(equal.left_out() == 12);
}

TEST_CASE("wrong configurations have no time, even if the first ones are") {
    Lab lab{{1, 2, 9, 4, 5, 6, 7, 8}, {0, 1, 6}};
    const auto strategy = make_strategy(StrategyKind::Exhaustive, 8, 1);
    Tuning tuning(*strategy, {}, 8);
    lab.run(tuning);
    CHECK(ranking(tuning) == std::vector<std::size_t>{3, 4, 5, 7, 2, 0, 1, 6});
    lab.wrong = {0, 1, 2, 3, 4, 5, 6, 7};
    const auto again = make_strategy(StrategyKind::Exhaustive, 8, 1);
    Tuning hopeless(*again, {}, 8);
    lab.run(hopeless);
    CHECK(hopeless.best() == nullptr);
    CHECK(hopeless.tried() == 8);
}

TEST_CASE("a configuration that kills the judge costs only itself") {
    Lab lab{{5, 4, 3, 2, 1, 6, 7, 8}, {}, {1, 6}};
    const auto strategy = make_strategy(StrategyKind::Exhaustive, 8, 1);
    Tuning tuning(*strategy, {}, 8);
    lab.run(tuning);
    CHECK(ranking(tuning) == std::vector<std::size_t>{4, 3, 2, 0, 5, 7, 1, 6});
}

TEST_CASE("two devices share the work, one three times as slow: the order is that of the true times") {
    Lab lab;
    for (int i = 0; i < 60; ++i) lab.times_ms.push_back(1 + (i * 17 % 60));
    const auto strategy = make_strategy(StrategyKind::Exhaustive, 60, 1);
    Tuning tuning(*strategy, {}, 60, 2);
    const std::optional<TuneRun> first = tuning.next_run(0);
    CHECK(first->configurations.size() == 1);
    CHECK(!tuning.next_run(0));  // there is nothing yet that it could be compared with
    lab.end(tuning, *first, 1);
    std::map<std::size_t, int> tries;
    for (;;) {
        const std::optional<TuneRun> slow = tuning.next_run(0);
        const std::optional<TuneRun> fast = tuning.next_run(0);
        if (!slow && !fast) break;
        if (fast) CHECK(!fast->is_final);  // not before everything was tried
        if (fast) lab.end(tuning, *fast, 1);
        const std::optional<TuneRun> next = tuning.next_run(0);
        if (slow) lab.end(tuning, *slow, 3);
        if (next) lab.end(tuning, *next, 1);
        for (const auto& run : {slow, fast, next})
            for (std::size_t i = 1; run && !run->is_final && i < run->configurations.size(); ++i)
                ++tries[run->configurations[i]];
    }
    CHECK(tuning.is_final());
    CHECK(tuning.tried() == 60);
    for (const auto& [configuration, times] : tries) CHECK(times == 1);
    const std::vector<std::size_t> order = ranking(tuning);
    for (std::size_t i = 1; i < 60; ++i) CHECK(lab.times_ms[order[i - 1]] < lab.times_ms[order[i]]);
}

TEST_CASE(
    "what a lost judge had in hand is tried elsewhere, even if it was alone; so is the comparison at the "
    "end") {
    Lab lab{{5, 4, 4.1}};
    const auto strategy = make_strategy(StrategyKind::Exhaustive, 3, 1);
    Tuning tuning(*strategy, {}, 3);
    for (const Tuning::End end : {Tuning::End::JudgeFailed, Tuning::End::JudgeLost}) {
        const std::optional<TuneRun> run = tuning.next_run(0);
        REQUIRE(run);
        tuning.take(*run, std::vector<KernelResult>(run->configurations.size()), end);
    }
    while (const auto run = tuning.next_run(0)) {
        if (run->is_final) {
            tuning.take(*run, std::vector<KernelResult>(run->configurations.size()), Tuning::End::JudgeLost);
            break;
        }
        lab.end(tuning, *run, 1);
    }
    lab.run(tuning);
    REQUIRE(lab.runs.size() == 1);
    CHECK(lab.runs.front() == std::vector<std::size_t>{1, 2});
    CHECK(ranking(tuning) == std::vector<std::size_t>{1, 2, 0});
}

TEST_CASE("with several devices, a configuration that was alone when a judge failed is tried once more") {
    for (const bool kills : {false, true}) {
        CAPTURE(kills);
        Lab lab{{5, 4, 3}};
        const auto strategy = make_strategy(StrategyKind::Exhaustive, 3, 1);
        Tuning tuning(*strategy, {}, 3, 2);
        const std::optional<TuneRun> first = tuning.next_run(0);
        REQUIRE(first->configurations == std::vector<std::size_t>{0});
        tuning.take(*first, std::vector<KernelResult>(1), Tuning::End::JudgeFailed);
        CHECK(tuning.tried() == 0);
        if (kills) lab.deadly = {0};
        lab.run(tuning);
        CHECK(ranking(tuning) == std::vector<std::size_t>{2, 1, 0});
        CHECK(is_good(tuning.ranked().back()->result.verdict) != kills);
    }
}

TEST_CASE("if the baseline fails, what ran with it is compared with another") {
    Lab lab{{3, 4, 6, 5, 7, 8, 9, 10, 11, 12, 2}};
    const auto strategy = make_strategy(StrategyKind::Exhaustive, 11, 1);
    Tuning tuning(*strategy, {}, 11);
    lab.end(tuning, *tuning.next_run(0), 1);
    lab.wrong = {0};
    lab.end(tuning, *tuning.next_run(0), 100);  // another device, slower
    lab.run(tuning);
    CHECK(tuning.best()->configuration == 10);
    CHECK(*tuning.best()->cost_ms == doctest::Approx(2));
}

TEST_CASE("a budget limits what is begun: configurations, or time") {
    for (const TuneBudget& budget : {TuneBudget{7, {}}, TuneBudget{{}, 2.0}}) {
        Lab lab;
        lab.times_ms.assign(100, 1);
        const auto strategy = make_strategy(StrategyKind::Random, 100, 1);
        Tuning tuning(*strategy, budget, 100);
        lab.run(tuning);
        CHECK(tuning.tried() == (budget.configurations ? 7 : 24));
        CHECK(tuning.is_final());
    }
}

TEST_CASE(
    "more run together if that takes less than 20 s and the budget, and if the strategy does not learn") {
    struct Case {
        StrategyKind strategy;
        double each_ms;  ///< a configuration, with all checks
        TuneBudget budget;
        std::size_t then;  ///< run together after the first eight, without the baseline
    };
    for (const Case& one :
         {Case{StrategyKind::Exhaustive, 100, {}, 16}, Case{StrategyKind::Random, 1500, {}, 13},
          Case{StrategyKind::Exhaustive, 60e3, {}, 8}, Case{StrategyKind::Exhaustive, 1500, {{}, 28e3}, 10},
          Case{StrategyKind::Climb, 100, {}, 8}}) {
        CAPTURE(one.each_ms);
        Lab lab;
        lab.times_ms.assign(100, 1);
        const auto strategy = make_strategy(one.strategy, 100, 1);
        Tuning tuning(*strategy, one.budget, 100);
        const auto first = tuning.next_run(0);
        REQUIRE(first->configurations.size() == 8);
        lab.end(tuning, *first, 1, 8 * one.each_ms);
        CHECK(tuning.next_run(8 * one.each_ms)->configurations.size() == 1 + one.then);
    }
}

TEST_CASE("without a choice all are tried in order, unless the budget may end before") {
    CHECK(usual_strategy({}, 100) == StrategyKind::Exhaustive);
    CHECK(usual_strategy({100, {}}, 100) == StrategyKind::Exhaustive);
    CHECK(usual_strategy({99, {}}, 100) == StrategyKind::Model);
    CHECK(usual_strategy({{}, 60e3}, 100) == StrategyKind::Model);
}

TEST_CASE("what a stopped run skipped was not tried; what it measured stays") {
    const auto strategy = make_strategy(StrategyKind::Exhaustive, 4, 1);
    Tuning tuning(*strategy, {}, 4);
    const std::optional<TuneRun> run = tuning.next_run(0);
    REQUIRE(run->configurations.size() == 4);
    std::vector<KernelResult> results(4);
    results[0].verdict = Verdict::Correct;
    results[0].median_ms = 3;
    tuning.take(*run, results, Tuning::End::Stopped);
    CHECK(ranking(tuning) == std::vector<std::size_t>{0});
}

TEST_CASE("what is recalled counts as tried, is not run again, and the best of it is the baseline") {
    Lab lab{{4, 3, 9, 2, 8, 7}};
    const auto strategy = make_strategy(StrategyKind::Exhaustive, 6, 1);
    Tuning tuning(*strategy, TuneBudget{5, {}}, 6);
    for (const std::size_t i : {0u, 1u, 2u}) {
        Trial trial{i, {}, lab.times_ms[i], lab.times_ms[i]};
        trial.result.verdict = Verdict::Correct;
        tuning.recall(trial);
    }
    lab.run(tuning);
    CHECK(lab.runs.front() == std::vector<std::size_t>{1, 3, 4});
    CHECK(ranking(tuning) == std::vector<std::size_t>{3, 1, 0, 4, 2});
}

TEST_CASE("no time that another program measured wins before it was checked here") {
    Lab lab{{4, 3, 2}, {2}};
    const auto strategy = make_strategy(StrategyKind::Exhaustive, 3, 1);
    Tuning tuning(*strategy, {}, 3);
    for (std::size_t i = 0; i < 3; ++i) {
        Trial trial{i, {}, lab.times_ms[i], lab.times_ms[i]};
        trial.is_imported = true;
        tuning.recall(trial);
    }
    lab.run(tuning);
    CHECK(lab.runs == std::vector<std::vector<std::size_t>>{{2}, {1}});
    CHECK(tuning.best()->configuration == 1);
    CHECK(!tuning.best()->is_imported);
}

TEST_CASE("effects are geometric means, with the spread of at least two") {
    Lab lab{{1, 4, 2, 8}};
    const auto strategy = make_strategy(StrategyKind::Exhaustive, 4, 1);
    Tuning tuning(*strategy, {}, 4);
    lab.run(tuning);
    std::vector<Trial> trials;
    for (const Trial* trial : tuning.ranked()) {
        trials.push_back(*trial);
        trials.back().result.params = {{"P", std::int64_t(trial->configuration % 2)}};
    }
    const auto effects = effects_of({&trials[0], &trials[1], &trials[2], &trials[3]}, {{"P", {1, 0, 5}}});
    REQUIRE(effects.front().value.size() == 2);
    const ValueEffect& odd = effects.front().value.front();
    CHECK(odd.configurations == 2);
    CHECK(odd.mean_ms == doctest::Approx(std::sqrt(32)));
    CHECK(*odd.spread == doctest::Approx(std::exp(std::log(2) / std::sqrt(2))));
}

}  // namespace kwb
