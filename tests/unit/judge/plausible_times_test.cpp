#include "judge/timing/plausible_times.hpp"

#include <doctest/doctest.h>

using namespace kwb;

namespace {

/// 15 runs of 1 ms each, five of them recorded.
ExecutedReply honest() {
    ExecutedReply reply;
    reply.samples_ms = {1, 1, 1, 1, 1};
    reply.launch_ms = {1};
    reply.runs = 15;
    reply.all_runs_ms = 15;
    return reply;
}

}  // namespace

TEST_CASE("a turn whose numbers agree is read as its median") {
    for (const double wall_ms : {16.0, 14.5}) {  // the clocks differ slightly
        const auto reading = read_turn(honest(), wall_ms, 1);
        REQUIRE(reading);
        CHECK(reading->sample_ms == 1);
        CHECK(!reading->disagreement);
    }
}

TEST_CASE("a fast device clock is reported with both figures, and its times are kept") {
    const auto reading = read_turn(honest(), 12.5, 1);
    REQUIRE(reading);
    CHECK(reading->sample_ms == 1);
    CHECK(reading->all_runs_ms == 12.5);
    REQUIRE(reading->disagreement);
    CHECK(reading->disagreement->device_ms == 15);
    CHECK(reading->disagreement->host_ms == 12.5);
}

TEST_CASE("runs during which the device's clock jumped do not count") {
    ExecutedReply jumping = honest();
    jumping.samples_ms = {3.6e6, 1, 3.6e6, 1.5, 2};
    jumping.all_runs_ms = 7.2e6;
    const auto reading = read_turn(jumping, 16, 1);
    REQUIRE(reading);
    CHECK(reading->sample_ms == 1.5);
    CHECK(reading->disagreement);
}

TEST_CASE("a turn most of whose runs took longer than itself is impossible") {
    ExecutedReply reply = honest();
    reply.samples_ms = {100, 100, 100, 1, 1};
    reply.all_runs_ms = 400;
    CHECK(!read_turn(reply, 16, 1));
}

TEST_CASE("samples that are no part of the runs are impossible") {
    ExecutedReply none = honest();
    none.samples_ms.clear();
    CHECK(!read_turn(none, 16, 1));
    ExecutedReply more_than_runs = honest();
    more_than_runs.runs = 4;
    CHECK(!read_turn(more_than_runs, 16, 1));
    ExecutedReply longer_than_runs = honest();
    longer_than_runs.all_runs_ms = 4;
    CHECK(!read_turn(longer_than_runs, 16, 1));
    CHECK(!read_turn(honest(), 16, 2));
}

TEST_CASE("launch overhead, poison and transfers are explained; a run said to take a tenth is not") {
    // 1 ms per run on two cores, and 50 µs of overhead each.
    CHECK(!find_unbelievable({{15.75, 30.75, 15, 15, 0}, {15.75, 30.75, 15, 15, 0}}, 2));
    // Filling and reading back 12 MB also takes time.
    CHECK(!find_unbelievable({{20 + 12, 40 + 12, 20, 1, 12'000'000}}, 2));
    // 20 ms per run on both cores, reported as 2 ms.
    const TurnTimes forged{300, 600, 30, 15, 0};
    const auto found = find_unbelievable({forged, forged, forged}, 2);
    REQUIRE(found);
    CHECK(found->find("reports 2 ms") != std::string::npos);
    CHECK(found->find("but it used 39.8 ms") != std::string::npos);
}

TEST_CASE("a busy machine makes turns long, which is worth a warning and no verdict") {
    const TurnTimes busy{900, 30.75, 15, 15, 0};
    CHECK(!find_unbelievable({busy, busy, busy}, 2));
    REQUIRE(find_slow_turns({busy, busy, busy}));
    CHECK(find_slow_turns({busy, busy, busy})->find("took 60 ms by the wall clock") != std::string::npos);
    CHECK(!find_slow_turns({{15.75, 30.75, 15, 15, 0}}));
}

TEST_CASE("one odd turn of several proves nothing, and neither do no turns at all") {
    const TurnTimes honest{16, 31, 15, 15, 0};
    const TurnTimes odd{900, 900, 15, 15, 0};
    CHECK(!find_unbelievable({honest, honest, odd}, 2));
    CHECK(!find_slow_turns({honest, honest, odd}));
    CHECK(!find_unbelievable({}, 2));
    CHECK(!find_slow_turns({}));
    // Devices that use no CPU time are judged by the wall clock alone.
    CHECK(!find_unbelievable({{900, std::nullopt, 15, 15, 0}}, 2));
}
