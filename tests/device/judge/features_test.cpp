// SPDX-License-Identifier: Apache-2.0
// Features of kernel files that the shipped kernels do not need, each tested by a kernel that is wrong
// without the feature.
#include "bench.hpp"
#include "judge/whatif/near_subscripts.hpp"
#include "source/read.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

const Sizes kSizes[] = {sizes_of(1, 1, 1),   sizes_of(31, 31, 31), sizes_of(17, 33, 29),
                        sizes_of(1, 65, 16), sizes_of(65, 1, 16),  sizes_of(3, 5, 203)};

void check_everywhere(const std::string& kernel, const std::string& param = "") {
    for (const Sizes& sizes : kSizes) {
        CAPTURE(to_string(sizes));
        const KernelResult result = bench().check(kernel, sizes, param);
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
    }
}

}  // namespace

TEST_CASE("two launches with a scratch buffer between them, in timed runs too") {
    check_everywhere("transpose_first");
    const KernelResult result = bench().run("transpose_first", sizes_of(33, 17, 29));
    CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
    REQUIRE(result.launches.size() == 2);
    CHECK(result.launches[0].kernel == "transpose");
    for (const LaunchResult& launch : result.launches) CHECK(launch.median_ms.value_or(0) > 0);
}

TEST_CASE("an output that starts at zero before every run, also before the repeated ones") {
    check_everywhere("slices");
    const KernelResult result = bench().run("slices", sizes_of(17, 33, 29));
    CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);

    RunRequest without = bench().request("slices", sizes_of(17, 33, 29));
    without.contestants[0].kernel->init.clear();
    CHECK(bench().judge.result_of(without).verdict == Verdict::Wrong);
}

TEST_CASE("bindings that differ between launches decide what each works on") {
    RunRequest same = bench().request("slices", sizes_of(17, 33, 29));
    same.contestants[0].kernel->launches[1].args = same.contestants[0].kernel->launches[0].args;
    CHECK(bench().judge.result_of(same).verdict == Verdict::Wrong);
}

TEST_CASE("repeat and swap: an even and an odd number of turns end in the right buffer") {
    check_everywhere("ping_pong");
    CHECK(bench().check("ping_pong", sizes_of(4, 4, 2)).verdict == Verdict::Correct);
    CHECK(bench().check("ping_pong", sizes_of(4, 4, 3)).verdict == Verdict::Correct);
    // Each run starts with the buffers unswapped.
    const KernelResult timed = bench().run("ping_pong", sizes_of(4, 4, 3));
    CHECK_MESSAGE(timed.verdict == Verdict::Correct, timed.reason);
}

TEST_CASE("a launch with a condition takes place only where it holds") {
    check_everywhere("odd_last");
    CHECK(bench().request("odd_last", sizes_of(4, 4, 4)).contestants[0].kernel->launches.size() == 1);
    CHECK(bench().request("odd_last", sizes_of(4, 4, 5)).contestants[0].kernel->launches.size() == 2);
}

TEST_CASE("local memory as an argument, sized by a parameter") {
    check_everywhere("local_pointers", "TILE=8");
    check_everywhere("local_pointers", "TILE=4");
}

TEST_CASE("macros from expressions and build options reach the compiler") {
    for (const Sizes& sizes : {sizes_of(1, 1, 1), sizes_of(17, 33, 29)}) {
        CAPTURE(to_string(sizes));
        const KernelResult result = bench().check("fixed_sizes", sizes);
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
    }
}

TEST_CASE("neighbours travel with the kernel, also those that a neighbour includes") {
    CHECK(bench().request("neighbours", sizes_of(4, 4, 4)).contestants[0].kernel->includes.size() == 2);
    check_everywhere("neighbours");
}

TEST_CASE("one dimension and work-groups of the driver's choice") {
    for (const Sizes& sizes : {sizes_of(1, 1, 1), sizes_of(17, 33, 29), sizes_of(64, 1, 16)}) {
        CAPTURE(to_string(sizes));
        const KernelResult result = bench().check("flat", sizes);
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
        CHECK(result.launches.at(0).local.empty());
    }
}

TEST_CASE("three dimensions") {
    check_everywhere("in_space");
}

TEST_CASE("a kernel that is wrong on purpose is as expected where its file says so, and only there") {
    const KernelResult wrong = bench().check("drops_last", sizes_of(9, 9, 9));
    CHECK(to_string(wrong.verdict) == "wrong");
    REQUIRE(wrong.expected);
    CHECK(wrong.expected->why == "a loop that ends one too early");
    CHECK(wrong.as_expected());
    const KernelResult right = bench().check("drops_last", sizes_of(9, 9, 1));
    CHECK(to_string(right.verdict) == "correct");
    CHECK(right.as_expected());
}

TEST_CASE("subscripts that are kept near read the first 4 KiB of a buffer, and nothing else") {
    const auto verdict = [](std::int64_t size) {
        RunRequest request = bench().request("matmul/01_naive", sizes_of(size, size, size));
        KernelPlan& plan = *request.contestants[0].kernel;
        const Reading reading = read_source(source_text_of(plan));
        REQUIRE_MESSAGE(reading.program, reading.failure);
        const std::string& kernel = plan.launches[0].kernel;
        ChangedKernel changed =
            keep_subscripts_near(plan, *reading.program, {{kernel, 0, "A"}, {kernel, 1, "B"}}, 4096);
        REQUIRE_MESSAGE(changed.plan, changed.obstacle);
        plan = std::move(*changed.plan);
        return bench().judge.result_of(request).verdict;
    };
    CHECK(verdict(32) == Verdict::Correct);  // 32 x 32 floats are 4 KiB
    CHECK(verdict(33) == Verdict::Wrong);
}
