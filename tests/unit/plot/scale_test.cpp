// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "plot/numbers.hpp"
#include "plot/scale.hpp"

namespace kwb::plot {
namespace {

// --- plot/scale.hpp ---

constexpr ScaleKind kNumberKinds[] = {ScaleKind::Linear, ScaleKind::Log2, ScaleKind::Log10};

std::vector<Range> ranges_for(ScaleKind kind) {
    std::vector<Range> ranges;
    for (double size = 1e-12; size < 1e13; size *= 7.3)
        for (const double factor : {1.001, 1.2, 3.0, 50.0, 1e4}) {
            ranges.push_back({size, size * factor});
            if (!is_log(kind)) ranges.push_back({-size, size * factor});
            if (!is_log(kind)) ranges.push_back({0, size * factor});
        }
    return ranges;
}

TEST_CASE("pixels lead back to values, and ends lie at the ends") {
    for (const ScaleKind kind : kNumberKinds)
        for (const Range& range : ranges_for(kind)) {
            const Scale scale(kind, range, 500, 20);
            CAPTURE(range.low);
            CAPTURE(range.high);
            CHECK(scale.to_px(range.low) == doctest::Approx(500));
            CHECK(scale.to_px(range.high) == doctest::Approx(20));
            const double value = scale.from_px(123);
            CHECK(scale.to_exact_px(value) == doctest::Approx(123).epsilon(1e-6));
            const Range half = scale.part(0.25, 0.75);
            CHECK(scale.to_exact_px(half.low) == doctest::Approx(380).epsilon(1e-6));
        }
}

TEST_CASE("a scale refuses empty, infinite and, if logarithmic, non-positive ranges") {
    CHECK_THROWS_AS(Scale(ScaleKind::Linear, {1, 1}, 0, 1), ContractError);
    CHECK_THROWS_AS(Scale(ScaleKind::Linear, {2, 1}, 0, 1), ContractError);
    CHECK_THROWS_AS(Scale(ScaleKind::Linear, {0, HUGE_VAL}, 0, 1), ContractError);
    CHECK_THROWS_AS(Scale(ScaleKind::Log10, {0, 1}, 0, 1), ContractError);
}

TEST_CASE("values far outside stay within a bounded number of pixels") {
    const Scale scale(ScaleKind::Linear, {0, 1e-9}, 0, 1000);
    CHECK(scale.to_px(1e300) <= 18000);
    CHECK(scale.to_px(-1e300) >= -18000);
    CHECK_FALSE(scale.can_place(HUGE_VAL));
    CHECK_FALSE(Scale(ScaleKind::Log2, {1, 2}, 0, 1).can_place(0));
}

TEST_CASE("ticks are within the range, rising, at most as many as wanted, and at least two") {
    for (const ScaleKind kind : kNumberKinds)
        for (const Range& range : ranges_for(kind))
            for (const int most : {2, 3, 5, 8, 12}) {
                CAPTURE(range.low);
                CAPTURE(range.high);
                CAPTURE(most);
                const auto ticks = nice_ticks(kind, range, most);
                int majors = 0;
                for (std::size_t i = 0; i < ticks.size(); ++i) {
                    majors += ticks[i].major;
                    CHECK(ticks[i].value >= range.low - range.span() * 1e-6);
                    CHECK(ticks[i].value <= range.high + range.span() * 1e-6);
                    if (i > 0) CHECK(ticks[i].value > ticks[i - 1].value);
                }
                // Ticks at 2 and 5 within a decade are only labelled if there is room for three times as
                // many.
                CHECK(majors <= most);
                if (most >= 5) CHECK(majors >= 2);
            }
}

TEST_CASE("linear steps are 1, 2 or 5 times a power of ten") {
    for (const Range& range : ranges_for(ScaleKind::Linear)) {
        const auto ticks = nice_ticks(ScaleKind::Linear, range, 6);
        if (ticks.size() < 2 || range.span() < std::abs(range.high) * 1e-2) continue;
        const double step = ticks[1].value - ticks[0].value;
        const double mantissa = step / std::pow(10.0, std::floor(std::log10(step) + 1e-6));
        CAPTURE(step);
        const bool nice =
            std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 || std::abs(mantissa - 5) < 1e-6;
        CHECK(nice);
    }
}

TEST_CASE("labels of one axis are all different and say the tick's value") {
    for (const ScaleKind kind : kNumberKinds)
        for (const Range& range : ranges_for(kind)) {
            auto ticks = nice_ticks(kind, range, 6);
            label_ticks(ticks, kind);
            std::set<std::string> seen;
            for (const Tick& tick : ticks) {
                CAPTURE(range.low);
                CAPTURE(range.high);
                CAPTURE(tick.label);
                if (!tick.major) {
                    CHECK(tick.label.empty());
                    continue;
                }
                CHECK_FALSE(tick.label.empty());
                CHECK(seen.insert(tick.label).second);
            }
        }
}

std::string labels(ScaleKind kind, const Range& range, int most, bool whole = false) {
    auto ticks = nice_ticks(kind, range, most, whole);
    label_ticks(ticks, kind);
    std::string all;
    for (const Tick& tick : ticks)
        if (tick.major) all += (all.empty() ? "" : " | ") + tick.label;
    return all;
}

TEST_CASE("axis labels are written in the usual way") {
    CHECK(labels(ScaleKind::Linear, {0, 21}, 6) == "0 | 5 | 10 | 15 | 20");
    CHECK(labels(ScaleKind::Linear, {0, 0.31}, 4) == "0 | 0.1 | 0.2 | 0.3");
    CHECK(labels(ScaleKind::Linear, {-1, 1}, 5) == "−1.0 | −0.5 | 0 | 0.5 | 1.0");
    CHECK(labels(ScaleKind::Linear, {0, 45000}, 5) == "0 | 10 k | 20 k | 30 k | 40 k");
    CHECK(labels(ScaleKind::Linear, {0, 3e-7}, 4) == "0 | 10⁻⁷ | 2×10⁻⁷ | 3×10⁻⁷");
    CHECK(labels(ScaleKind::Linear, {0, 3}, 8, true) == "0 | 1 | 2 | 3");
    CHECK(labels(ScaleKind::Log2, {60, 9000}, 10) == "64 | 128 | 256 | 512 | 1024 | 2048 | 4096 | 8192");
    CHECK(labels(ScaleKind::Log2, {60, 9000}, 4) == "64 | 256 | 1024 | 4096");
    CHECK(labels(ScaleKind::Log2, {60000, 5e6}, 4) == "65536 | 256 Ki | 1 Mi | 4 Mi");
    CHECK(labels(ScaleKind::Log10, {0.5, 200000}, 10) == "1 | 10 | 100 | 1000 | 10 k | 100 k");
    CHECK(labels(ScaleKind::Log10, {5e-7, 0.02}, 10) == "10⁻⁶ | 10⁻⁵ | 10⁻⁴ | 0.001 | 0.01");
    CHECK(labels(ScaleKind::Log10, {15, 270}, 6) == "20 | 50 | 100 | 200");
    CHECK(labels(ScaleKind::Log10, {0.9, 60}, 10) == "1 | 2 | 5 | 10 | 20 | 50");
}

TEST_CASE("a pleasant range holds its values and is never empty") {
    for (const ScaleKind kind : kNumberKinds)
        for (double low = 1e-9; low < 1e9; low *= 11)
            for (const double factor : {1.0, 1.0000001, 1.5, 1e5}) {
                const Range range = pleasant_range(kind, low, low * factor, false);
                CHECK(range.low <= low);
                CHECK(range.high >= low * factor);
                CHECK(range.low < range.high);
                if (!is_log(kind)) CHECK(pleasant_range(kind, low, low * factor, true).low == 0);
            }
    CHECK(pleasant_range(ScaleKind::Linear, 0, 0, true) == Range{0, 1});
    CHECK(pleasant_range(ScaleKind::Linear, -5, -1, true).high == 0);
}

// --- plot/numbers.hpp ---

TEST_CASE("numbers are short, without zeros at their ends, and with a real minus") {
    const std::vector<std::pair<double, std::string>> cases = {
        {0, "0"},         {-0.0, "0"},      {0.05, "0.05"},     {18.1, "18.1"},       {18.14, "18.1"},
        {5, "5"},         {1200, "1200"},   {1234.4, "1234"},   {12345, "12.3 k"},    {9999.7, "10 k"},
        {4.5e6, "4.5 M"}, {999999, "1 M"},  {7.2e9, "7.2 G"},   {2e-7, "2×10⁻⁷"},     {-3, "−3"},
        {1e20, "10²⁰"},   {0.001, "0.001"}, {0.0009, "9×10⁻⁴"}, {123456789, "123 M"}, {-2.5e4, "−25 k"},
        {1e15, "1 P"}};
    for (const auto& [value, text] : cases) {
        const auto& shown_value = value;
        CAPTURE(shown_value);
        CHECK(format_number(value) == text);
    }
}

TEST_CASE("what is no number is said in words or signs") {
    CHECK(format_number(std::nan("")) == "not a number");
    CHECK(format_number(HUGE_VAL) == "∞");
    CHECK(format_number(-HUGE_VAL) == "−∞");
}

TEST_CASE("units take the prefix that leaves one to three digits before the point") {
    CHECK(format_value(0.0181, "ms") == "18.1 µs");
    CHECK(format_value(1500, "ms") == "1.5 s");
    CHECK(format_value(0.4, "ns") == "0.4 ns");
    CHECK(format_value(7200, "s") == "7200 s");
    CHECK(format_value(1234, "GFLOP/s") == "1.23 TFLOP/s");
    CHECK(format_value(0.5, "GB/s") == "500 MB/s");
    CHECK(format_value(5.1, "×") == "5.1 ×");
    CHECK(format_value(5.1, "FLOP/B") == "5.1 FLOP/B");
    CHECK(format_value(3, "passes") == "3 passes");
    CHECK(format_value(0, "ms") == "0 ms");
    CHECK(format_value(3, "") == "3");
    CHECK(choose_unit("ms", 0.02).unit == "µs");
    CHECK(choose_unit("ms", 0.02).factor == doctest::Approx(1000));
    CHECK(choose_unit("us", 2000).unit == "ms");
    CHECK(choose_unit("ms", std::nan("")).unit == "ms");
}

TEST_CASE("both ends of an interval share a unit and have enough digits to differ") {
    CHECK(format_interval({0.0179, 0.0183}, "ms") == "17.9 – 18.3 µs");
    CHECK(format_interval({18.101, 18.104}, "ms") == "18.101 – 18.104 ms");
    CHECK(format_interval({2, 2}, "ms") == "2 – 2 ms");
    CHECK(format_interval({0.9, 1.1}, "ms") == "0.9 – 1.1 ms");
}

TEST_CASE("a written number is within half of its last digit of the value") {
    for (double value = 1e-12; value < 1e17; value *= 1.37) {
        CAPTURE(value);
        std::string text = format_number(value, 4);
        double factor = 1;
        const std::string names = "kMGTP";
        if (const auto at = names.find(text.back()); at != std::string::npos) {
            factor = std::pow(1000.0, static_cast<double>(at + 1));
            text.resize(text.size() - 2);
        }
        if (text.find("10⁻") != std::string::npos || text.find("×") != std::string::npos) continue;
        CHECK(std::stod(text) * factor == doctest::Approx(value).epsilon(0.0006));
    }
}

}  // namespace
}  // namespace kwb::plot
