#include "judge/verify/output_reference.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace kwb {

TEST_CASE("expected values that are not finite are counted for each output that has some") {
    PassData data;
    data.outputs.push_back({"y", {{1, NAN, INFINITY, -INFINITY}, {}}});
    data.outputs.push_back({"z", {{1, 2, 1e300}, {}}});
    data.outputs.push_back({"w", {{NAN}, {}}});
    const std::vector<std::string> said = describe_unchecked(data, kNoCheckpoint);
    REQUIRE(said.size() == 2);
    CHECK(
        said[0] ==
        "3 of 4 expected values of y are not finite: nothing but that is checked there; fill the inputs with "
        "other numbers to see more");
    CHECK(said[1].starts_with("1 of 1 expected values of w are not finite"));
}

}  // namespace kwb
