// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <string>

#include "judge/timing/rounds.hpp"
#include "stats/interval.hpp"

using namespace kwb;

namespace {

/// A race whose contestants need no device.
struct Race {
    explicit Race(std::size_t n) {
        request.seed = 1;
        for (std::size_t i = 0; i < n; ++i) {
            ContestantState contestant;
            contestant.index = i;
            contestant.result.kernel = std::string(1, static_cast<char>('a' + i));
            contestants.push_back(std::move(contestant));
        }
    }

    /// Run the rounds. The wall-clock time of a turn counts as device time unless `device_ms_of` is set.
    /// @param sample_ms  sample of a contestant in a round; negative: the contestant drops out
    void run(const std::function<double(const ContestantState&, std::uint32_t)>& sample_ms) {
        Rounds rounds(request, contestants);
        rounds.run(
            [&](ContestantState& contestant) {
                const auto start = Clock::now();
                const auto turn_ms = [&] {
                    if (!device_ms_of.empty()) return device_ms_of.at(contestant.index);
                    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
                };
                order += contestant.result.kernel;
                const double ms =
                    sample_ms(contestant, static_cast<std::uint32_t>(contestant.result.samples_ms.size()));
                if (ms < 0) {
                    contestant.fail(Verdict::KernelCrashed, "gone");
                    return turn_ms();
                }
                contestant.result.samples_ms.push_back(ms);
                return turn_ms();
            },
            [&](const ContestantState&, std::uint32_t round) {
                ++reports;
                last_round = round;
            });
    }

    std::size_t rounds_of(std::size_t i) const { return contestants[i].result.samples_ms.size(); }

    RunRequest request;
    std::vector<ContestantState> contestants;
    std::string order;                 ///< contestants in the order of their turns
    std::vector<double> device_ms_of;  ///< device time of a contestant's turns; empty: what they take
    int reports = 0;
    std::uint32_t last_round = 0;
};

double steady(const ContestantState&, std::uint32_t) {
    return 1.0;
}

}  // namespace

TEST_CASE("exactly the rounds asked for are done, however narrow or wide the intervals") {
    for (const std::uint32_t rounds : {1u, 5u, 6u, 7u, 40u}) {
        Race race(3);
        race.request.rounds = rounds;
        race.run(steady);
        for (std::size_t i = 0; i < 3; ++i) CHECK(race.rounds_of(i) == rounds);
        CHECK(race.reports == static_cast<int>(3 * rounds));
        CHECK(race.last_round == rounds - 1);
    }
}

TEST_CASE("everyone takes one turn in each round") {
    Race race(4);
    race.request.rounds = 30;
    race.run(steady);
    REQUIRE(race.order.size() == 120);
    for (std::size_t at = 0; at < race.order.size(); at += 4) {
        std::string round = race.order.substr(at, 4);
        std::sort(round.begin(), round.end());
        CHECK(round == "abcd");
    }
}

TEST_CASE("the order of turns is random, but the same for the same seed") {
    std::map<std::uint64_t, std::string> orders;
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        for (int repetition = 0; repetition < 2; ++repetition) {
            Race race(3);
            race.request.seed = seed;
            race.request.rounds = 60;
            race.run(steady);
            if (repetition == 0) orders[seed] = race.order;
            CHECK(race.order == orders[seed]);
        }
    }
    CHECK(orders[1] != orders[2]);
    CHECK(orders[2] != orders[3]);
    std::map<std::string, int> permutations;
    for (std::size_t at = 0; at < orders[1].size(); at += 3) ++permutations[orders[1].substr(at, 3)];
    CHECK(permutations.size() == 6);  // each expected 10 times; (5/6)^60 for a miss
}

TEST_CASE("one who drops out takes no more turns, and the others go on") {
    Race race(3);
    race.request.rounds = 10;
    race.run([](const ContestantState& contestant, std::uint32_t round) {
        return contestant.index == 1 && round == 4 ? -1.0 : 1.0;
    });
    CHECK(race.rounds_of(0) == 10);
    CHECK(race.rounds_of(1) == 4);
    CHECK(race.rounds_of(2) == 10);
    CHECK(std::count(race.order.begin(), race.order.end(), 'b') == 5);
}

TEST_CASE("those out before the race take no turn, and a race without anyone ends at once") {
    Race race(2);
    race.request.rounds = 5;
    race.contestants[0].fail(Verdict::Wrong, "wrong");
    race.run(steady);
    CHECK(race.order == "bbbbb");

    Race nobody(2);
    nobody.request.rounds = 5;
    for (ContestantState& contestant : nobody.contestants) contestant.in_race = false;
    nobody.run(steady);
    CHECK(nobody.order.empty());

    Race dying(2);
    dying.run([](const ContestantState&, std::uint32_t) { return -1.0; });
    CHECK(dying.order.size() == 2);
}

TEST_CASE("steady samples stop at the first round that gives intervals, the sixth") {
    Race race(2);
    race.run(steady);
    CHECK(race.rounds_of(0) == 6);
    CHECK(race.rounds_of(1) == 6);
}

TEST_CASE("without a budget the race goes on until every interval is narrow, and looks only at stop rounds") {
    Race race(3);
    std::mt19937_64 random(5);
    std::normal_distribution<double> noise(1.0, 0.05);
    race.run([&](const ContestantState&, std::uint32_t) { return noise(random); });
    const std::size_t rounds = race.rounds_of(0);
    CHECK(rounds > 6);
    CHECK(stats::is_stop_round(rounds));
    const auto& baseline = race.contestants[0].result.samples_ms;
    for (const ContestantState& contestant : race.contestants) {
        const auto& samples = contestant.result.samples_ms;
        REQUIRE(stats::median_interval(samples));
        CHECK(stats::narrower_than(*stats::median_interval(samples), stats::median(samples), kNarrowShare));
        if (contestant.index == 0) continue;
        const auto comparison = stats::compare_paired(baseline, samples);
        REQUIRE(comparison);
        REQUIRE(comparison->interval);
        CHECK(stats::narrower_than(*comparison->interval, comparison->ratio, kNarrowShare));
    }
}

TEST_CASE("a narrow interval of one does not stop the race while another's is wide") {
    Race race(2);
    race.run([](const ContestantState& contestant, std::uint32_t round) {
        if (contestant.index == 0) return 1.0;
        return round < 20 ? (round % 2 == 0 ? 1.0 : 2.0) : 1.5;  // wide, then settled
    });
    CHECK(race.rounds_of(0) > 20);
    CHECK(race.rounds_of(0) == race.rounds_of(1));
}

TEST_CASE("who dropped out does not keep the race going") {
    Race race(2);
    race.run([](const ContestantState& contestant, std::uint32_t round) {
        if (contestant.index == 0) return 1.0;
        return round == 3 ? -1.0 : static_cast<double>(1 + round % 2);
    });
    CHECK(race.rounds_of(0) == 6);
}

TEST_CASE("a lost baseline leaves the others' own intervals to decide") {
    Race race(2);
    race.run([](const ContestantState& contestant, std::uint32_t round) {
        return contestant.index == 0 && round == 2 ? -1.0 : 1.0;
    });
    CHECK(race.rounds_of(0) == 2);
    CHECK(race.rounds_of(1) == 6);
}

TEST_CASE("an explicit time budget overrides every minimum, but each contestant gets one turn") {
    for (const auto rounds : {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(50)}) {
        Race race(3);
        race.request.rounds = rounds;
        race.request.time_budget_ms = 0.0;
        race.run(steady);
        for (std::size_t i = 0; i < 3; ++i) CHECK(race.rounds_of(i) == 1);
    }
}

namespace {

/// Turns that busy-wait for these times (milliseconds), because the race measures wall-clock time.
auto turns_of(std::vector<double> turn_ms) {
    return [turn_ms](const ContestantState& contestant, std::uint32_t round) {
        const auto end = Clock::now() + std::chrono::duration<double, std::milli>(turn_ms[contestant.index]);
        while (Clock::now() < end) {
        }
        return round % 2 == 0 ? 1.0 : 2.0;  // the interval never gets narrow
    };
}

}  // namespace

TEST_CASE("beyond the budget everyone who can gets the rounds of an interval, and no more") {
    Race race(2);
    race.request.time_budget_ms = 1;
    race.request.interval_budget_ms = 60'000;
    race.run(turns_of({5, 1}));
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(race.rounds_of(i) == 6);
        CHECK(!race.contestants[i].result.too_few_rounds);
    }
}

TEST_CASE("while a ratio is too wide for an answer, the rounds go on within the answer budget") {
    // Three ratios differ from the others: the interval includes one of them after 14 rounds, none after 21.
    const auto scattered = [](const ContestantState& contestant, std::uint32_t round) {
        return contestant.index == 1 && round < 6 && round % 2 == 0 ? 2.0 : 1.0;
    };
    Race race(2);
    race.request.time_budget_ms = 0;
    race.request.interval_budget_ms = 60'000;
    race.run(scattered);
    CHECK(race.rounds_of(0) == 6);
    race.request.answer_budget_ms = 60'000;
    Race extended(2);
    extended.request = race.request;
    extended.run(scattered);
    CHECK(extended.rounds_of(0) == extended.rounds_of(1));
    CHECK(extended.rounds_of(0) == 21);
    // A wide interval that is far from 1 answers the question.
    Race far(2);
    far.request = race.request;
    far.run([&](const ContestantState& contestant, std::uint32_t round) {
        return contestant.index == 0 ? 4.0 : scattered(contestant, round);
    });
    CHECK(far.rounds_of(1) == 6);
    // A lost baseline has no ratios; nor has a single kernel.
    Race lost(2);
    lost.request = race.request;
    lost.run([](const ContestantState& contestant, std::uint32_t round) {
        return contestant.index == 0 && round == 2 ? -1.0 : round % 2 == 0 ? 1.0 : 2.0;
    });
    CHECK(lost.rounds_of(1) == 6);
}

TEST_CASE("one that is too slow for an interval ends with the budget and says what it needs; others go on") {
    Race race(2);
    race.request.time_budget_ms = 1;
    race.request.interval_budget_ms = 10'000;
    race.device_ms_of = {4000, 0.001};  // far from any delay on a busy machine
    race.run([](const ContestantState&, std::uint32_t round) { return round % 2 == 0 ? 1.0 : 2.0; });
    CHECK(race.rounds_of(0) == 1);
    CHECK(race.rounds_of(1) == 6);
    CHECK(!race.contestants[1].result.too_few_rounds);
    REQUIRE(race.contestants[0].result.too_few_rounds);
    // The time is shared: six rounds of 4 s, halved.
    CHECK(race.contestants[0].result.too_few_rounds->needed_ms.value_or(0) >= 12'000);
}

TEST_CASE("a long check after the first turn does not keep a quick kernel from its interval") {
    Race race(1);
    race.device_ms_of = {1};
    race.request.time_budget_ms = 1;
    race.request.interval_budget_ms = 1500;  // not enough for six turns that are as long as the first
    const auto long_check = turns_of({400});
    race.run([&](const ContestantState& contestant, std::uint32_t round) {
        return round == 0 ? long_check(contestant, round) : 1.0;
    });
    CHECK(race.rounds_of(0) == 6);
}

TEST_CASE("the budget that is said to be needed is enough") {
    Race race(1);
    race.device_ms_of = {400};  // much longer than any delay on a busy machine
    race.request.time_budget_ms = 500;
    race.run(turns_of({1}));
    REQUIRE(race.rounds_of(0) < 6);
    REQUIRE(race.contestants[0].result.too_few_rounds);
    Race again(1);
    again.device_ms_of = {400};
    again.request.time_budget_ms = 1.25 * race.contestants[0].result.too_few_rounds->needed_ms.value_or(0);
    again.run(turns_of({1}));
    CHECK(again.rounds_of(0) >= 6);
    CHECK(!again.contestants[0].result.too_few_rounds);
}

TEST_CASE("the device's time is what a budget counts, however little of it passes on the wall") {
    Race race(1);
    race.device_ms_of = {100};
    race.request.time_budget_ms = 1000;
    race.run([](const ContestantState&, std::uint32_t round) { return round % 2 == 0 ? 1.0 : 2.0; });
    CHECK(race.rounds_of(0) == 10);
}

TEST_CASE("the judge's overhead counts only if it takes most of the time") {
    Race race(1);
    race.device_ms_of = {0};
    race.request.time_budget_ms = 10;
    race.run(turns_of({5}));
    CHECK(race.rounds_of(0) >= 1);
    CHECK(race.rounds_of(0) <= 6);  // 6 turns of 5 ms
    Race longer(1);
    longer.device_ms_of = {0};
    longer.request.time_budget_ms = 1e6;
    longer.request.rounds = 20;
    longer.run(turns_of({1}));
    CHECK(longer.rounds_of(0) == 20);
}

TEST_CASE("in a race, who is far behind in each of the first rounds takes no more turns") {
    Race race(5);
    race.request.races = true;
    const double ms[] = {1.0, 1.6, 1.3, 1.1, 1.01};
    race.run([&](const ContestantState& contestant, std::uint32_t round) {
        if (contestant.index == 1 && round == 0) return 2 * ms[1];
        // Small differences with noise: no interval excludes 1.
        if (contestant.index == 4) return round % 2 == 0 ? 0.99 : 1.011;
        return ms[contestant.index];
    });
    CHECK(race.rounds_of(1) == 2);
    CHECK(race.rounds_of(2) == 3);
    CHECK(race.rounds_of(3) == 6);  // only its interval says so
    CHECK(race.rounds_of(0) == race.rounds_of(4));
    CHECK(race.rounds_of(0) >= 6);
    const auto has_warning = [&](std::size_t i) {
        const auto& warnings = race.contestants[i].result.warnings;
        return !warnings.empty() && warnings.front().code == FindingCode::Outrun;
    };
    CHECK(has_warning(1));
    CHECK(has_warning(2));
    CHECK(!has_warning(3));
    for (const ContestantState& contestant : race.contestants) {
        CHECK(contestant.in_race);
        CHECK(!contestant.result.too_few_rounds);
    }
}

TEST_CASE("in a race, the last checked run counts as an observation, unless it was the first run") {
    for (const bool is_second : {true, false}) {
        Race race(3);
        race.request.races = true;
        const double checked_ms[] = {1.0, 1.5, 1.2};
        const double ms[] = {1.0, 1.5, 1.5};
        for (ContestantState& contestant : race.contestants) {
            contestant.last_run_ms = checked_ms[contestant.index];
            contestant.proven_outputs[Pass::Real];
            if (is_second) contestant.proven_outputs[Pass::Exact];
        }
        race.run([&](const ContestantState& contestant, std::uint32_t) { return ms[contestant.index]; });
        CHECK(race.rounds_of(1) == (is_second ? 1 : 2));
        CHECK(race.rounds_of(2) == 2);
    }
}

TEST_CASE("one slow round does not end a race, and without a race nobody is dropped") {
    for (const bool races : {true, false}) {
        Race race(2);
        race.request.races = races;
        race.run([&](const ContestantState& contestant, std::uint32_t round) {
            if (!races) return contestant.index == 0 ? 1.0 : 3.0;
            return contestant.index == 1 && round < 2 ? 3.0 - 2 * round : 1.0;
        });
        CHECK(race.rounds_of(0) == race.rounds_of(1));
    }
}

TEST_CASE("in a race, the budget is that of those who still race") {
    Race race(4);
    race.request.races = true;
    race.request.time_budget_ms = 1e9;
    race.device_ms_of.assign(4, 1000);
    race.run([&](const ContestantState& contestant, std::uint32_t round) {
        return contestant.index < 2 ? 1 + 0.3 * (static_cast<double>((round + contestant.index) % 3)) : 9.0;
    });
    CHECK(race.rounds_of(2) == 2);
    CHECK(race.rounds_of(0) > 30);
    race.request.time_budget_ms = 10'000;
    Race again(4);
    again.request = race.request;
    again.device_ms_of = race.device_ms_of;
    again.run([&](const ContestantState& contestant, std::uint32_t round) {
        return contestant.index < 2 ? 1 + 0.3 * (static_cast<double>((round + contestant.index) % 3)) : 9.0;
    });
    CHECK(again.rounds_of(2) == 2);
    CHECK(again.rounds_of(0) == 10);
}

TEST_CASE("rounds that were asked for are not called the budget's fault") {
    Race race(1);
    race.request.rounds = 3;
    race.run(steady);
    CHECK(race.rounds_of(0) == 3);
    CHECK(!race.contestants[0].result.too_few_rounds);
}

TEST_CASE("the time budget is a kernel's: more contestants have more in all") {
    for (const std::size_t n : {1u, 3u}) {
        Race race(n);
        race.request.time_budget_ms = 20'000;
        race.device_ms_of.assign(n, 1000);
        // The interval never gets narrow.
        race.run([](const ContestantState&, std::uint32_t round) { return round % 2 == 0 ? 1.0 : 2.0; });
        for (std::size_t i = 0; i < n; ++i) CHECK(race.rounds_of(i) == 20);
    }
}

TEST_CASE("a rate of nothing is no rate: a copy has no GFLOP/s") {
    for (const double flops : {0.0, 2e6}) {
        ContestantState contestant;
        contestant.result.verdict = Verdict::Correct;
        contestant.result.samples_ms = {1, 1, 1, 1, 1, 1};
        ProblemInstance instance;
        instance.cost = {.flops = flops, .bytes = 8e6};
        complete_result(contestant, instance, false, "");
        CHECK(contestant.result.gflops == (flops > 0 ? std::optional(2.0) : std::nullopt));
        CHECK(contestant.result.gbytes_s == 8.0);
    }
}

TEST_CASE("faster in most rounds and slower by the medians: no difference is claimed") {
    // The contestant takes 100 ms where the baseline takes 104; in the slow rounds, which are not the same,
    // both take far more.
    const auto speedup_of = [](std::size_t slow_rounds) {
        ContestantState baseline, contestant;
        baseline.result.kernel = "baseline";
        for (std::size_t round = 0; round < 40; ++round) {
            const double scale = round < 10 ? 1 : 2;
            baseline.result.samples_ms.push_back(104 * scale);
            contestant.result.samples_ms.push_back(100 * scale);
        }
        for (std::size_t round = 0; round < slow_rounds; ++round) {
            baseline.result.samples_ms[round + 10] = 103;
            contestant.result.samples_ms[round + 10] = 230;
        }
        for (ContestantState* one : {&baseline, &contestant})
            one->result.median_ms = stats::median(one->result.samples_ms);
        compare_times(baseline, contestant);
        return contestant.result.speedup.value();
    };
    CHECK(!speedup_of(0).interval->contains(1));
    const Speedup jumping = speedup_of(11);
    CHECK(jumping.value > 1);
    CHECK(jumping.interval->contains(1));
    CHECK(jumping.interval->low < 0.6);
}
