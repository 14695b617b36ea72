// SPDX-License-Identifier: Apache-2.0
// Harmful kernels: each gets its verdict with evidence, and the next run is served normally.
#include "bench.hpp"
#include "support/patience.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

constexpr std::int64_t kM = 17;
constexpr std::int64_t kN = 19;
const Sizes kSizes = sizes_of(kM, kN, 67);

KernelResult check_faulty(const std::string& fault) {
    KernelResult result = bench().check("faulty", kSizes, "FAULT=" + fault);
    bench().require_health();
    return result;
}

}  // namespace

TEST_CASE("the kernel without its fault is right") {
    const KernelResult result = bench().run("faulty", kSizes, "FAULT=none");
    CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
}

TEST_CASE("a write outside of a buffer is out of bounds and names buffer and element") {
    struct Case {
        const char* fault;
        const char* buffer;
        std::int64_t element;
    };
    for (const Case& c : {Case{"past_end", "C", kM * kN},
                          {"before_start", "C", -1},
                          {"far_past_end", "C", kM * kN + 1000},
                          {"past_end_of_scratch", "S", kM + 2}}) {
        CAPTURE(c.fault);
        const KernelResult result = check_faulty(c.fault);
        CHECK(to_string(result.verdict) == "out_of_bounds");
        REQUIRE(result.evidence);
        CHECK(result.evidence->buffer == c.buffer);
        CHECK(result.evidence->access == "write");
        CHECK(result.evidence->element == c.element);
        CHECK(mentions(result.reason, "wrote element " + std::to_string(c.element) + " of " + c.buffer));
    }
}

TEST_CASE("NaN in one element is wrong, with its index") {
    const KernelResult result = check_faulty("not_a_number");
    CHECK(to_string(result.verdict) == "wrong");
    CHECK(result.wrong_elements == 1);
    REQUIRE(result.first_wrong.size() == 1);
    CHECK(result.first_wrong[0].index == std::vector<std::uint64_t>{kM - 1, kN - 1});
    CHECK(mentions(result.reason, "not a finite number"));
}

TEST_CASE("a wrong sign in the last element is wrong, and the error map shows it there") {
    const KernelResult result = check_faulty("wrong_sign");
    CHECK(to_string(result.verdict) == "wrong");
    REQUIRE(result.first_wrong.size() == 1);
    CHECK(result.first_wrong[0].got == -result.first_wrong[0].expected);
    REQUIRE(result.error_map);
    CHECK(result.error_map->rows == kM);
    CHECK(result.error_map->columns == kN);
    for (std::size_t i = 0; i < result.error_map->worst_share.size(); ++i)
        CHECK((result.error_map->worst_share[i] > 1) == (i == kM * kN - 1));
}

TEST_CASE("elements that nobody wrote are wrong, whether all or a corner") {
    const KernelResult nothing = check_faulty("writes_nothing");
    CHECK(to_string(nothing.verdict) == "wrong");
    CHECK(nothing.wrong_elements == kM * kN);
    CHECK(mentions(nothing.reason, "elements of C were never written"));

    const KernelResult corner = check_faulty("skips_corner");
    CHECK(to_string(corner.verdict) == "wrong");
    CHECK(corner.wrong_elements == 4);
    CHECK(corner.first_wrong.at(0).index == std::vector<std::uint64_t>{kM - 2, kN - 2});
    CHECK(mentions(corner.reason, "elements of C were never written"));
}

TEST_CASE("a changed input is wrong and names the input and the element") {
    const KernelResult result = check_faulty("changes_input");
    CHECK(to_string(result.verdict) == "wrong");
    CHECK(mentions(result.reason, "changed its input A, first at A[16][66]"));
    CHECK(result.evidence->buffer == "A");
}

#ifdef __x86_64__  // the kernel counts its runs with a system call
TEST_CASE("right in the first run and wrong in later ones is wrong, and says when") {
    CHECK(bench().check("faulty", kSizes, "FAULT=wrong_later").verdict ==
          Verdict::Correct);  // a check has too few runs
    const KernelResult result = bench().run("faulty", kSizes, "FAULT=wrong_later");
    CHECK(to_string(result.verdict) == "wrong");
    CHECK(mentions(result.reason, "right at first, but wrong in a timed run"));
    CHECK(!result.median_ms);
    bench().require_health();
}

TEST_CASE("an input changed so little that no output shows it is found after the rounds") {
    const KernelResult result = bench().run("faulty", kSizes, "FAULT=changes_input_later");
    CHECK(to_string(result.verdict) == "wrong");
    CHECK(mentions(result.reason, "changed its input A, first at A[0][0]"));
    bench().require_health();
}
#endif

TEST_CASE("what a kernel writes beyond the guard zones, into the driver's own memory, harms nobody else") {
    // A few buffer lengths: far enough to reach the driver's data, but not so far that it crashes
    // immediately.
    const std::string source =
        product_with("if (last) for (int i = 0; i < 12000; ++i) C[M * N + i] = -1.0f;");
    for (int i = 0; i < 4; ++i) {
        const KernelResult result = bench().judge.result_of(request_for(source, kSizes, false));
        CAPTURE(result.reason);
        // What it overwrites is random: the driver may also wait for ever on corrupted data.
        CHECK((result.verdict == Verdict::OutOfBounds || result.verdict == Verdict::KernelCrashed ||
               result.verdict == Verdict::Timeout));
        const KernelResult next = bench().run("matmul/01_naive", kSizes);
        CHECK_MESSAGE(next.verdict == Verdict::Correct, next.reason);
    }
}

TEST_CASE("a wild pointer is a crash of the kernel with its signal") {
    const KernelResult result = check_faulty("wild_pointer");
    CHECK(to_string(result.verdict) == "kernel_crashed");
    REQUIRE(result.evidence);
    CHECK(result.evidence->signal == "SIGSEGV");
    CHECK(result.evidence->stage == "launch");
}

TEST_CASE("an endless loop ends at the timeout") {
    bench().check("faulty", kSizes, "FAULT=none");
    RunRequest request = bench().request("faulty", kSizes, "FAULT=endless");
    const KernelResult result = ask_with_growing_limit(
        3000,  // includes the compilation if the cache is cold
        [&](double ms) {
            request.timeout_ms = ms;
            return bench().judge.result_of(request);
        },
        [](const KernelResult& seen) { return mentions(seen.reason, "damaged the driver's data"); });
    CHECK(to_string(result.verdict) == "timeout");
    CHECK_MESSAGE(mentions(result.reason, "damaged the driver's data"), result.reason);
    bench().require_health();
}

TEST_CASE("stop in an endless kernel is answered, and the next run is served") {
    RunRequest request = bench().request("faulty", kSizes, "FAULT=endless");
    request.timeout_ms = 600'000;
    bench().judge.send(request);
    for (bool checking = false; !checking;) {
        const JudgeEvent event = bench().judge.next_event();
        const auto* progress = std::get_if<Progress>(&event);
        REQUIRE(progress != nullptr);
        checking = mentions(progress->stage, "check");
    }
    bench().judge.send(StopRun{});
    const JudgeAnswer answer = bench().judge.finish();
    REQUIRE(answer.done);
    CHECK(answer.done->stopped);
    CHECK(to_string(answer.results.at(0).verdict) == "skipped");
    // A standby may exist, but no busy runner: see tests/process/judge.
    bench().require_health();
}

TEST_CASE("what a kernel prints is kept beside its result and disturbs nothing") {
    const KernelResult result = check_faulty("prints");
    CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
    CHECK(mentions(result.output, "the first of " + std::to_string(kM * kN) + " is "));
}

TEST_CASE("a crash does not affect the other contestants") {
    RunRequest request = bench().request("matmul/01_naive", kSizes, "", false);
    request.contestants.push_back(bench().request("faulty", kSizes, "FAULT=wild_pointer").contestants[0]);
    request.contestants.push_back(bench().request("faulty", kSizes, "FAULT=none").contestants[0]);
    const JudgeAnswer answer = bench().judge.ask(request);
    REQUIRE(answer.results.size() == 3);
    CHECK(to_string(answer.results[0].verdict) == "correct");
    CHECK(to_string(answer.results[1].verdict) == "kernel_crashed");
    CHECK(to_string(answer.results[2].verdict) == "correct");
    CHECK(answer.results[2].samples_ms.size() == 3);
    CHECK(answer.results[2].speedup.has_value());
    CHECK(!answer.results[1].speedup);
}
