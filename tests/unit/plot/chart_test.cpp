#include "plot/chart.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace kwb::plot {
namespace {

TEST_CASE("quartiles and whiskers interpolate between samples, in any order") {
    std::vector<double> samples;
    for (int i = 100; i >= 0; --i) samples.push_back(i);
    const Box box = make_box(2, samples);
    CHECK(box.category == 2);
    CHECK(box.whisker_low == doctest::Approx(5));
    CHECK(box.quartile_low == doctest::Approx(25));
    CHECK(box.median == doctest::Approx(50));
    CHECK(box.quartile_high == doctest::Approx(75));
    CHECK(box.whisker_high == doctest::Approx(95));
    CHECK(box.samples == samples);
    CHECK(make_box(0, {1, 2}).median == doctest::Approx(1.5));
}

TEST_CASE("a box of no finite samples is missing with its reason") {
    CHECK(make_box(0, {}).missing == "no samples");
    CHECK(make_box(0, {std::nan(""), HUGE_VAL}).missing == "no samples");
    CHECK(make_box(0, {std::nan(""), 3}).median == 3);
}

TEST_CASE("reasons are data, and reference lines alone are not unless they are ceilings") {
    Chart chart;
    CHECK_FALSE(has_data(chart));
    chart.series.push_back({"baseline", 0, Rule{Rule::Kind::Horizontal, 1, {}, {}, "1"}});
    CHECK_FALSE(has_data(chart));
    chart.series.push_back({"nothing", 0, Bars{{Bar{}}}});
    chart.series.push_back({"nan", 0, Line{{{1, std::nan(""), {}}}}});
    CHECK_FALSE(has_data(chart));
    chart.series.push_back({"wrong", 0, Bars{{{.missing = "wrong"}}}});
    CHECK(has_data(chart));
    chart.series.clear();
    chart.series.push_back({"peak", 0, Rule{Rule::Kind::Horizontal, 1, {}, {}, "peak", true}});
    CHECK(has_data(chart));
}

}  // namespace
}  // namespace kwb::plot
