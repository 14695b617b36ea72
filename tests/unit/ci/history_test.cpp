// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "ci/history.hpp"
#include "support/temp_folder.hpp"
#include "support/words.hpp"

namespace kwb::test {
namespace {

constexpr std::int64_t kDay = 86'400;

CiOutcome timed_outcome(double median_ms, const std::string& device = "one",
                        const std::string& driver = "1") {
    CiOutcome outcome{"gemm", "a.cl", "", "", CiState::Passed};
    outcome.timed.emplace();
    outcome.timed->median_ms = median_ms;
    outcome.where.device = device;
    outcome.where.driver = driver;
    outcome.where.host_cpu = "any";
    return outcome;
}

}  // namespace

TEST_CASE("the times of a test are kept in their order, and the oldest of too many goes") {
    const TempFolder folder;
    const auto file = folder.path() / "times.jsonl";
    const auto most = static_cast<int>(TestTimes::kMostRuns);
    std::vector<TestTimes> times;
    for (int run = 0; run < most + 2; ++run) times = record_times(file, {timed_outcome(1 + run)}, run);
    REQUIRE(times.size() == 1);
    REQUIRE(times[0].runs.size() == TestTimes::kMostRuns);
    CHECK(times[0].runs.front().median_ms == 3);
    CHECK(times[0].runs.front().at_s == 2);
    CHECK(times[0].runs.back().median_ms == most + 2);
    require_times_file(file);
}

TEST_CASE("times of another device, driver or processor are others, and what was not timed has none") {
    const TempFolder folder;
    const auto file = folder.path() / "times.jsonl";
    CiOutcome elsewhere = timed_outcome(4), not_timed = timed_outcome(5);
    elsewhere.where.host_cpu = "another";
    not_timed.timed->median_ms.reset();
    const std::vector<CiOutcome> outcomes = {timed_outcome(1), timed_outcome(2, "two"),
                                             timed_outcome(3, "one", "2"), elsewhere, not_timed};
    record_times(file, outcomes, 1);
    const auto times = record_times(file, outcomes, 2);
    REQUIRE(times.size() == 5);
    for (std::size_t i = 0; i < 4; ++i) {
        REQUIRE(times[i].runs.size() == 2);
        CHECK(times[i].runs[0].median_ms == static_cast<double>(i + 1));
    }
    CHECK(times[4].runs.empty());
}

TEST_CASE("the page holds the last time against the median of the earlier ones") {
    TestTimes times;
    times.runs = {{0, 1}, {kDay, 2}, {2 * kDay, 3}, {3 * kDay, 4}, {4 * kDay, 5}};
    const CiOutcome now = timed_outcome(5);
    const std::string page = outcomes_page({now}, {times}, "today");
    CHECK(mentions(page, {">2.00<", "since 1970-01-01", "gemm: the last runs"}));
    times.runs.resize(1);
    CHECK_FALSE(has(outcomes_page({now}, {times}, "today"), ">1.00<"));
    const std::string untimed = outcomes_page({now}, {}, "today");
    CHECK_FALSE(has(untimed, "of the earlier median"));
    CHECK_FALSE(has(untimed, "the last runs"));
}

}  // namespace kwb::test
