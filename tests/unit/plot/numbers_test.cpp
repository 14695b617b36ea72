#include "plot/numbers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace kwb::plot {
namespace {

TEST_CASE("numbers are short, without zeros at their ends, and with a real minus") {
    const std::vector<std::pair<double, std::string>> cases = {
        {0, "0"},         {-0.0, "0"},      {0.05, "0.05"},     {18.1, "18.1"},       {18.14, "18.1"},
        {5, "5"},         {1200, "1200"},   {1234.4, "1234"},   {12345, "12.3 k"},    {9999.7, "10 k"},
        {4.5e6, "4.5 M"}, {999999, "1 M"},  {7.2e9, "7.2 G"},   {2e-7, "2×10⁻⁷"},     {-3, "−3"},
        {1e20, "10²⁰"},   {0.001, "0.001"}, {0.0009, "9×10⁻⁴"}, {123456789, "123 M"}, {-2.5e4, "−25 k"},
        {1e15, "1 P"}};
    for (const auto& [value, text] : cases) {
        CAPTURE(value);
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
