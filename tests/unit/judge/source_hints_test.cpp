#include "judge/build/source_hints.hpp"

#include <doctest/doctest.h>

using namespace kwb;

TEST_CASE("a verdict that a hint may explain refers to its line, others do not") {
    const std::vector<Hint> one = {{14, "a barrier that not all work-items reach"}};
    for (const Verdict verdict :
         {Verdict::KernelCrashed, Verdict::CompilerCrashed, Verdict::Timeout, Verdict::Wrong})
        CHECK(refer_to_hints(verdict, one) == "; see the hint at line 14");
    for (const Verdict verdict : {Verdict::Correct, Verdict::CompileError, Verdict::OutOfBounds,
                                  Verdict::Constraint, Verdict::Skipped})
        CHECK(refer_to_hints(verdict, one).empty());
    CHECK(refer_to_hints(Verdict::Wrong, {}).empty());
}

TEST_CASE("several hints are referred to by their lines, each once") {
    CHECK(refer_to_hints(Verdict::Wrong, {{3, "a"}, {9, "b"}, {9, "c"}}) ==
          "; see the hints at lines 3 and 9");
    CHECK(refer_to_hints(Verdict::Wrong, {{9, "b"}, {9, "c"}}) == "; see the hint at line 9");
}
