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
        const auto reading = read_turn(runs_of(15, 1, wall_ms), 5);
        REQUIRE(reading);
        CHECK(reading->sample_ms == 1);
        CHECK(!reading->disagreement);
    }
}

TEST_CASE("a fast device clock is reported with both figures, and its times are kept") {
    const auto reading = read_turn(runs_of(15, 1, 0.8), 5);
    REQUIRE(reading);
    CHECK(reading->sample_ms == 1);
    CHECK(reading->all_runs_ms == doctest::Approx(12));
    REQUIRE(reading->disagreement);
    CHECK(reading->disagreement->device_ms == 15);
    CHECK(reading->disagreement->host_ms == doctest::Approx(12));
}

TEST_CASE("runs during which the device's clock jumped do not count") {
    auto runs = runs_of(15, 1, 2);
    runs[10].run_ms = runs[12].run_ms = 3.6e6;
    runs[13].run_ms = 1.5;
    runs[14].run_ms = 2;
    const auto reading = read_turn(runs, 5);
    REQUIRE(reading);
    CHECK(reading->sample_ms == 1.5);
    CHECK(reading->disagreement);
}

TEST_CASE("a turn most of whose runs took longer than their requests is impossible") {
    auto runs = runs_of(15, 1, 2);
    runs[10].run_ms = runs[11].run_ms = runs[12].run_ms = 100;
    CHECK(!read_turn(runs, 5));
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
}

TEST_CASE("a time that no launch beats by the judge's clock is not credible, whatever the processor time") {
    // 20 ms per run on one of many cores, reported as 2 ms.
    const TurnTimes forged{runs_of(15, 2, 20), 300, 0};
    const auto found = find_unbelievable({forged, forged}, 64);
    REQUIRE(found);
    CHECK(found->find("no run took less than 20 ms") != std::string::npos);
    // A GPU: the kernel cannot reach the clock, so launches are slow there.
    CHECK(!find_unbelievable({{runs_of(15, 2, 20), std::nullopt, 0}}, 64));
}

TEST_CASE("where the device's clock measures no time, the judge's counts") {
    for (const double none : {0.0, 1e-6}) {
        const auto reading = read_turn(runs_of(15, none, 2), 5);
        REQUIRE(reading);
        CHECK(reading->is_by_judge);
        CHECK(reading->sample_ms == 2);
        CHECK(reading->all_runs_ms == 30);
    }
}

TEST_CASE("a busy machine makes turns long, which is worth a warning and no verdict") {
    TurnTimes busy{runs_of(15, 1, 60), 30.75, 0};
    busy.runs[7].wall_ms = 1.3;  // it was idle for a moment
    CHECK(!find_unbelievable({busy, busy, busy}, 2));
    const auto slow = find_slow_turns({busy, busy, busy});
    REQUIRE(slow);
    CHECK(slow->told_ms == 1);
    CHECK(slow->took_ms > 50);
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
