// SPDX-License-Identifier: Apache-2.0
#include "report/xray_summary.hpp"
#include "model/xray_words.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/xray_report.hpp"
#include "support/sample_xray.hpp"
#include "unit/report/sample.hpp"

using namespace kwb;

TEST_CASE("totals are those of whole launches, however many work-groups were observed") {
    XrayReport report = test::sample_xray();
    const XrayTotals whole = totals_of(report);
    CHECK(whole.requested_bytes == 4.0 * (256 + 16 * 256 + 256));
    CHECK(whole.sector_bytes == 32.0 * (8 * 4 + 128 * 32 + 8 * 4));
    CHECK(whole.loads == 256 + 16 * 256);
    report.launches[0].groups *= 10;
    const XrayTotals sampled = totals_of(report);
    CHECK(sampled.requested_bytes == whole.requested_bytes);
    CHECK(sampled.barriers == whole.barriers);
}

TEST_CASE("tables say what is estimated, and are silent about what is not known") {
    const auto cell = [](const ObservedKernel& kernel, std::size_t table, const std::string& row,
                         std::size_t column) -> std::string {
        const XrayTable shown = xray_tables(std::vector{kernel}).at(table);
        const auto& names = shown.columns[0].cells;
        const auto at = std::ranges::find(names, row);
        return at == names.end() ? "none"
                                 : shown.columns[column].cells[static_cast<std::size_t>(at - names.begin())];
    };
    ObservedKernel kernel = {"k", "k.cl", {}, 1e6, 1e3, test::sample_xray()};
    const std::string loads = cell(kernel, 1, "A", 2);
    CHECK(loads.find('~') == std::string::npos);
    for (XrayBuffer& buffer : kernel.report.buffers) buffer.basis = CountBasis::Estimated;
    CHECK(cell(kernel, 1, "A", 2) == "~" + loads);
    CHECK(xray_terms(std::vector{kernel}).find("~: estimated") != std::string::npos);
    for (XrayBuffer& buffer : kernel.report.buffers) buffer.basis = CountBasis::Partial;
    CHECK(cell(kernel, 1, "A", 2) == "-");
    CHECK(cell(kernel, 0, "global traffic, requested", 1) == "-");
    CHECK(cell(kernel, 0, "global loads per multiply-add (2 flops)", 1) == "none");
    kernel.is_multiply_adds = true;
    CHECK(cell(kernel, 0, "global loads per multiply-add (2 flops)", 1) == "-");
    kernel.report = test::sample_xray();
    CHECK(cell(kernel, 0, "global loads per multiply-add (2 flops)", 1) != "-");
}

TEST_CASE(
    "where work-groups were sampled, the table of buffers and the terms report that counts are scaled") {
    ObservedKernel kernel = {"k", "k.cl", {}, 1e6, 1e3, test::sample_xray()};
    constexpr const char* kScaled = "scaled to the whole launch";
    const auto says_scaled = [&] {
        const std::vector<ObservedKernel> kernels = {kernel};
        const bool title = xray_tables(kernels).at(1).title.find(kScaled) != std::string::npos;
        CHECK((xray_terms(kernels).find(kScaled) != std::string::npos) == title);
        CHECK((xray_text(kernels, {}).find(kScaled) != std::string::npos) == title);
        return title;
    };
    CHECK(!says_scaled());
    kernel.report.launches[0].groups *= 10;
    CHECK(says_scaled());
}

TEST_CASE("tables of several kernels fit the terminal, each part with the columns that name its rows") {
    std::vector<ObservedKernel> kernels;
    for (const char* label : {"matmul/naive", "matmul/tiled TILE=16", "matmul/register_blocked WM=4 WN=8"})
        kernels.push_back({label, "k.cl", {}, 1e6, 1e3, test::sample_xray()});
    for (unsigned width = 80; width <= 240; ++width) {
        const std::string text = xray_text(kernels, {.width = width});
        const std::size_t end = text.find("Accesses of");
        CAPTURE(width);
        for (const std::string& line : split_lines(text.substr(0, end)))
            CHECK(display_width(line) <= std::max<std::size_t>(width, line.starts_with("Mean") ? 100 : 0));
        for (const ObservedKernel& kernel : kernels)
            CHECK(text.find("stores, " + kernel.label) != std::string::npos);
        if (width == 80 || width == 240) CHECK((occurrences(text, "buffer  memory") > 1) == (width == 80));
    }
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
