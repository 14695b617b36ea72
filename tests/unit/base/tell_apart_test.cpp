#include "base/text.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace kwb;

namespace {

std::string told(double first, double second) {
    const NumberTexts texts = tell_apart(first, second, 7);
    return texts.first + " " + texts.second;
}

}  // namespace

TEST_CASE("numbers that differ have the digits that tell them apart") {
    CHECK(told(0.5, -3.25) == "0.5 -3.25");
    CHECK(told(12345678, 12345679) == "12345678 12345679");
    CHECK(told(0.1, static_cast<double>(0.1f)) == "0.1 0.100000001");
    CHECK(told(1, std::nextafter(1, 2)) == "1 1.0000000000000002");
    const double small = 1.5e-40;
    const NumberTexts texts = tell_apart(small, std::nextafter(small, 1), 7);
    CHECK(texts.first != texts.second);
    CHECK(std::stod(texts.first) == small);
}

TEST_CASE("equal numbers need no more digits, and a nan has no sign") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(told(1.0 / 3, 1.0 / 3) == "0.3333333 0.3333333");
    CHECK(told(nan, -nan) == "nan nan");
    CHECK(told(std::numeric_limits<double>::infinity(), 1) == "inf 1");
}
