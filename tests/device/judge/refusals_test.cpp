// SPDX-License-Identifier: Apache-2.0
// Kernels that are rejected before they run, with helpful messages.
#include "bench.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

const Sizes kSizes = sizes_of(17, 19, 23);

KernelResult check_refused(int number) {
    KernelResult result = bench().check("refused", kSizes, "CASE=" + std::to_string(number));
    bench().require_health();
    return result;
}

}  // namespace

TEST_CASE("source that does not compile shows file, line, column, and the line with a caret") {
    const KernelResult result = bench().check("syntax_error", kSizes);
    CHECK(to_string(result.verdict) == "compile_error");
    CHECK(mentions(result.reason, "tests/device/kernels/syntax_error.cl:12:19: "));
    CHECK(mentions(result.reason, "undeclared_thing"));
    const std::size_t line = result.reason.find("    C[x] = A[x] + undeclared_thing;");
    const std::size_t caret = result.reason.find('^');
    REQUIRE(line != std::string::npos);
    REQUIRE(caret != std::string::npos);
    CHECK(caret > line);
    REQUIRE(!result.diagnostics.empty());
    CHECK(result.diagnostics[0].line == 12);
    CHECK(result.diagnostics[0].column == 19);
    CHECK(result.diagnostics[0].severity == Severity::Error);
    CHECK(!result.log.empty());
    bench().require_health();
}

TEST_CASE("an argument that the problem does not know names those there are") {
    const KernelResult result = check_refused(1);
    CHECK(to_string(result.verdict) == "constraint");
    CHECK(mentions(result.reason, "argument 'D' of unknown_argument"));
    CHECK(mentions(result.reason, "A, B, C, M, N, K"));
}

TEST_CASE("a missing kernel function names those there are") {
    const KernelResult result = check_refused(2);
    CHECK(to_string(result.verdict) == "launch_error");
    CHECK(mentions(result.reason, "no kernel function 'multiplyy'"));
    CHECK(mentions(result.reason, "Did you mean multiply?"));
}

TEST_CASE("local memory beyond the device's is a constraint, declared or asked for") {
    for (const int number : {3, 5}) {
        CAPTURE(number);
        const KernelResult result = check_refused(number);
        CHECK_MESSAGE(to_string(result.verdict) == "constraint", result.reason);
        CHECK(mentions(result.reason, "local memory"));
    }
}

TEST_CASE("a work-group other than the source demands is a constraint") {
    const KernelResult result = check_refused(4);
    CHECK_MESSAGE(to_string(result.verdict) == "constraint", result.reason);
    CHECK(mentions(result.reason, "reqd_work_group_size"));
    CHECK(mentions(result.reason, "8x8"));
}

TEST_CASE("a pointer to another type is refused instead of misread") {
    const KernelResult result = check_refused(6);
    CHECK(to_string(result.verdict) == "launch_error");
    CHECK(mentions(result.reason, "int"));
    CHECK(mentions(result.reason, "misread"));
}
