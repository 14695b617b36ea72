// The kernels of the collection at every awkward size.
#include "bench.hpp"
#include "problems/problem.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

void check_everywhere(const std::string& kernel, const std::string& param, std::int64_t tile) {
    for (const Sizes& sizes : get_problem("matmul").awkward_sizes(tile)) {
        CAPTURE(to_string(sizes));
        const KernelResult result = bench().check(kernel, sizes, param);
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
        CHECK(result.wrong_elements == 0);
        REQUIRE(result.max_error_share);
        CHECK(*result.max_error_share <= 1);
        CHECK(!result.error_map);
    }
}

}  // namespace

TEST_CASE("the naive kernel is right at every awkward size") {
    check_everywhere("matmul/01_naive", "", 16);
}

TEST_CASE("the tiled kernel is right with every TILE at every awkward size of that tile") {
    for (const auto& [param, tile] : {std::pair{"TILE=8", 8}, {"TILE=16", 16}, {"TILE=32", 32}}) {
        CAPTURE(param);
        check_everywhere("matmul/02_tiled", param, tile);
    }
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
