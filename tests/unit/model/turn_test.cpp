#include "model/turn.hpp"

#include <doctest/doctest.h>

using namespace kwb;

namespace {

struct Turn {
    std::vector<double> recorded_ms;
    unsigned runs = 0;
    unsigned runs_before_last = 0;  ///< when prepare_last was called
};

/// A turn of a kernel each of whose runs takes `time_ms`.
Turn take(double time_ms, const TurnRule& rule = {}) {
    Turn turn;
    turn.recorded_ms = take_turn(
        rule,
        [&] {
            ++turn.runs;
            return time_ms;
        },
        [&] { turn.runs_before_last = turn.runs; });
    return turn;
}

}  // namespace

TEST_CASE("a short kernel settles for 5 ms and 10 runs before anything is recorded") {
    const TurnRule rule;
    for (const double time_ms : {0.03, 0.1, 0.5, 1.0, 3.0}) {
        const Turn turn = take(time_ms, rule);
        const double discarded = turn.runs - static_cast<double>(turn.recorded_ms.size());
        CAPTURE(time_ms);
        CHECK(discarded >= rule.discard_runs);
        CHECK(discarded * time_ms >= rule.discard_ms * 0.999);
        CHECK(turn.recorded_ms.size() >= rule.record_runs);
        CHECK(static_cast<double>(turn.recorded_ms.size()) * time_ms >= rule.record_ms * 0.999);
    }
}

TEST_CASE("a long kernel is discarded once and recorded once") {
    for (const double time_ms : {51.0, 17'000.0}) {
        const Turn turn = take(time_ms);
        CHECK(turn.runs == 2);
        CHECK(turn.recorded_ms == std::vector<double>{time_ms});
    }
}

TEST_CASE("the last recorded run is announced just before it") {
    for (const double time_ms : {0.001, 0.2, 10.0, 100.0}) {
        const Turn turn = take(time_ms);
        CHECK(turn.runs_before_last == turn.runs - 1);
    }
}

TEST_CASE("a clock that stands still does not hang the turn") {
    const Turn turn = take(0);
    CHECK(turn.recorded_ms.size() <= TurnRule().most_runs);
    CHECK(turn.runs <= 2 * TurnRule().most_runs);
}

TEST_CASE("times are recorded in their order") {
    double next_ms = 0;
    const auto recorded_ms = take_turn(
        {}, [&] { return next_ms += 0.25; }, [] {});
    for (std::size_t i = 1; i < recorded_ms.size(); ++i) CHECK(recorded_ms[i] == recorded_ms[i - 1] + 0.25);
}

TEST_CASE("a contestant whose runs are long has one run a turn, once it has run") {
    CHECK(take(400, turn_rule_after(400)).recorded_ms == std::vector<double>{400});
    CHECK(take(400, turn_rule_after(400)).runs == 1);
    CHECK(take(0.1, turn_rule_after(400)).runs == 1);
    CHECK(take(0.1, turn_rule_after(0.1)).runs == take(0.1).runs);
    CHECK(take(100, turn_rule_after(100)).runs == 2);
}
