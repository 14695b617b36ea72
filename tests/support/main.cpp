// SPDX-License-Identifier: Apache-2.0
// The main function of all tests. Tests use their own OpenCL driver and its caches, whatever a person has
// chosen.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <stdlib.h>

#include <cstdio>
#include <string>

#include "support/skip.hpp"

namespace {

constexpr int kSkipped = 77;  // SKIP_RETURN_CODE in tests/CMakeLists.txt

bool is_skipped = false;
bool runs_nothing = false;

struct Counter : doctest::IReporter {
    explicit Counter(const doctest::ContextOptions&) {}
    void test_run_end(const doctest::TestRunStats& run) override {
        runs_nothing = run.numTestCasesPassingFilters == 0;
    }
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_case_start(const doctest::TestCaseData&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};
DOCTEST_REGISTER_LISTENER("counter", 1, Counter);

}  // namespace

void kwb::test::skip(std::string_view why) {
    is_skipped = true;
    std::printf("skipped: %s\n", std::string(why).c_str());
}

int main(int count, char** arguments) {
    ::setenv("OCL_ICD_VENDORS", KWB_TEST_VENDORS, 1);
    ::unsetenv("POCL_CACHE_DIR");
    const int outcome = doctest::Context(count, arguments).run();
    if (runs_nothing) std::fprintf(stderr, "no test has such a name: --list-test-cases lists them\n");
    if (outcome != 0 || runs_nothing) return outcome != 0 ? outcome : 1;
    return is_skipped ? kSkipped : 0;
}
