#include "model/result.hpp"

#include <doctest/doctest.h>

using namespace kwb;

TEST_CASE("without an expectation only correct is as expected") {
    KernelResult result;
    for (const std::string& name : enum_names<Verdict>()) {
        result.verdict = *parse_enum<Verdict>(name);
        CHECK(result.as_expected() == (name == "correct"));
    }
}

TEST_CASE("with an expectation any of its verdicts is, and correct is not unless listed") {
    KernelResult result;
    result.expected = Expectation{{Verdict::Wrong, Verdict::OutOfBounds}, "the edge is not guarded"};
    result.verdict = Verdict::OutOfBounds;
    CHECK(result.as_expected());
    result.verdict = Verdict::Correct;
    CHECK(!result.as_expected());
    result.verdict = Verdict::Timeout;
    CHECK(!result.as_expected());
}
