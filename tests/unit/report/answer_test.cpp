// SPDX-License-Identifier: Apache-2.0
// The answer of a comparison in one line.
#include "report/answer.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace kwb::test {
namespace {

KernelResult timed(double median_ms, double over_baseline, Interval interval) {
    KernelResult result;
    result.verdict = Verdict::Correct;
    result.samples_ms.assign(24, median_ms);
    result.median_ms = median_ms;
    result.ci95_ms = Interval{median_ms * 0.99, median_ms * 1.01};
    result.speedup = Speedup{"naive", over_baseline, interval};
    return result;
}

KernelResult baseline(double median_ms = 10) {
    KernelResult result = timed(median_ms, 1, {1, 1});
    result.speedup.reset();
    return result;
}

KernelResult faulty(Verdict verdict) {
    KernelResult result;
    result.verdict = verdict;
    result.reason = "the index is one off";
    return result;
}

struct Told {
    Answer answer;
    std::string line, detail;
};

Told tell(const std::vector<KernelResult>& results, std::size_t base = 0) {
    const std::vector<std::string> labels = {"naive", "tiled", "vector4"};
    const Answer answer = answer_of(results, base);
    return {answer, headline(answer, results, labels), headline_detail(answer, results)};
}

TEST_CASE("the faster kernel is named, with its factor and the interval of the factor") {
    const Told told = tell({baseline(), timed(7.46, 1.34, {1.312, 1.368})});
    CHECK(told.answer.kind == Answer::Kind::Faster);
    CHECK(told.line == "tiled is 1.34× as fast as naive");
    CHECK(told.detail == "1.31 – 1.37 is the 95 % interval of the ratio, 24 rounds");
}

TEST_CASE("a baseline that is faster than all others is the answer") {
    const Told told = tell({baseline(), timed(20, 0.5, {0.48, 0.52}), timed(40, 0.25, {0.24, 0.26})});
    CHECK(told.answer.subject == 0);
    CHECK(told.line == "naive is 2.00× as fast as tiled");
    CHECK(told.detail.find("1.92 – 2.09") == 0);  // rounded outward
}

TEST_CASE("reasons are about kernels, also where the CPU's library is the fastest") {
    KernelResult library = timed(0.1, 100, {90, 110});
    library.kernel = "cpu:blas";
    const std::vector<KernelResult> results = {baseline(), timed(5, 2, {1.9, 2.1}), library};
    CHECK(answer_of(results, 0).subject == 2);
    CHECK(answer_among_kernels(results, 0).subject == 1);
    CHECK(answer_among_kernels(results, 0).factor->value == 2);
    CHECK(answer_among_kernels(results, 2).kind == Answer::Kind::None);
    CHECK_FALSE(answer_among_kernels(std::vector{baseline(), library}, 0).factor);
}

TEST_CASE("of several kernels the fastest without a fault is compared with the baseline") {
    const Told told = tell({baseline(), faulty(Verdict::Wrong), timed(5, 2, {1.99, 2.01})});
    CHECK(told.answer.subject == 2);
    CHECK(told.line == "vector4 is 2.00× as fast as naive");
}

TEST_CASE("a fault is the answer if there is nothing to compare") {
    CHECK(tell({baseline(), faulty(Verdict::Wrong)}).line == "tiled is wrong");
    CHECK(tell({baseline(), faulty(Verdict::Wrong)}).detail == "the index is one off");
    CHECK(tell({faulty(Verdict::CompileError), timed(1, 1, {1, 1})}).line == "naive does not compile");
    CHECK(tell({faulty(Verdict::Timeout)}).line == "naive timed out");
}

TEST_CASE("a result that only luck makes right is called so where it was compared, and its cause is short") {
    KernelResult lucky = faulty(Verdict::Undefined);
    lucky.finding =
        Finding{.code = FindingCode::DataRace,
                .place = "53:20",
                .texts = {{"access", "read"}, {"first_access", "write"}, {"first_place", "49:9"}}};
    CHECK(tell({baseline(), lucky}).line ==
          "tiled has undefined behaviour");  // nothing defines what is right
    lucky.wrong_elements = 0;
    CHECK(tell({baseline(), lucky}).line == "tiled is right only by luck");
    CHECK(tell({baseline(), lucky}).detail == "nothing waits between line 53 (reads) and line 49 (writes)");
    lucky.finding.reset();
    CHECK(tell({baseline(), lucky}).detail == "the index is one off");
}

TEST_CASE("an interval that includes 1 is no difference if it is narrow, and noise otherwise") {
    CHECK(tell({baseline(), timed(10, 1, {0.98, 1.02})}).line ==
          "No difference seen between tiled and naive");
    const Told noisy = tell({baseline(), timed(9, 1.1, {0.8, 1.4})});
    CHECK(noisy.answer.kind == Answer::Kind::TooNoisy);
    CHECK(noisy.line == "Too noisy to compare tiled with naive");
    KernelResult few = timed(9, 1.1, {0.8, 1.4});
    few.speedup->interval.reset();
    few.samples_ms = {9, 9};
    CHECK(tell({baseline(), few}).line == "Too few rounds to compare tiled with naive");
    CHECK(tell({baseline(), few}).detail == "2 rounds are too few for an interval");
    few.samples_ms = {9};
    CHECK(tell({baseline(), few}).detail == "1 round is too few for an interval");
}

TEST_CASE("nothing is said of kernels that were measured against another baseline") {
    KernelResult other = timed(9, 1.1, {1.05, 1.15});
    other.speedup.reset();
    CHECK(tell({baseline(), other}).line.empty());
}

TEST_CASE("a fault that the file announces is told as such") {
    KernelResult lesson = faulty(Verdict::Wrong);
    lesson.expected = Expectation{{Verdict::Wrong}, "the barrier is missing"};
    CHECK(tell({baseline(), lesson}).line == "tiled is wrong, as its file expects");
}

TEST_CASE("a kernel alone is told with its time") {
    const Told told = tell({baseline(80.5)});
    CHECK(told.line == "naive takes 80.5 ms");
    CHECK(told.detail == "79.7 – 81.3 is the 95 % interval of the median, 24 rounds");
}

TEST_CASE("nothing is said before every result is judged, or without times") {
    KernelResult open = timed(5, 2, {1.9, 2.1});
    open.judged = false;
    CHECK(tell({baseline(), open}).line.empty());
    CHECK(tell({}).line.empty());
    KernelResult checked = baseline();
    checked.median_ms.reset();
    CHECK(tell({checked}).line == "Nothing was timed");
    CHECK(tell({checked, checked}).line == "Nothing was timed");
}

}  // namespace
}  // namespace kwb::test
