#include "session/growing.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"

using namespace kwb;

namespace {

RunRequest two_contestants() {
    RunRequest request;
    request.device = "pocl:0";
    request.problem = "matmul";
    request.sizes = {{"M", 8}, {"N", 8}, {"K", 8}};
    KernelPlan plan;
    plan.name = "matmul/tiled";
    plan.file = "02_tiled.cl";
    plan.params = {{"TILE", std::int64_t{16}}};
    plan.launches.resize(1);
    plan.launches[0].kernel = "matmul_tiled";
    plan.launches[0].global = {16, 16};
    request.contestants = {{plan}, {std::nullopt}};
    return request;
}

}  // namespace

TEST_CASE("a growing run names its contestants and their times, and no verdict") {
    const auto results = growing_results(two_contestants(), {{3, 1, 2, 5, 4, 6}, {}});
    REQUIRE(results.size() == 2);
    CHECK(results[0].kernel == "matmul/tiled");
    CHECK(results[0].file == "02_tiled.cl");
    CHECK(results[0].device == "pocl:0");
    CHECK(results[0].params.size() == 1);
    CHECK(results[0].launches.at(0).global == std::vector<std::uint64_t>{16, 16});
    CHECK(results[0].samples_ms == std::vector<double>{3, 1, 2, 5, 4, 6});
    CHECK(results[0].median_ms == 3.5);
    CHECK(results[0].ci95_ms->low == 1);
    CHECK(results[0].ci95_ms->high == 6);
    for (const KernelResult& result : results) {
        CHECK(!result.judged);
        CHECK(!result.as_expected());
        CHECK(result.size == two_contestants().sizes);
    }
    CHECK(results[1].kernel == kHostBlasName);
    CHECK(results[1].device == kHostDevice);
    CHECK(!results[1].median_ms);
    CHECK(!results[1].ci95_ms);
}

TEST_CASE("a contestant whose verdict is known stands in a growing run with it") {
    auto wrong = std::make_shared<KernelResult>();
    wrong->kernel = "matmul/tiled";
    wrong->verdict = Verdict::Wrong;
    const auto results = growing_results(two_contestants(), {{3}, {4}}, {wrong, nullptr});
    REQUIRE(results.size() == 2);
    CHECK(results[0].judged);
    CHECK(results[0].verdict == Verdict::Wrong);
    CHECK(results[0].samples_ms.empty());
    CHECK(!results[1].judged);
    CHECK(results[1].samples_ms == std::vector<double>{4});
    CHECK_THROWS_AS(growing_results(two_contestants(), {{3}, {4}}, {nullptr}), ContractError);
}

TEST_CASE("a run of which nothing is known yet grows from contestants without times") {
    const auto results = growing_results(two_contestants(), {});
    REQUIRE(results.size() == 2);
    CHECK(results[0].samples_ms.empty());
    CHECK_THROWS_AS(growing_results(two_contestants(), {{1}}), ContractError);
}
