#include "report/numbers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "report/text_layout.hpp"

using namespace kwb;

TEST_CASE("numbers have three significant digits, also where rounding carries") {
    CHECK(format_digits(0) == "0");
    CHECK(format_digits(12.34) == "12.3");
    CHECK(format_digits(0.045612) == "0.0456");
    CHECK(format_digits(1) == "1.00");
    CHECK(format_digits(9.999) == "10.0");
    CHECK(format_digits(99.96) == "100");
    CHECK(format_digits(12345.6) == "12346");
    CHECK(format_digits(-2.5) == "-2.50");
    CHECK(format_digits(3.2e-9) == "3.20e-09");
    CHECK(format_digits(std::nan("")) == "nan");
    CHECK(format_digits(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("a time is told in the unit in which it is at least 1") {
    CHECK(format_time_ms(12.3) == "12.3 ms");
    CHECK(format_time_ms(0.4561) == "456 µs");
    CHECK(format_time_ms(0.00008) == "80.0 ns");
    CHECK(format_time_ms(1200) == "1.20 s");
    CHECK(format_time_ms(75300) == "75.3 s");
    CHECK(format_time_ms(0) == "0 ms");
    CHECK(format_time_ms(0.99996) == "1.00 ms");
    CHECK(format_time_ms(999.6) == "1.00 s");
}

TEST_CASE("an interval shares the unit and the decimals of its value") {
    CHECK(format_time_ms(12.3, Interval{12.1, 12.6}) == "12.3 ms (12.1 – 12.6)");
    CHECK(format_time_ms(1.001, Interval{0.98, 1.2}) == "1.00 ms (0.98 – 1.20)");
    CHECK(format_time_ms(0.89, Interval{0.88, 0.91}) == "890 µs (880 – 910)");
}

TEST_CASE("a speed-up is never a bare ratio") {
    CHECK(format_speedup({"a", 5.1, Interval{4.9, 5.3}}, Wording::Full) == "5.1 (4.9 – 5.3) times as fast");
    CHECK(format_speedup({"a", 5.1, Interval{4.9, 5.3}}, Wording::Short) == "5.1 (4.9 – 5.3)");
    CHECK(format_speedup({"a", 1.01, Interval{0.99, 1.03}}, Wording::Full) == "no difference seen");
    CHECK(format_speedup({"a", 1.0, Interval{1.0, 1.0}}, Wording::Full) == "no difference seen");
    CHECK(format_speedup({"a", 5.1, std::nullopt}, Wording::Full) == "too few rounds to say");
}

TEST_CASE("a narrow interval that excludes 1 is not rounded onto it") {
    CHECK(format_speedup({"a", 1.02, Interval{1.01, 1.03}}, Wording::Short) == "1.02 (1.01 – 1.03)");
    CHECK(format_speedup({"a", 0.996, Interval{0.995, 0.998}}, Wording::Short) == "0.996 (0.995 – 0.998)");
    CHECK(format_speedup({"a", 301.2, Interval{298.8, 303.1}}, Wording::Short) == "301 (298 – 304)");
}

TEST_CASE("an interval that excludes 1 never prints 1, and is rounded outward") {
    CHECK(format_speedup({"a", 0.84, Interval{0.71, 0.98}}, Wording::Full) ==
          "0.84 (0.71 – 0.98) times as fast");
    CHECK(format_speedup({"a", 1.3, Interval{1.004, 1.62}}, Wording::Short) == "1.300 (1.004 – 1.620)");
    CHECK(format_speedup({"a", 1.00004, Interval{1.00001, 1.00007}}, Wording::Short) ==
          "1.00004 (1.00001 – 1.00007)");
    CHECK(format_speedup({"a", 5.13, Interval{4.91, 5.37}}, Wording::Short) == "5.1 (4.9 – 5.4)");
}

TEST_CASE("no difference is told in the same words everywhere") {
    const Speedup same{"a", 1.01, Interval{0.99, 1.03}};
    CHECK(format_speedup(same, Wording::Short) == "no difference seen");
    CHECK(format_speedup(same, Wording::Full) == "no difference seen");
}

TEST_CASE("a bar is as wide as its share, and any share above 0 shows") {
    CHECK(bar(1, 8) == "████████");
    CHECK(bar(0.5, 8) == "████");
    CHECK(bar(1e-9, 8) == "▏");
    CHECK(bar(0, 8) == "");
    CHECK(bar(7, 8) == "████████");
    for (int i = 1; i <= 64; ++i) {
        const std::size_t full = static_cast<std::size_t>(i) / 8 + (i % 8 != 0 ? 1 : 0);
        CHECK(display_width(bar(i / 64.0, 8)) == full);
    }
}

TEST_CASE("an error is told as share of its bound") {
    CHECK(format_error_share(0.0123) == "1.23 % of bound");
    CHECK(format_error_share(12.4) == "12.4 × the bound");
    CHECK(format_error_share(std::nan("")) == "-");
}
