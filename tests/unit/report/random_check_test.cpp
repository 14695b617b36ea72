#include "report/random_check.hpp"

#include <doctest/doctest.h>

#include "report/notes.hpp"

using namespace kwb;

TEST_CASE("a check by random vectors tells its chance of missing an error, and which errors that means") {
    const RandomCheck exact{2, 0x1p-34, std::nullopt, 65536};
    CHECK(describe(exact) ==
          "checked by random vectors, as a full reference would take too long: the chance of missing a wrong "
          "element is at most 5.8e-11; 65536 elements were compared one by one");
    const RandomCheck both{32, 0x1p-32, 0.0213, 196608};
    CHECK(describe(both) ==
          "checked by random vectors, as a full reference would take too long: the chance of missing a wrong "
          "element is at most 2.3e-10 (with random inputs, of one that is off by more than 0.021); 196608 "
          "elements were compared one by one");
}

TEST_CASE("below a table it is said how results were checked that were not compared in full") {
    KernelResult result;
    result.kernel = "matmul/tiled";
    result.verdict = Verdict::Correct;
    CHECK(remarks({result}, {}).empty());
    result.random_check = RandomCheck{32, 0x1p-32, 0.02, 70000};
    CHECK(remarks({result}, {}).find("note: matmul/tiled: checked by random vectors") != std::string::npos);
}
