// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "desk/shown_xray.hpp"
#include "desk/xray_play.hpp"
#include "support/sample_xray.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

/// A report whose sites are in lines 1, 2, … of one buffer of 100 elements.
XrayReport report_with(std::uint32_t sites, XrayTrace trace) {
    XrayReport report;
    report.buffers.resize(1);
    report.buffers[0].extents = {10, 10};
    report.buffers[0].rows = report.buffers[0].columns = 10;
    for (std::uint32_t i = 0; i < sites; ++i) {
        report.sites.emplace_back();
        report.sites.back().place = {"", i + 1, 1};
    }
    report.trace = std::move(trace);
    return report;
}

std::vector<std::uint32_t> sites_of(const XrayPlay& play) {
    std::vector<std::uint32_t> sites;
    for (const XrayPlay::Step& step : play.steps()) sites.push_back(step.site);
    return sites;
}

std::vector<std::uint32_t> items_of(const XrayPlay& play, std::size_t step) {
    return {play.items_of(step).begin(), play.items_of(step).end()};
}

}  // namespace

TEST_CASE("without a trace there are no steps, and nobody uses anything") {
    const XrayPlay play{XrayReport{}};
    CHECK(play.steps().empty());
    CHECK(play.users_of({0, 0}).empty());
    CHECK(play.cells_of_item(0).empty());
}

TEST_CASE("work-items that ran one after the other take their steps together") {
    const XrayPlay play(report_with(2, {{0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 2, 3}, {0, 0, 0, 0}}));
    CHECK(sites_of(play) == std::vector<std::uint32_t>{0, 1});
    CHECK(items_of(play, 0) == std::vector<std::uint32_t>{0, 1});
    CHECK(std::ranges::equal(play.cells_of(1), std::vector<std::uint32_t>{1, 3}));
}

TEST_CASE("a work-item that leaves a loop early waits after it for the others") {
    // Site 0 is the body of a loop, site 1 comes after it; item 1 goes round twice.
    const XrayPlay play(report_with(2, {{0, 0, 1, 1, 1}, {0, 1, 0, 0, 1}, {0, 1, 2, 3, 4}, {0, 0, 0, 0, 0}}));
    CHECK(sites_of(play) == std::vector<std::uint32_t>{0, 0, 1});
    CHECK(items_of(play, 1) == std::vector<std::uint32_t>{1});
    CHECK(items_of(play, 2) == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("a barrier ends all steps before it, also of lines that come later in the source") {
    // Item 1 has one more access before the barrier.
    const XrayPlay play(report_with(2, {{0, 0, 1, 1}, {1, 0, 1, 1}, {0, 2, 1, 3}, {0, 1, 0, 0}}));
    CHECK(sites_of(play) == std::vector<std::uint32_t>{1, 1, 0});
    CHECK(std::ranges::equal(play.interval_begins(), std::vector<std::uint32_t>{0, 2}));
}

TEST_CASE("every access of the trace is in exactly one step, in the order of its work-item") {
    const XrayReport report = sample_xray();
    const XrayPlay play(report);
    std::size_t accesses = 0;
    for (std::size_t i = 0; i < play.steps().size(); ++i) accesses += play.items_of(i).size();
    CHECK(accesses == report.trace->items.size());
    CHECK(play.steps().size() == 2 + 2 * 16 + 1);
    CHECK(play.items_of(0).size() == 256);
    CHECK(play.interval_begins().size() == 2);
    CHECK(play.alarms().empty());
}

TEST_CASE("a cell knows its work-items, and a work-item its cells: two views of the same uses") {
    const XrayReport report = sample_xray();
    const XrayPlay play(report);
    const auto users = play.users_of({3, 0});  // a[0][0]: stored by one work-item, loaded by its row
    REQUIRE(users.size() == 16);
    CHECK(users[0].stores);
    CHECK(users[0].loads);
    CHECK(users[1].item == 1);
    CHECK(!users[1].stores);
    std::set<XrayCell> cells;
    for (std::uint32_t item = 0; item < 256; ++item)
        for (const XrayCell& cell : play.cells_of_item(item)) {
            cells.insert(cell);
            const auto found = play.users_of(cell);
            CHECK(std::ranges::find(found, item, &CellUse::item) != found.end());
        }
    CHECK(cells.size() == 256 + 256 + 256 + 256);
}

TEST_CASE("steps of a race are alarming, with the elements that two work-items use, one of them storing") {
    const XrayReport report = sample_xray({.is_undefined = true});
    const XrayPlay play(report);
    REQUIRE(!play.alarms().empty());
    for (const std::uint32_t step : play.alarms()) {
        CHECK(report.sites[play.steps()[step].site].buffer == 3);
        CHECK(!play.alarming_cells_of(step).empty());
        CHECK(!play.alarming_items_of(step).empty());
    }
    XrayReport calm = report;
    calm.undefined.clear();
    CHECK(XrayPlay(calm).alarms().empty());  // what the finding does not name is no alarm
}

TEST_CASE("a read of what nobody has set is alarming until somebody stores") {
    XrayReport report = report_with(2, {{0, 0, 0}, {0, 1, 0}, {7, 7, 7}, {0, 1, 2}});
    report.sites[1].kind = AccessKind::Store;
    report.undefined.push_back({.code = FindingCode::UnsetRead, .subject = "a[7]", .place = "1:1"});
    const XrayPlay play(report);
    CHECK(std::ranges::equal(play.alarms(), std::vector<std::uint32_t>{0}));
}

TEST_CASE("the elements of a cell are those that are mapped to it") {
    XrayBuffer buffer;
    buffer.extents = {5, 100, 130};
    buffer.rows = buffer.columns = 64;
    for (std::uint64_t element = 0; element < 5 * 100 * 130; element += 37) {
        const CellExtent extent = extent_of_cell(buffer, cell_of_element(buffer, element));
        const std::uint64_t row = element / 130, column = element % 130;
        CHECK(extent.first_row <= row);
        CHECK(row < extent.last_row);
        CHECK(extent.first_column <= column);
        CHECK(column < extent.last_column);
    }
}

TEST_CASE("each line has its executions, what it requests, and its accesses in words") {
    const SourceHeat heat = source_heat(sample_xray());
    const LineHeats& lines = heat.at("");
    CHECK(lines.size() == 4);
    CHECK(lines.at(10).share == doctest::Approx(1));
    CHECK(lines.at(8).share < 1);
    CHECK(lines.at(8).bytes == 2 * 256 * 4);
    const std::vector<std::string>& told = lines.at(10).sentences;
    REQUIRE(told.size() == 4);
    CHECK(told[0] == "4096 executions by work-items, 32 KiB requested");
    CHECK(told[1] == "Lanes of a sub-group diverge here: 50 % active");
    CHECK(told[2] == "load a: broadcast, bank conflicts: 2.00 times the cycles, 100 % of the lanes active");
    CHECK(told[3] ==
          "load B: stride 64, 32.0 sectors of 32 bytes per sub-group access, 12 % used, 100 % of the "
          "lanes active");
}
