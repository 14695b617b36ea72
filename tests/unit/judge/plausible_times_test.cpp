// SPDX-License-Identifier: Apache-2.0
#include "judge/timing/plausible_times.hpp"

#include <doctest/doctest.h>

using namespace kwb;

namespace {

/// Runs of the same times.
std::vector<TimedRun> runs_of(std::size_t count, double run_ms, double wall_ms) {
    return std::vector<TimedRun>(count, TimedRun{run_ms, wall_ms, 0});
}

}  // namespace

TEST_CASE("a turn whose numbers agree is read as its median") {
    for (const double wall_ms : {1.1, 0.97}) {  // the clocks differ slightly
        const auto reading = read_turn(runs_of(5, 1, wall_ms), true);
        REQUIRE(reading);
        CHECK(reading->sample_ms == 1);
        CHECK(!reading->disagreement);
    }
}

TEST_CASE("a fast device clock is reported with both figures, and its times are kept") {
    const auto reading = read_turn(runs_of(15, 1, 0.8), true);
    REQUIRE(reading);
    CHECK(reading->sample_ms == 1);
    REQUIRE(reading->disagreement);
    CHECK(reading->disagreement->device_ms == 15);
    CHECK(reading->disagreement->host_ms == doctest::Approx(12));
}

TEST_CASE("runs during which the device's clock jumped do not count") {
    auto runs = runs_of(5, 1, 2);
    runs[0].run_ms = runs[2].run_ms = 3.6e6;
    runs[3].run_ms = 1.5;
    runs[4].run_ms = 2;
    const auto reading = read_turn(runs, true);
    REQUIRE(reading);
    CHECK(reading->sample_ms == 1.5);
    CHECK(reading->disagreement);
}

TEST_CASE(
    "where most runs took longer than their requests, the times are forged, or the judge's clock counts") {
    auto runs = runs_of(5, 1, 2);
    runs[0].run_ms = runs[1].run_ms = runs[2].run_ms = 100;
    CHECK(!read_turn(runs, true));
    REQUIRE(read_turn(runs, false));
    CHECK(read_turn(runs, false)->is_by_judge);
    CHECK(read_turn(runs, false)->sample_ms == 2);
}

TEST_CASE("where the device's clock measures no time, the judge's counts") {
    for (const double none : {0.0, 1e-6}) {
        const auto reading = read_turn(runs_of(15, none, 2), true);
        REQUIRE(reading);
        CHECK(reading->is_by_judge);
        CHECK(reading->sample_ms == 2);
    }
}

TEST_CASE("the judge's clock bounds times that may be forged") {
    // 20 ms by the judge's clock, reported as 2 ms.
    CHECK(read_turn(runs_of(5, 2, 20), true)->sample_ms == doctest::Approx(19.5 / 1.25));
    CHECK(read_turn(runs_of(5, 2, 20), false)->sample_ms == 2);  // a GPU: launches are slow there
    auto explained = runs_of(5, 2, 20);
    for (TimedRun& run : explained) run.untimed_bytes = 18'000'000;
    CHECK(read_turn(explained, true)->sample_ms == 2);
    for (TimedRun& run : explained) run = {2, 20, 0, true};
    CHECK(read_turn(explained, true)->sample_ms == 2);
}

TEST_CASE("launch overhead, poison and transfers are explained; a run said to take a tenth is not") {
    // 1 ms per run on two cores, and 50 µs of overhead each.
    const TurnTimes honest{runs_of(15, 1, 1.05), 30.75, 0};
    CHECK(!find_unbelievable({honest, honest}, 2));
    // Filling and reading back 12 MB also takes time.
    CHECK(!find_unbelievable({{{{20, 20 + 12, 12'000'000}}, 40 + 12, 12'000'000}}, 2));
    // 20 ms per run on both cores, reported as 2 ms.
    const TurnTimes forged{runs_of(15, 2, 20), 600, 0};
    const auto found = find_unbelievable({forged, forged, forged}, 2);
    REQUIRE(found);
    CHECK(found->find("reports 2 ms") != std::string::npos);
    CHECK(found->find("but it used 39.8 ms") != std::string::npos);
    // A run that reports more than its request took explains no more than that.
    CHECK(find_unbelievable({{runs_of(15, 1e6, 2), 600, 0}}, 2));
}

TEST_CASE("a busy machine makes turns long, which is worth a warning and no verdict") {
    const TurnTimes busy{runs_of(15, 1, 60), 30.75, 0};
    CHECK(!find_unbelievable({busy, busy, busy}, 2));
    const auto slow = find_slow_turns({busy, busy, busy});
    REQUIRE(slow);
    CHECK(slow->told_ms == 1);
    CHECK(slow->took_ms == 60);
    CHECK(!find_slow_turns({{runs_of(15, 1, 1.05), 30.75, 0}}));
}

TEST_CASE("one odd turn of several proves nothing, and neither do no turns at all") {
    const TurnTimes honest{runs_of(15, 1, 1.1), 31, 0};
    const TurnTimes odd{runs_of(15, 1, 60), 900, 0};
    CHECK(!find_unbelievable({honest, honest, odd}, 2));
    CHECK(!find_slow_turns({honest, honest, odd}));
    CHECK(!find_unbelievable({}, 2));
    CHECK(!find_slow_turns({}));
}

TEST_CASE("a rate that the device cannot reach makes a time false") {
    const Cost cost{.flops = 2e9, .bytes = 1e9};
    RunRequest request;
    CHECK(!find_too_short(1e-6, cost, request));  // nothing is known of the device
    request.most_gflops = 400;
    request.most_gbytes_s = 100;
    CHECK(!find_too_short(10.1, cost, request));
    const std::string memory = find_too_short(9, cost, request).value_or("");
    CHECK(memory.find("would mean 111 GB/s; on this device, more than 100") != std::string::npos);
    request.most_gbytes_s.reset();
    CHECK(!find_too_short(5.1, cost, request));
    const std::string arithmetic = find_too_short(4, cost, request).value_or("");
    CHECK(arithmetic.find("would mean 500 GFLOP/s; on this device, more than 400") != std::string::npos);
    CHECK(!find_too_short(1e-6, {}, request));  // no work is counted
}
