#include "report/sayings.hpp"

#include <doctest/doctest.h>

#include "stats/noise.hpp"
#include "unit/report/lines.hpp"

using namespace kwb;

namespace {

const TableOptions kWide = {true, false, 300};

std::string noise(double scatter) {
    std::vector<double> rounds;
    for (const double step : {1, -2, 2, -1, 2, -2, 1, -1, -2, 2}) rounds.push_back(10 + scatter * step);
    const auto found = stats::find_noise(rounds);
    REQUIRE(found.size() == 1);
    return found.front().sentence;
}

}  // namespace

TEST_CASE("the same scatter of several kernels is one warning with the range and one advice") {
    Sayings sayings;
    sayings.add(noise(1), "a");
    sayings.add(noise(2), "b");
    sayings.add(noise(1.5), "c");
    sayings.merge_numbers();
    const std::string text = sayings.render("warning", kWide);
    CHECK(split_lines(text).size() == 1);
    CHECK(text.starts_with("warning: a, b and c: Times scatter: half of the rounds are "));
    CHECK(text.find("–") != std::string::npos);
    CHECK(occurrences(text, "Close other programs") == 1);
}

TEST_CASE("ranges are ordered by value and survive a third number") {
    Sayings sayings;
    sayings.add("It is 9 % slower. Wait.", "a");
    sayings.add("It is 10 % slower. Wait.", "b");
    sayings.add("It is 8 % slower. Wait.", "c");
    sayings.merge_numbers();
    CHECK(sayings.render("warning", kWide) == "warning: a, b and c: It is 8–10 % slower. Wait.\n");
}

TEST_CASE("different findings with the same advice stay apart, the advice follows the last") {
    Sayings sayings;
    sayings.add("Times scatter. Close other programs.", "a");
    sayings.add("Rounds are few.", "b");
    sayings.add("Some rounds are far from the others. Close other programs.", "b");
    CHECK(sayings.render("warning", kWide) ==
          "warning: a: Times scatter.\n"
          "warning: b: Some rounds are far from the others.\n"
          "  Close other programs.\n"
          "warning: b: Rounds are few.\n");
}

TEST_CASE("numbers that are no measures are never merged") {
    Sayings sayings;
    sayings.add("Line 12 is odd. Look at it.", "a");
    sayings.add("Line 13 is odd. Look at it.", "b");
    sayings.merge_numbers();
    CHECK(sayings.render("warning", kWide) ==
          "warning: a: Line 12 is odd.\nwarning: b: Line 13 is odd.\n  Look at it.\n");
}
