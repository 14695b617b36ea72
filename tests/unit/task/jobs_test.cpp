// SPDX-License-Identifier: Apache-2.0
#include "task/jobs.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"

using namespace kwb;

namespace {

Job job_of(std::int64_t edge, std::optional<std::size_t> place = {}) {
    RunRequest request;
    request.problem = "copy";
    request.sizes = {{"N", edge}};
    KernelPlan plan;
    plan.name = "k";
    request.contestants.push_back({plan});
    return {std::move(request), place};
}

std::vector<Jobs::Place> two_places() {
    DeviceInfo device;
    device.id = "pocl:0";
    return {{"one", device}, {"two", device}};
}

Snapshot answer(const std::string& error = "", bool is_stopped = false) {
    Snapshot snapshot;
    KernelResult result;
    result.kernel = "k";
    result.verdict = error.empty() ? Verdict::Correct : Verdict::Skipped;
    snapshot.results.push_back(result);
    snapshot.error = error;
    snapshot.stopped = is_stopped;
    return snapshot;
}

}  // namespace

TEST_CASE("the job of a place that fails is run at another one, which is reported once it happens") {
    Jobs jobs({job_of(8), job_of(16)}, two_places());
    REQUIRE(jobs.next(0));
    REQUIRE(jobs.next(1));
    jobs.take(0, answer("the link broke"));
    CHECK(jobs.lost(0) == "the link broke");
    CHECK(!jobs.next(0));
    jobs.take(1, answer());
    REQUIRE(jobs.next(1));  // that of the other place
    jobs.take(1, answer());
    CHECK(!jobs.next(1));
    const Collected all = jobs.collect(false);
    CHECK(all.error.empty());
    CHECK(all.results().size() == 2);
}

TEST_CASE("a job that is tied to a place that fails is not run elsewhere, and its error is the result's") {
    Jobs jobs({job_of(8, 0), job_of(16, 0), job_of(8, 1)}, two_places());
    REQUIRE(jobs.next(0));
    REQUIRE(jobs.next(1));
    jobs.take(0, answer("the link broke"));
    CHECK(jobs.lost(0).empty());  // the caller reports Collected::error
    jobs.take(1, answer());
    CHECK(!jobs.next(0));
    CHECK(!jobs.next(1));
    const Collected all = jobs.collect(false);
    CHECK(all.error == "the link broke");
    CHECK(all.results(0).size() == 2);
    CHECK(all.results(0)[1].verdict == Verdict::Skipped);
    CHECK(all.results(0)[1].place == "one");
    CHECK_NOTHROW(all.require_results());
}

TEST_CASE("a place that the user stopped has not failed, and nothing that was not run is invented") {
    Jobs jobs({job_of(8), job_of(16)}, two_places());
    REQUIRE(jobs.next(0));
    jobs.take(0, answer("stopped", true));
    CHECK(jobs.lost(0).empty());
    const Collected all = jobs.collect(true);
    CHECK(all.interrupted);
    CHECK(all.error.empty());
    CHECK(all.jobs[1].results.empty());
}

TEST_CASE("without any result the error is thrown") {
    Jobs jobs({job_of(8)}, two_places());
    REQUIRE(jobs.next(0));
    CHECK(jobs.next(0));  // the same again: its first request was stopped for another task
    jobs.take(0, answer("no judge"));
    REQUIRE(jobs.next(1));  // what the first one could not run
    jobs.take(1, answer("no judge"));
    const Collected all = jobs.collect(false);
    CHECK_THROWS_WITH_AS(all.require_results(), "no judge", EnvironmentError);
}
