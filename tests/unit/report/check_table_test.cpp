#include "report/check_table.hpp"

#include <doctest/doctest.h>

#include "unit/report/lines.hpp"
#include "unit/report/sample.hpp"

using namespace kwb;

namespace {

KernelResult at(KernelResult result, std::int64_t m, std::int64_t n, std::int64_t k) {
    result.size = {{"M", m}, {"N", n}, {"K", k}};
    return result;
}

std::vector<KernelResult> both() {
    return {at(sample::naive(), 1, 7, 3), sample::naive(), at(sample::wrong(), 1, 7, 3), sample::wrong()};
}

}  // namespace

TEST_CASE("a check shows a row for each kernel and size, and tells a fault once") {
    CHECK(check_table(both(), {true, false, 110}) ==
          "kernel                    size         worst error      verdict  first wrong\n"
          "matmul/naive              M=1 N=7 K=3  1.23 % of bound  correct\n"
          "                          512          1.23 % of bound  correct\n"
          "matmul/unguarded TILE=16  M=1 N=7 K=3  not finite       wrong    C[16,0]: expected 12, got nan\n"
          "                          512          not finite       wrong    C[16,0]: expected 12, got nan\n"
          "\n"
          "matmul/naive: 2 of 2 sizes correct\n"
          "matmul/unguarded TILE=16: 0 of 2 sizes correct\n"
          "\n"
          "matmul/unguarded TILE=16 at M=1 N=7 K=3 and 1 more size: wrong\n"
          "  17 elements of C differ from the reference.\n"
          "  first wrong elements:\n"
          "    C[16,0]: expected 12, got nan\n"
          "    C[16,1]: expected -3.5, got 1e+30\n");
}

TEST_CASE("every line of a check's table fits from 60 columns, verdicts whole") {
    auto results = both();
    results.push_back(sample::rejected());
    for (unsigned width = 60; width <= 140; ++width) {
        const auto lines = table_lines(check_table(results, {width % 2 == 0, width % 3 == 0, width}));
        CAPTURE(width);
        CHECK(widest(lines) <= width);
        CHECK(lines.back().find("compile_error") != std::string::npos);
    }
}

TEST_CASE("a kernel that is wrong where its file says so is as expected") {
    auto results = both();
    results[2].expected = results[3].expected = Expectation{{Verdict::Wrong}, "the edge is not guarded"};
    const std::string text = check_table(results, {true, false, 110});
    CHECK(text.find("0 of 2 sizes correct, all as expected\n") != std::string::npos);
    results[3].expected.reset();
    CHECK(check_table(results, {true, false, 110}).find("0 of 2 sizes correct, 1 not as expected\n") !=
          std::string::npos);
}
