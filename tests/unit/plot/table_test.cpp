// SPDX-License-Identifier: Apache-2.0
#include "plot/table.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "sample_charts.hpp"

namespace kwb::plot {
namespace {

TEST_CASE("bars become a line each, with unit, interval, and why one is missing") {
    CHECK(to_table(test::time_bars(3, 5)) ==
          "name\ttime [ms]\tinterval from\tto\tmissing\n"
          "naive\t20\t19.4\t20.8\t\n"
          "tiled 8×8\t10\t9.7\t10.4\t\n"
          "matmul/tiled_local_memory_16x16\t\t\t\twrong\n");
}

TEST_CASE("an earlier run is told apart from the present one") {
    const std::string table = to_table(test::with_ghosts(test::time_bars(3, 0)));
    CHECK(table.starts_with("name\tof\ttime [ms]\t"));
    CHECK(table.find("naive\t\t20\t") != std::string::npos);
    CHECK(table.find("naive\tearlier run of 2026-11-20 14:02\t24\t") != std::string::npos);
}

TEST_CASE("lines become columns over the sizes of all of them, without the hidden ones") {
    Chart chart = test::sweep_lines(3);
    for (Series& series : chart.series)
        for (LinePoint& point : std::get<Line>(series.data).points) point.band.reset();
    std::get<Line>(chart.series[0].data).points.resize(2);
    std::get<Line>(chart.series[1].data).points = {{128, 5, {}}, {100, 4, {}}};
    std::get<Line>(chart.series[0].data).points[0].y = 1;
    std::get<Line>(chart.series[0].data).points[1].y = 2;
    ChartView view;
    view.toggle(chart.series[2].name);
    CHECK(to_table(chart, view) ==
          "matrix size N\tnaive [GFLOP/s]\ttiled 8×8 [GFLOP/s]\n"
          "64\t1\t\n"
          "100\t\t4\n"
          "128\t2\t5\n");
}

TEST_CASE("every chart gives a rectangle of cells, and an empty one nothing") {
    for (const auto& [name, chart] : test::sample_charts()) {
        const auto& shown_name = name;
        CAPTURE(shown_name);
        const std::string table = to_table(chart);
        CHECK(table.empty() == !has_data(chart));
        std::size_t begin = 0, tabs = std::string::npos;
        while (begin < table.size()) {
            const std::size_t end = table.find('\n', begin);
            REQUIRE(end != std::string::npos);
            const auto here =
                static_cast<std::size_t>(std::count(table.begin() + static_cast<std::ptrdiff_t>(begin),
                                                    table.begin() + static_cast<std::ptrdiff_t>(end), '\t'));
            if (tabs == std::string::npos) tabs = here;
            CHECK(here == tabs);
            begin = end + 1;
        }
    }
}

}  // namespace
}  // namespace kwb::plot
