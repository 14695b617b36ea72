// SPDX-License-Identifier: Apache-2.0
// The kernels in the collection at every awkward size.
#include <algorithm>

#include "bench.hpp"
#include "problems/problem.hpp"
#include "task/ceilings.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

void check_everywhere(const std::string& kernel, const std::string& param, std::int64_t tile) {
    const std::string problem = kernel.substr(0, kernel.find('/'));
    for (const Sizes& sizes : get_problem(problem).awkward_sizes(tile)) {
        CAPTURE(to_string(sizes));
        const KernelResult result = bench().check(kernel, sizes, param);
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
        CHECK(result.wrong_elements == 0);
        REQUIRE(result.max_error_share);
        CHECK(*result.max_error_share <= 1);
        REQUIRE(result.error_map);
        const auto& cells = result.error_map->worst_share;
        CHECK(*std::max_element(cells.begin(), cells.end()) == static_cast<float>(*result.max_error_share));
    }
}

}  // namespace

TEST_CASE("the naive kernel is right at every awkward size") {
    check_everywhere("matmul/01_naive", "", 16);
}

TEST_CASE("the tiled kernel is right with every TILE at every awkward size of that tile") {
    for (const auto& [param, tile] : {std::pair{"TILE=8", 8}, {"TILE=16", 16}, {"TILE=32", 32}}) {
        const auto& shown_param = param;
        CAPTURE(shown_param);
        check_everywhere("matmul/02_tiled", param, tile);
    }
}

TEST_CASE("all copies are right at every awkward size, with vectors of any width") {
    check_everywhere("copy/01_copy", "", 256);
    check_everywhere("copy/03_streamed", "", 256);
    for (const std::string param : {"WIDTH=4", "WIDTH=8", "WIDTH=16"}) {
        CAPTURE(param);
        check_everywhere("copy/02_vectors", param, 256);
    }
}

TEST_CASE(
    "chains of multiply-adds are right at every awkward size, with vectors few and many, narrow and wide") {
    for (const std::string param : {"WIDTH=16 CHAINS=8", "WIDTH=16 CHAINS=16", "WIDTH=8 CHAINS=4",
                                    "WIDTH=4 CHAINS=2", "WIDTH=2 CHAINS=1", "WIDTH=1 CHAINS=8"}) {
        CAPTURE(param);
        check_everywhere("fma_chain/01_fma_chain", param, 64);
    }
}

TEST_CASE("the ceilings of a device are measured by kernels that are right") {
    DeviceInfo small = bench().device;
    small.global_mem_bytes = 64 << 20;  // copying an eighth of it takes no time
    std::vector<KernelResult> results;
    for (RunRequest& request : make_ceiling_requests(Catalogue({KWB_SHIPPED_KERNELS}), small)) {
        request.rounds = 6;
        for (KernelResult& result : bench().judge.ask(request).results) {
            CAPTURE(result.kernel);
            CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
            results.push_back(std::move(result));
        }
    }
    CHECK(results.size() == 7);
    const Ceilings ceilings = find_ceilings(results);
    for (const auto& ceiling : {ceilings.gflops, ceilings.gbytes_s}) {
        REQUIRE(ceiling);
        CHECK(ceiling->value > 0);
        REQUIRE(ceiling->ci95);
        CHECK(ceiling->ci95->contains(ceiling->value));
    }
}

TEST_CASE("where the host's library has no routine for a problem, cpu:blas says so and disturbs nobody") {
    RunRequest request = bench().request("fma_chain/01_fma_chain", {{"N", 1000}}, "", false);
    request.contestants.push_back({});
    const JudgeAnswer answer = bench().judge.ask(request);
    REQUIRE(answer.results.size() == 2);
    CHECK(answer.results[0].verdict == Verdict::Correct);
    CHECK(answer.results[1].verdict == Verdict::Unsupported);
    CHECK(mentions(answer.results[1].reason, "no routine for fma_chain"));
}

TEST_CASE("a run of both and of the host's library gives each its times and a speed-up") {
    RunRequest request = bench().request("matmul/01_naive", sizes_of(64, 64, 64), "", false);
    request.contestants.push_back(bench().request("matmul/02_tiled", sizes_of(64, 64, 64)).contestants[0]);
    request.contestants.push_back({});
    request.rounds = 6;
    const JudgeAnswer answer = bench().judge.ask(request);
    REQUIRE(answer.done);
    REQUIRE(answer.results.size() == 3);
    for (const KernelResult& result : answer.results) {
        CAPTURE(result.kernel);
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
        CHECK(result.samples_ms.size() == 6);
        REQUIRE(result.median_ms);
        CHECK(*result.median_ms > 0);
        REQUIRE(result.ci95_ms);
        CHECK(result.ci95_ms->contains(*result.median_ms));
        CHECK(result.gflops.value_or(0) > 0);
        CHECK(result.first_run_ms.has_value());
    }
    CHECK(!answer.results[0].speedup);
    REQUIRE(answer.results[1].speedup);
    CHECK(answer.results[1].speedup->to == "matmul/01_naive");
    CHECK(answer.results[1].speedup->interval.has_value());
    CHECK(answer.results[2].kernel == "cpu:blas");
    CHECK(!answer.results[2].build_ms);
    CHECK(answer.results[0].build_ms.has_value());
    CHECK(answer.results[0].upload_ms.has_value());
    CHECK(answer.results[0].launches.at(0).median_ms.has_value());
}
