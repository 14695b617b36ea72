#include "report/xray_summary.hpp"
#include "model/xray_words.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "report/xray_report.hpp"
#include "support/sample_xray.hpp"

using namespace kwb;

TEST_CASE("totals are extended from the observed groups to all of them, by launch") {
    XrayReport report = test::sample_xray();
    const XrayTotals whole = totals_of(report);
    CHECK(whole.requested_bytes == 4.0 * (256 + 16 * 256 + 256));
    CHECK(whole.sector_bytes == 32.0 * (8 * 4 + 128 * 32 + 8 * 4));
    CHECK(whole.loads == 256 + 16 * 256);
    report.launches[0].groups *= 10;
    const XrayTotals sampled = totals_of(report);
    CHECK(sampled.requested_bytes == 10 * whole.requested_bytes);
    CHECK(sampled.barriers == 10 * whole.barriers);
    report.launches[0].observed_groups = 0;
    CHECK(totals_of(report).loads == 0);
}

TEST_CASE("an element counts as a load, also where a vector loads several") {
    XrayReport report = test::sample_xray();
    for (XraySite& site : report.sites) site.width_bytes = 16, site.requested_bytes *= 4;
    CHECK(totals_of(report).loads == 4 * (256 + 16 * 256));
}

TEST_CASE("a place is read back from its text") {
    for (const XrayPlace& place :
         {XrayPlace{"", 49, 19}, XrayPlace{"tile.h", 3, 5}, XrayPlace{"a:b/c 1.h", 3, 5}})
        CHECK(place_from(place_text(place)) == place);
    CHECK(place_from("nowhere").line == 0);
    CHECK(place_from("").line == 0);
}

TEST_CASE("rows of accesses have the places that a click goes to") {
    const std::vector<ObservedKernel> kernels = {{"k", "k.cl", {}, 1e6, 1e3, test::sample_xray()}};
    const std::vector<XrayTable> tables = xray_tables(kernels);
    const auto table = std::ranges::find(tables, "Accesses of k", &XrayTable::title);
    REQUIRE(table != tables.end());
    REQUIRE(table->places.size() == table->columns.front().cells.size());
    CHECK(table->places[0] == XrayPlace{"", 9, 10});
    CHECK(tables.front().places.empty());
}
