// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "model/error_map.hpp"
#include "model/result.hpp"
#include "model/turn.hpp"

using namespace kwb;

// --- model/result.hpp ---

TEST_CASE("without an expectation only correct is as expected, or ran") {
    KernelResult result;
    for (const std::string& name : enum_names<Verdict>()) {
        result.verdict = *parse_enum<Verdict>(name);
        CHECK(result.as_expected() == (name == "correct" || name == "ran"));
    }
}

TEST_CASE("with an expectation any of its verdicts is, and correct is not unless listed") {
    KernelResult result;
    result.expected = Expectation{{Verdict::Wrong, Verdict::OutOfBounds}, "the edge is not guarded"};
    result.verdict = Verdict::OutOfBounds;
    CHECK(result.as_expected());
    result.verdict = Verdict::Correct;
    CHECK(!result.as_expected());
    result.verdict = Verdict::Timeout;
    CHECK(!result.as_expected());
}

// --- model/turn.hpp ---

namespace {

struct Turn {
    unsigned discarded = 0;
    unsigned recorded = 0;
};

/// A turn of a kernel whose runs take `time_ms` each.
Turn take(double time_ms, const TurnRule& rule = {}) {
    Turn turn;
    const double last_ms = warm_up(rule, [&] {
        ++turn.discarded;
        return time_ms;
    });
    turn.recorded = count_recorded(rule, last_ms);
    return turn;
}

}  // namespace

TEST_CASE("a short kernel settles for 5 ms and 10 runs before anything is recorded") {
    const TurnRule rule;
    for (const double time_ms : {0.03, 0.1, 0.5, 1.0, 3.0}) {
        const Turn turn = take(time_ms, rule);
        CAPTURE(time_ms);
        CHECK(turn.discarded >= rule.discard_runs);
        CHECK(turn.discarded * time_ms >= rule.discard_ms * 0.999);
        CHECK(turn.recorded >= rule.record_runs);
        CHECK((turn.recorded == rule.most_recorded || turn.recorded * time_ms >= rule.record_ms * 0.999));
    }
}

TEST_CASE("a long kernel is discarded once and recorded once") {
    for (const double time_ms : {51.0, 17'000.0}) {
        CHECK(take(time_ms).discarded == 1);
        CHECK(take(time_ms).recorded == 1);
    }
}

TEST_CASE("a clock that stands still does not hang the turn") {
    CHECK(take(0).discarded == TurnRule().most_runs);
    CHECK(take(0).recorded == TurnRule().most_recorded);
}

TEST_CASE("inputs that take long to make leave fewer runs to record, but one") {
    CHECK(count_recorded({}, 0.1) == 25);
    CHECK(count_recorded({}, 0.1, 0.1) == 25);
    CHECK(count_recorded({}, 0.4) == 13);
    CHECK(count_recorded({}, 0.1, 10) == 5);
    CHECK(count_recorded({}, 0.1, 1000) == 1);
}

TEST_CASE("a contestant whose runs are long has one run a turn, once it has run") {
    CHECK(take(400, turn_rule_after(400)).discarded == 0);
    CHECK(take(400, turn_rule_after(400)).recorded == 1);
    CHECK(take(0.1, turn_rule_after(400)).recorded == 1);
    CHECK(take(0.1, turn_rule_after(0.1)).recorded == take(0.1).recorded);
    CHECK(take(100, turn_rule_after(100)).discarded == 1);
    CHECK(take(100, turn_rule_after(100)).recorded == 1);
    CHECK(take(20, turn_rule_after(20)).recorded == 3);
    CHECK(take(20, turn_rule_after(20, true)).recorded == 2);
    CHECK(take(0.1, turn_rule_after(0.1, true)).recorded == take(0.1).recorded);
}

// --- model/error_map.hpp ---

namespace {

/// An error map in which each cell shows its last element.
ErrorMap sample_map(std::uint32_t rows, std::uint32_t columns, MapExtents extents) {
    ErrorMap map{"C", rows, columns, {}, extents};
    const std::size_t cells = std::size_t{rows} * columns;
    map.worst_share.resize(cells);
    map.worst_elements.resize(cells);
    for (std::uint64_t row = 0; row < extents.rows; ++row)
        for (std::uint64_t column = 0; column < extents.columns; ++column) {
            const std::uint64_t element = row * extents.columns + column;
            const std::size_t cell = row * rows / extents.rows * columns + column * columns / extents.columns;
            map.worst_share[cell] = 0.25f * static_cast<float>(cell);
            map.worst_elements[cell] = {element, 0.5 + static_cast<double>(cell), -1.5};
        }
    return map;
}

ErrorMap bare(ErrorMap map) {
    map.worst_share.clear();
    map.worst_elements.clear();
    return map;
}

bool same_cells(const ErrorMap& a, const ErrorMap& b) {
    bool same = a.worst_share == b.worst_share && a.worst_elements.size() == b.worst_elements.size();
    for (std::size_t i = 0; same && i < a.worst_elements.size(); ++i) {
        const WorstElement &x = a.worst_elements[i], &y = b.worst_elements[i];
        same = x.element == y.element && x.expected == y.expected &&
               (x.got == y.got || (std::isnan(x.got) && std::isnan(y.got)));
    }
    return same;
}

ErrorMap read_back(const ErrorMap& map) {
    ErrorMap back = bare(map);
    put_cell_bytes(back, cell_bytes(map));
    return back;
}

}  // namespace

TEST_CASE("cells come back from their bytes as they were, sixteen bytes each for floats") {
    ErrorMap map = sample_map(2, 3, {5, 7});
    map.worst_elements[1].got = std::numeric_limits<double>::quiet_NaN();
    map.worst_elements[2].got = -std::numeric_limits<double>::infinity();
    CHECK(same_cells(read_back(map), map));
    CHECK(cell_bytes(map).size() == 2 * 3 * 16);
}

TEST_CASE("values that are no floats cost more bytes, not digits") {
    for (const double value : {1.0 / 3, 1e300, 0x1p53 + 2}) {
        CAPTURE(value);
        ErrorMap map = sample_map(2, 3, {5, 7});
        map.worst_elements[4].expected = value;
        CHECK(same_cells(read_back(map), map));
        CHECK(cell_bytes(map).size() == 2 * 3 * 24);
    }
}

TEST_CASE("a buffer of more elements than 32 bits count keeps their index") {
    ErrorMap map{"C", 1, 1, {3}, MapExtents{std::uint64_t{1} << 20, std::uint64_t{1} << 13}};
    map.worst_elements = {{(std::uint64_t{1} << 33) - 1, 1, 2}};
    CHECK(same_cells(read_back(map), map));
    map.extents = MapExtents{1, std::uint64_t{1} << 32};
    map.worst_elements = {{(std::uint64_t{1} << 32) - 1, 1, 2}};
    CHECK(same_cells(read_back(map), map));
    CHECK(cell_bytes(map).size() == 16);
}

TEST_CASE("a map from before worst elements were kept reads as before, with extents or without") {
    ErrorMap old{"C", 1, 3, {0.5f, 1, 2}};
    CHECK(cell_bytes(old).size() == 12);
    CHECK(same_cells(read_back(old), old));
    old.extents = MapExtents{1, 3};
    CHECK(same_cells(read_back(old), old));
}

TEST_CASE("cells that are too few, too many or without extents are refused") {
    const ErrorMap map = sample_map(2, 3, {5, 7});
    const std::string bytes = cell_bytes(map);
    for (const std::size_t size : {std::size_t{0}, std::size_t{23}, std::size_t{25}, bytes.size() - 1}) {
        CAPTURE(size);
        ErrorMap back = bare(map);
        CHECK_THROWS_AS(put_cell_bytes(back, bytes.substr(0, size)), ProtocolError);
    }
    ErrorMap back = bare(map);
    CHECK_THROWS_AS(put_cell_bytes(back, bytes + "x"), ProtocolError);
    back.extents.reset();
    CHECK_THROWS_AS(put_cell_bytes(back, bytes), ProtocolError);
}

TEST_CASE("a worst element that lies in another cell, or in none, is refused") {
    for (const std::uint64_t element : {std::uint64_t{34}, std::uint64_t{35}, std::uint64_t{UINT32_MAX}}) {
        CAPTURE(element);
        ErrorMap map = sample_map(2, 3, {5, 7});
        map.worst_elements[0].element = element;
        ErrorMap back = bare(map);
        CHECK_THROWS_AS(put_cell_bytes(back, cell_bytes(map)), ProtocolError);
    }
}

TEST_CASE("a coarser map keeps the worst of the elements that each cell takes in") {
    ErrorMap map = sample_map(4, 4, {4, 4});
    const ErrorMap coarse = coarsened(map, 2);
    CHECK(coarse.rows == 2);
    CHECK(coarse.columns == 2);
    CHECK(coarse.worst_share == std::vector<float>{1.25f, 1.75f, 3.25f, 3.75f});
    REQUIRE(coarse.worst_elements.size() == 4);
    CHECK(coarse.worst_elements[0].element == 5);
    CHECK(coarse.worst_elements[3].element == 15);
    CHECK(same_cells(read_back(coarse), coarse));
    map.worst_elements.clear();
    CHECK(coarsened(map, 2).worst_elements.empty());
}
