// SPDX-License-Identifier: Apache-2.0
// Tasks of several ranks share one judge. Whatever ends last, whoever waits goes on.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "task/scheduler.hpp"
#include "watched_session.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

using Rank = Scheduler::Rank;

RunRequest small_run() {
    RunRequest request;
    request.device = "fake:0";
    request.problem = "matmul";
    request.sizes = {{"M", 4}, {"N", 4}, {"K", 4}};
    KernelPlan plan;
    plan.name = "k";
    request.contestants.push_back({plan});
    return request;
}

/// Asks for some runs, and may then wait for a thread of its own.
struct Steps : Task {
    explicit Steps(int count, bool needs_thread = false) : left(count), is_at_work(needs_thread) {}

    std::optional<Request> next(std::size_t) override {
        if (left == 0) return std::nullopt;
        ++asked;
        return small_run();
    }
    void take(std::size_t, const Snapshot& answer) override {
        was_stopped = answer.stopped;
        if (!answer.stopped && left > 0) --left;
    }
    void stop() override { left = 0; }
    bool waits() const override { return left == 0 && is_at_work; }

    int left;
    int asked = 0;
    bool is_at_work;
    bool was_stopped = false;
};

struct Bench {
    explicit Bench(const std::string& judge = "good") : session(judge) {}

    WatchedSession session;
    Scheduler scheduler;
    std::vector<Rank> ended;
    bool is_quiet = true;

    Steps* begin(Rank rank, std::unique_ptr<Steps> steps) {
        Steps* const task = steps.get();
        scheduler.begin(rank, std::move(steps), *session);
        return task;
    }
    /// What the window does when anything wakes it.
    void wake() {
        scheduler.advance(
            *session, *session->snapshot(), [&](Rank rank) { return rank == Rank::Asked || is_quiet; },
            [&](Rank rank, Task&) { ended.push_back(rank); });
    }
    /// Wake it at each news of the judge until these have ended.
    void run_until(std::size_t count) {
        wake();
        while (ended.size() < count) {
            const std::uint64_t seen = session->snapshot()->revision;
            wake();
            if (ended.size() < count)
                session.wait_until([&](const Snapshot& now) { return now.revision != seen; });
        }
    }
};

}  // namespace

TEST_CASE("the most urgent task comes first, whatever the order in which they begin") {
    std::vector<Rank> order = {Rank::Asked, Rank::Lesson, Rank::Marks, Rank::Panel};
    do {
        Bench bench;
        for (const Rank rank : order) bench.begin(rank, std::make_unique<Steps>(2));
        bench.run_until(4);
        CHECK(bench.ended == std::vector{Rank::Asked, Rank::Lesson, Rank::Marks, Rank::Panel});
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("what a less urgent task had asked is stopped, and asked again after a more urgent one") {
    Bench bench("endless,good");  // the first run ends only when it is stopped
    Steps* const panel = bench.begin(Rank::Panel, std::make_unique<Steps>(1));
    bench.wake();
    CHECK(panel->asked == 1);
    bench.session.wait_until([](const Snapshot& now) { return now.progress.has_value(); });
    bench.begin(Rank::Asked, std::make_unique<Steps>(1));
    bench.wake();
    CHECK(panel->left == 1);
    bench.run_until(1);
    CHECK(bench.ended == std::vector{Rank::Asked});
    CHECK(panel->left == 1);  // the stopped answer was not taken
    CHECK(panel->asked == 2);
    bench.run_until(2);
}

TEST_CASE("a task whose own thread ends last, after the judge's last news, ends at the next wake") {
    for (const Rank rank : {Rank::Asked, Rank::Lesson, Rank::Marks, Rank::Panel}) {
        Bench bench;
        Steps* const task = bench.begin(rank, std::make_unique<Steps>(1, true));
        bench.wake();
        bench.session.wait_until([](const Snapshot& now) { return now.answered == 1; });
        for (int i = 0; i < 3; ++i) bench.wake();
        CHECK(bench.ended.empty());
        task->is_at_work = false;  // the session has no news
        bench.wake();
        CHECK(bench.ended == std::vector{rank});
    }
}

TEST_CASE("tasks of all ranks end, in whatever order their threads do") {
    std::vector<Rank> order = {Rank::Asked, Rank::Lesson, Rank::Marks, Rank::Panel, Rank::Reasons};
    Bench bench;
    do {
        bench.ended.clear();
        std::map<Rank, Steps*> tasks;
        for (const Rank rank : order) tasks[rank] = bench.begin(rank, std::make_unique<Steps>(1, true));
        // Woken only by news, and as long as the scheduler wants to look again.
        const auto rest = [&] {
            for (;;) {
                const std::uint64_t seen = bench.session->snapshot()->revision;
                bench.wake();
                const bool is_asked =
                    std::ranges::any_of(order, [&](Rank rank) { return bench.scheduler.is_asked(rank); });
                CHECK((is_asked || bench.scheduler.waits() || bench.ended.size() == order.size()));
                if (!is_asked) return;
                bench.session.wait_until([&](const Snapshot& now) { return now.revision != seen; });
            }
        };
        for (const Rank rank : order) {
            rest();
            tasks[rank]->is_at_work = false;
        }
        rest();
        CHECK(bench.ended.size() == order.size());
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("a task that the user stops keeps the answer in progress and asks no more") {
    Bench bench;
    Steps* const task = bench.begin(Rank::Asked, std::make_unique<Steps>(5));
    bench.wake();
    bench.scheduler.stop(Rank::Asked, *bench.session);
    CHECK(task->left == 0);
    bench.run_until(1);
    CHECK(bench.ended == std::vector{Rank::Asked});
}

TEST_CASE("a task that may not ask yet waits, and a dropped one is not heard of again") {
    Bench bench;
    bench.is_quiet = false;
    Steps* const marks = bench.begin(Rank::Marks, std::make_unique<Steps>(1));
    bench.wake();
    CHECK(marks->asked == 0);
    bench.is_quiet = true;
    bench.wake();
    CHECK(marks->asked == 1);
    bench.scheduler.drop(Rank::Marks, *bench.session);
    bench.begin(Rank::Panel, std::make_unique<Steps>(1));
    bench.run_until(1);
    CHECK(bench.ended == std::vector{Rank::Panel});
}
