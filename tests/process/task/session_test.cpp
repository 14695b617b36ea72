// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <signal.h>

#include <filesystem>
#include <thread>

#include "catalog/kernel_folders.hpp"
#include "experiment/opened_experiment.hpp"
#include "support/temp_folder.hpp"
#include "watched_session.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

using Phase = Snapshot::Phase;

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Has the process been reaped? The session reaps its judges, so the PID of an ended one is invalid.
bool is_gone(pid_t pid) {
    return ::kill(pid, 0) != 0;
}

std::size_t open_descriptors() {
    const std::filesystem::directory_iterator entries("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

void check_good_run(const SnapshotPtr& snapshot) {
    CHECK_MESSAGE(snapshot->error.empty(), snapshot->error);
    CHECK(snapshot->phase == Phase::Idle);
    REQUIRE(snapshot->results.size() == 1);
    CHECK(snapshot->results[0].kernel == "k0");
    CHECK(snapshot->environment.device == "the fake device");
}

}  // namespace

TEST_CASE("a new session is idle, knows nothing and has started no judge") {
    WatchedSession session("good");
    const SnapshotPtr snapshot = session->snapshot();
    CHECK(snapshot->phase == Phase::Idle);
    CHECK(snapshot->answered == 0);
    CHECK(!snapshot->devices);
    CHECK(session.judges().empty());
}

TEST_CASE("devices and runs come from one judge, with the error map whole") {
    WatchedSession session("good");
    const SnapshotPtr listed = session.list();
    REQUIRE(listed->devices);
    CHECK(listed->devices->devices.at(0).id == "fake:0");
    const SnapshotPtr ran = session.run(3);
    REQUIRE(ran->results.size() == 3);
    CHECK(ran->results[2].kernel == "k2");
    REQUIRE(ran->results[2].error_map);
    CHECK(ran->results[2].error_map->worst_share == std::vector<float>{0, 0.5f, 1, 2});
    CHECK(ran->devices.has_value());  // from the earlier command
    CHECK(!ran->stopped);
    CHECK(session.judges().size() == 1);
}

TEST_CASE("a verdict is in the snapshot as soon as it is known, beside the step at hand") {
    WatchedSession session("settles");
    const std::uint64_t command = session.start(2);
    const SnapshotPtr checking =
        session.wait_until([](const Snapshot& now) { return now.progress.has_value(); });
    REQUIRE(checking->results.size() == 2);
    CHECK(!checking->results[0].judged);
    CHECK(checking->results[1].judged);
    CHECK(checking->results[1].verdict == Verdict::Wrong);
    CHECK(checking->progress->elapsed_ms == 12'000);
    CHECK(checking->progress->limit_ms == 30'000);
    session->stop();
    const SnapshotPtr ended = session.wait_for(command);
    CHECK(ended->results.size() == 2);
    CHECK(ended->results[0].judged);
}

TEST_CASE("the snapshot of a run under way holds all of its times so far, also those that nobody looked at") {
    WatchedSession session("grows");
    const std::uint64_t command = session.start(2);
    const auto has_grown = [](const Snapshot& now) {
        return now.results.size() == 2 && now.results[0].samples_ms.size() == 2;
    };
    const SnapshotPtr growing = session.wait_until(has_grown);
    CHECK(growing->results[0].samples_ms == std::vector<double>{1, 2});
    CHECK(growing->results[0].median_ms == 1.5);
    CHECK(growing->results[1].samples_ms == std::vector<double>{2});
    for (const KernelResult& result : growing->results) CHECK(!result.judged);
    session->stop();
    const SnapshotPtr ended = session.wait_for(command);
    REQUIRE(ended->results.size() == 2);
    for (const KernelResult& result : ended->results) CHECK(result.judged);
    const std::uint64_t next = session.start(2);
    session.wait_until([&](const Snapshot& now) { return has_grown(now) && !now.results[0].judged; });
    session->stop();
    CHECK(session.wait_for(next)->error.empty());
}

TEST_CASE("a snapshot once taken never changes") {
    WatchedSession session("good");
    const SnapshotPtr before = session->snapshot();
    const std::uint64_t revision = before->revision;
    session.list();
    session.run();
    CHECK(before->revision == revision);
    CHECK(!before->devices);
    CHECK(before->results.empty());
}

TEST_CASE("a judge that cannot greet is an error in words, and the next command starts another") {
    struct Case {
        const char* judge;
        const char* reason;
    };
    for (const Case& c : {Case{"exit-at-start", "exit code 3"},
                          {"garbage-at-start", "Welcome to gpu-box"},
                          {"no-hello", "instead of a greeting"},
                          {"bare-hello", "missing"},
                          {"half-hello", "in the middle of a message"},
                          {"stranger", "kwb-stranger"},
                          {"version", "99.9.9"},
                          {"protocol", "protocol"}}) {
        CAPTURE(c.judge);
        WatchedSession session(std::string(c.judge) + ";good");
        const SnapshotPtr failed = session.list();
        CHECK_MESSAGE(mentions(failed->error, c.reason), failed->error);
        CHECK(failed->phase == Phase::Idle);
        CHECK(!failed->devices);
        check_good_run(session.run());
        CHECK(session.judges().size() == 2);
        CHECK(is_gone(session.judges()[0]));
    }
}

TEST_CASE("a judge that is no program says so") {
    Session session({"/nonexistent/kwb-judge"}, nullptr);
    const std::uint64_t command = session.list_devices();
    while (session.snapshot()->answered < command) std::this_thread::yield();
    CHECK(mentions(session.snapshot()->error, "/nonexistent/kwb-judge"));
#ifndef KWB_SANITIZE_THREAD  // which replaces vfork by fork, so that the cause is lost
    CHECK(mentions(session.snapshot()->error, "install kwb-judge"));
#endif
}

TEST_CASE("a session can end while its judge has not greeted") {
    WatchedSession session("silent-start");
    session->list_devices();
    session.wait_until([](const Snapshot& snapshot) { return snapshot.phase == Phase::Listing; });
    session.end();
    for (const pid_t pid : session.judges()) CHECK(is_gone(pid));
}

TEST_CASE("a judge that fails in a run costs that run, and the next command starts another") {
    struct Case {
        const char* judge;
        const char* reason;
    };
    for (const Case& c : {Case{"run-exit", "ended unexpectedly: exit code 3"},
                          {"run-segv", "SIGSEGV"},
                          {"run-garbage", "terminate called"},
                          {"run-oversized", "exceeds the limits"},
                          {"run-unknown", "unknown event 'surprise'"},
                          {"run-no-type", "type"},
                          {"run-bad-result", "kernel"},
                          {"run-bad-map", "error map"},
                          {"strange-growth", "more results than kernels"},
                          {"gap-in-growth", "samples are missing"},
                          {"strange-verdict", "more results than kernels"},
                          {"run-cut", "in the middle of a message"},
                          {"run-exit-late", "ended unexpectedly"},
                          {"too-few", "fewer results"},
                          {"too-many", "more results"},
                          {"backwards", "out of order"},
                          {"twice", "out of order"}}) {
        CAPTURE(c.judge);
        WatchedSession session(std::string(c.judge) + ";good");
        const SnapshotPtr failed = session.run();
        CHECK_MESSAGE(mentions(failed->error, c.reason), failed->error);
        CHECK(failed->phase == Phase::Idle);
        CHECK(!failed->progress);
        check_good_run(session.run());
        CHECK(session.judges().size() == 2);
        CHECK(is_gone(session.judges()[0]));
    }
}

TEST_CASE("a judge elsewhere that is lost in a run is started again once, and the run is whole") {
    for (const char* judge : {"run-exit", "run-cut", "dies-after-first"}) {
        CAPTURE(judge);
        WatchedSession session(std::string(judge) + ";good", "lab");
        const SnapshotPtr snapshot = session.run();
        check_good_run(snapshot);
        CHECK(mentions(snapshot->link.restart, "the link to lab was lost"));
        CHECK(mentions(snapshot->link.restart, "restarted"));
        CHECK(session.judges().size() == 2);
        CHECK(session.run()->link.restart.empty());
        CHECK(session.judges().size() == 2);
    }
}

TEST_CASE("a judge elsewhere that is lost twice in a run costs it, with what was in progress") {
    WatchedSession session("run-cut", "lab");
    const SnapshotPtr snapshot = session.run();
    CHECK(mentions(snapshot->error, "the link to lab was lost"));
    CHECK(session.judges().size() == 2);
    CHECK(mentions(snapshot->link.restart, "during the step 'time' of k0"));

    WatchedSession gone("run-exit;exit-at-start", "lab");
    const SnapshotPtr failed = gone.run(2);
    CHECK(mentions(failed->error, "could not be restarted: the judge at lab did not start: exit code 3"));
    CHECK(failed->link.restart.empty());
    CHECK(gone.judges().size() == 2);
    for (const KernelResult& result : failed->results) CHECK(result.verdict == Verdict::Skipped);
}

TEST_CASE("what a judge elsewhere says wrongly, or a stop, starts no second one") {
    for (const char* judge : {"run-garbage", "run-error", "too-few", "exit-at-start", "stranger"}) {
        CAPTURE(judge);
        WatchedSession session(judge, "lab");
        CHECK(!session.run()->error.empty());
        CHECK(session.judges().size() == 1);
    }
    WatchedSession session("exit-at-stop", "lab");
    const std::uint64_t command = session.start();
    session.wait_until([](const Snapshot& snapshot) { return snapshot.progress.has_value(); });
    session->stop();
    CHECK(!session.wait_for(command)->error.empty());
    CHECK(session.judges().size() == 1);
}

TEST_CASE("a stop does not wait for a judge elsewhere that has not greeted yet") {
    WatchedSession session("silent-start", "lab");
    const std::uint64_t command = session->list_devices();
    session.wait_until([](const Snapshot& snapshot) { return snapshot.phase == Phase::Listing; });
    session->stop();
    CHECK(session.wait_for(command)->error == "stopped");
    CHECK(!session->snapshot()->link.is_up);
}

TEST_CASE("a launch command's last line is shown while it starts, and a flood of them does no harm") {
    const auto start = [](const std::string& script) {
        return std::make_unique<Session>(JudgePlace{{"/bin/sh", "-c", script}, "lab"}, nullptr);
    };
    const auto queued = start("echo one >&2; printf 'job 7\\033 queued\\r\\n\\n' >&2; exec cat");
    queued->list_devices();
    while (queued->snapshot()->link.last_line != "job 7  queued") std::this_thread::yield();

    const auto flood = start("head -c 3000000 /dev/zero | tr '\\0' x >&2; exit 5");
    const std::uint64_t command = flood->list_devices();
    while (flood->snapshot()->answered < command) std::this_thread::yield();
    CHECK(mentions(flood->snapshot()->error, "exit code 5: xxx"));
    CHECK(flood->snapshot()->error.size() < 600);
}

TEST_CASE("an error that the judge reports leaves it alive, and the next command clears it") {
    WatchedSession session("devices-error");
    CHECK(session.list()->error == "there is no driver here");
    check_good_run(session.run());
    CHECK(session.judges().size() == 1);
}

TEST_CASE("a judge that dies between commands is replaced silently") {
    WatchedSession session("exit-after-hello;good");
    session.list();  // the session may or may not notice that the judge ended
    check_good_run(session.run());

    WatchedSession killed("good");
    killed.list();
    ::kill(killed.judges().at(0), SIGKILL);
    const SnapshotPtr snapshot = killed.run();
    if (!snapshot->error.empty()) CHECK(mentions(snapshot->error, "SIGKILL"));
    check_good_run(killed.run());
}

TEST_CASE("thousands of progress events pass, and the results after them are complete") {
    WatchedSession session("chatty");
    const SnapshotPtr snapshot = session.run();
    check_good_run(snapshot);
    CHECK(!snapshot->progress);
    CHECK(session.changes() >= 20'000);
}

TEST_CASE("commands given at once are answered one after the other, each once") {
    WatchedSession session("good");
    const std::uint64_t first = session->list_devices();
    const std::uint64_t second = session.start(1);
    const std::uint64_t third = session.start(2);
    CHECK(second == first + 1);
    CHECK(third == second + 1);
    const SnapshotPtr snapshot = session.wait_for(third);
    CHECK(snapshot->answered == third);
    CHECK(snapshot->results.size() == 2);
    CHECK(session.judges().size() == 1);
}

TEST_CASE("commands and looks from many threads do not disturb each other") {
    WatchedSession session("good");
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&session] {
            for (int n = 0; n < 25; ++n) {
                session->list_devices();
                std::uint64_t last = 0;
                for (int look = 0; look < 50; ++look) {
                    const SnapshotPtr snapshot = session->snapshot();
                    CHECK(snapshot->revision >= last);
                    last = snapshot->revision;
                }
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(session.wait_for(100)->answered == 100);
}

TEST_CASE("stop is answered with what was measured, and the same judge serves on") {
    WatchedSession session("endless");
    const std::uint64_t command = session.start(2);
    session.wait_until([](const Snapshot& snapshot) { return snapshot.progress.has_value(); });
    CHECK(session->snapshot()->phase == Phase::Running);
    session->stop();
    const SnapshotPtr snapshot = session.wait_for(command);
    CHECK(snapshot->stopped);
    CHECK(snapshot->error.empty());
    CHECK(snapshot->results.size() == 2);
    CHECK(session.list()->error.empty());
    CHECK(session.judges().size() == 1);
}

TEST_CASE("a stop without a run does nothing, also to the commands that come later") {
    WatchedSession session("endless");
    session->stop();
    CHECK(session.list()->error.empty());
    session->stop();
    const std::uint64_t command = session.start();
    const SnapshotPtr running =
        session.wait_until([](const Snapshot& snapshot) { return snapshot.progress.has_value(); });
    CHECK(running->phase == Phase::Running);
    session->stop();
    CHECK(session.wait_for(command)->stopped);
}

TEST_CASE("a judge that dies of a stop is an error, and the next command starts another") {
    WatchedSession session("exit-at-stop;good");
    const std::uint64_t command = session.start();
    session.wait_until([](const Snapshot& snapshot) { return snapshot.progress.has_value(); });
    session->stop();
    CHECK(mentions(session.wait_for(command)->error, "ended unexpectedly"));
    check_good_run(session.run());
}

TEST_CASE("a stop that is never answered is given up, and the next command starts another judge") {
    WatchedSession session("deaf-to-stop;good");
    const std::uint64_t command = session.start();
    session.wait_until([](const Snapshot& snapshot) { return snapshot.progress.has_value(); });
    session->stop();
    session.wait_until([](const Snapshot& snapshot) { return snapshot.phase == Phase::Stopping; });
    CHECK(mentions(session.wait_for(command)->error, "does not answer"));
    check_good_run(session.run());
    CHECK(is_gone(session.judges().at(0)));
}

TEST_CASE("a judge that was told to stop and goes on telling progress is given up all the same") {
    WatchedSession session("babbles-after-stop;good");
    const std::uint64_t command = session.start();
    session.wait_until([](const Snapshot& snapshot) { return snapshot.progress.has_value(); });
    session->stop();
    CHECK(mentions(session.wait_for(command)->error, "does not answer"));
    check_good_run(session.run());
    CHECK(is_gone(session.judges().at(0)));
}

TEST_CASE("what came before a bad end is kept, and the rest is skipped with its reason") {
    for (const char* judge : {"dies-after-first", "error-after-first"}) {
        CAPTURE(judge);
        WatchedSession session(std::string(judge) + ";good");
        const SnapshotPtr snapshot = session.run(3);
        const char* reason =
            judge == std::string("dies-after-first") ? "ended unexpectedly" : "no memory is left";
        CHECK(mentions(snapshot->error, reason));
        REQUIRE(snapshot->results.size() == 3);
        CHECK(snapshot->results[0].verdict == Verdict::Correct);
        for (const std::size_t i : {1u, 2u}) {
            const KernelResult& skipped = snapshot->results[i];
            CHECK(skipped.kernel == "k" + std::to_string(i));
            CHECK(skipped.verdict == Verdict::Skipped);
            CHECK(skipped.reason == snapshot->error);
            CHECK(skipped.size == Sizes{{"M", 4}, {"N", 4}, {"K", 4}});
            CHECK(skipped.device == "fake:0");
        }
        CHECK(session.list()->error.empty());
    }
}

TEST_CASE("ending a session ends its judge, whatever the judge is doing") {
    for (const char* judge : {"good", "endless", "stays", "deaf-to-stop", "silent-start"}) {
        CAPTURE(judge);
        WatchedSession session(judge);
        session.start();
        session.wait_until(
            [](const Snapshot& snapshot) { return snapshot.phase != Phase::Idle || snapshot.answered > 0; });
        session.end();
        for (const pid_t pid : session.judges()) CHECK(is_gone(pid));
    }
}

TEST_CASE("thirty dead judges leave no descriptor behind") {
    WatchedSession session("run-exit");
    session.run();
    const std::size_t before = open_descriptors();
    for (int i = 0; i < 30; ++i) CHECK(!session.run()->error.empty());
    CHECK(open_descriptors() == before);
    CHECK(session.judges().size() == 31);
    for (const pid_t pid : session.judges()) CHECK(is_gone(pid));
}

// --- Folders of kernels ---

namespace {

constexpr const char* kKernel =
    "/*+++\nproblem = 'matmul'\n[launch]\nkernel = 'k'\nlocal = [1, 1]\nglobal = ['N', 'M']\n+++*/\n"
    "__kernel void k(__global float* C) { }\n";

}  // namespace

TEST_CASE("a kernel below the installed folder is shipped, any other file is the person's own") {
    const TempFolder folder;
    const fs::path shipped = folder.path() / "kernels";
    fs::create_directories(shipped / "matmul");
    fs::create_directories(folder.path() / "kernels-of-mine");
    const fs::path installed = folder.write("kernels/matmul/01_naive.cl", kKernel);
    const fs::path mine = folder.write("kernels-of-mine/k.cl", kKernel);
    CHECK(trust_of(installed, shipped) == Trust::Shipped);
    CHECK(trust_of(shipped / "matmul" / ".." / "matmul" / "01_naive.cl", shipped) == Trust::Shipped);
    CHECK(trust_of(mine, shipped) == Trust::Own);  // only a common prefix, not the same folder
    CHECK(trust_of(shipped / ".." / "kernels-of-mine" / "k.cl", shipped) == Trust::Own);
    CHECK(trust_of(folder.path() / "missing.cl", shipped) == Trust::Own);
    CHECK(trust_of(mine, "") == Trust::Own);  // no installed folder
}

TEST_CASE("symbolic links are resolved") {
    const TempFolder folder;
    const fs::path shipped = folder.path() / "kernels";
    fs::create_directories(shipped);
    const fs::path installed = folder.write("kernels/k.cl", kKernel);
    const fs::path mine = folder.write("mine.cl", kKernel);
    fs::create_symlink(mine, shipped / "planted.cl");
    fs::create_symlink(installed, folder.path() / "borrowed.cl");
    CHECK(trust_of(shipped / "planted.cl", shipped) == Trust::Own);
    CHECK(trust_of(folder.path() / "borrowed.cl", shipped) == Trust::Shipped);
}

TEST_CASE("a request carries whose kernels it runs, and whether to look for stray accesses") {
    const TempFolder folder;
    OpenedExperiment experiment;
    experiment.contestants = {open_kernel_file(folder.write("k.cl", kKernel), "k.cl"), std::nullopt};
    const Problem& problem = get_problem("matmul");
    const auto request = [&] {
        return make_request(experiment, problem, problem.default_sizes(), DeviceInfo{});
    };
    CHECK(request().contestants[0].kernel->trust == Trust::Own);
    CHECK(!request().unreadable_pages);
    experiment.foreign = true;
    experiment.unreadable_pages = true;
    CHECK(request().contestants[0].kernel->trust == Trust::Foreign);
    CHECK(request().unreadable_pages);
}
