#include "judge/plausible_times.hpp"

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

TEST_CASE("a turn whose numbers agree is possible") {
    CHECK(is_possible(honest(), 16, 1));
    CHECK(is_possible(honest(), 14.5, 1));  // clocks run apart a little
}

TEST_CASE("more device time than the judge's clock has seen is impossible") {
    CHECK(!is_possible(honest(), 14, 1));
    ExecutedReply discarded = honest();
    discarded.all_runs_ms = 100;
    CHECK(!is_possible(discarded, 16, 1));
}

TEST_CASE("samples that are no part of the runs are impossible") {
    ExecutedReply none = honest();
    none.samples_ms.clear();
    CHECK(!is_possible(none, 16, 1));
    ExecutedReply more_than_runs = honest();
    more_than_runs.runs = 4;
    CHECK(!is_possible(more_than_runs, 16, 1));
    ExecutedReply longer_than_runs = honest();
    longer_than_runs.all_runs_ms = 4;
    CHECK(!is_possible(longer_than_runs, 16, 1));
    CHECK(!is_possible(honest(), 16, 2));
}

TEST_CASE("launch overhead, poison and transfers are explained; a run said to take a tenth is not") {
    // 1 ms a run on two cores, and 50 microseconds of overhead each.
    CHECK(!find_unbelievable({{15.75, 30.75, 15, 15, 0}, {15.75, 30.75, 15, 15, 0}}, 2));
    // 12 MB filled and read back take their time too.
    CHECK(!find_unbelievable({{20 + 12, 40 + 12, 20, 1, 12'000'000}}, 2));
    // 20 ms a run on both cores, said to take 2.
    const TurnTimes forged{300, 600, 30, 15, 0};
    const auto found = find_unbelievable({forged, forged, forged}, 2);
    REQUIRE(found);
    CHECK(found->find("said to take 2 ms") != std::string::npos);
    CHECK(found->find("but it used 39.8 ms") != std::string::npos);
}

TEST_CASE("a busy machine makes turns long, which is worth a warning and no verdict") {
    const TurnTimes busy{900, 30.75, 15, 15, 0};
    CHECK(!find_unbelievable({busy, busy, busy}, 2));
    REQUIRE(find_slow_turns({busy, busy, busy}));
    CHECK(find_slow_turns({busy, busy, busy})->find("took 60 ms by the wall clock") != std::string::npos);
    CHECK(!find_slow_turns({{15.75, 30.75, 15, 15, 0}}));
}

TEST_CASE("one odd turn of several proves nothing, and no turns at all neither") {
    const TurnTimes honest{16, 31, 15, 15, 0};
    const TurnTimes odd{900, 900, 15, 15, 0};
    CHECK(!find_unbelievable({honest, honest, odd}, 2));
    CHECK(!find_slow_turns({honest, honest, odd}));
    CHECK(!find_unbelievable({}, 2));
    CHECK(!find_slow_turns({}));
    // Devices whose work costs no processor time are judged by the wall clock alone.
    CHECK(!find_unbelievable({{900, std::nullopt, 15, 15, 0}}, 2));
}
