// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "fake_bench.hpp"
#include "ipc/channel.hpp"
#include "judge/reference/blas_kernels.hpp"
#include "support/patience.hpp"
#include "support/process.hpp"

using namespace kwb;
using namespace kwb::test;

// Leftover processes, zombies and descriptors; and stopping a run.

namespace {

using Mode = RunRequest::Mode;

/// At most two live children, the active runner and a standby, and no zombies.
void check_household(const FakeBench& bench) {
    const Children children = children_of(bench.judge.child.pid());
    CHECK(children.zombies == 0);
    CHECK(children.living <= 2);
}

void check_all_gone(const FakeBench& bench) {
    for (const pid_t pid : bench.runners()) CHECK(wait_for_end(pid));
}

}  // namespace

TEST_CASE("a judge whose input closes ends with its runners and code 0") {
    SUBCASE("while it waits for a request") {
        FakeBench bench("good");
        bench.judge.ask(ListDevices{});
        CHECK(bench.judge.close().code == 0);
        check_all_gone(bench);
    }
    SUBCASE("before any request") {
        FakeBench bench("good");
        CHECK(bench.judge.close().code == 0);
        CHECK(bench.runners().empty());
    }
    SUBCASE("during a build that never ends") {
        FakeBench bench("build=stage-silent");
        bench.judge.send(fake_request());
        bench.wait_until_stuck();
        CHECK(bench.judge.close().code == 0);
        check_all_gone(bench);
    }
    SUBCASE("during a launch that never ends") {
        FakeBench bench("execute=stage-silent");
        bench.judge.send(fake_request());
        bench.wait_until_stuck();
        CHECK(bench.judge.close().code == 0);
        check_all_gone(bench);
    }
    SUBCASE("during a launch that prints without end") {
        FakeBench bench("execute=print");
        bench.judge.send(fake_request());
        bench.wait_until_stuck();
        CHECK(bench.judge.close().code == 0);
        check_all_gone(bench);
    }
    SUBCASE("while drivers are asked for their devices") {
        FakeBench bench("devices=silent", {"a.icd", "b.icd"});
        bench.judge.send(ListDevices{});
        bench.wait_for_runners(2);
        bench.wait_until_stuck();
        CHECK(bench.judge.close().code == 0);
        check_all_gone(bench);
    }
}

TEST_CASE("killing a judge also ends its runners") {
    SUBCASE("idle ones") {
        FakeBench bench("good", {"a.icd", "b.icd"});
        bench.judge.ask(ListDevices{});
        CHECK(bench.runners().size() == 2);
        ::kill(bench.judge.child.pid(), SIGKILL);
        check_all_gone(bench);
    }
    SUBCASE("one in a launch that never ends") {
        FakeBench bench("execute=stage-silent");
        bench.judge.send(fake_request());
        bench.wait_until_stuck();
        ::kill(bench.judge.child.pid(), SIGKILL);
        check_all_gone(bench);
    }
}

TEST_CASE("200 random kills of faces, judges and runners leave none of their processes behind") {
    const Folder folder;
    std::minstd_rand random(1);
    const auto draw = [&](std::size_t n) { return random() / 7 % n; };
    for (int i = 0; i < 200; ++i) {
        CAPTURE(i);
        const std::string mark = "KWB_FAKE_MARK=" + folder.path.string() + std::to_string(i) + ".";
        const pid_t face = ::fork();
        REQUIRE(face >= 0);
        if (face == 0) {
            ::setenv("TMPDIR", folder.path.c_str(), 1);
            ::putenv(const_cast<char*>(mark.c_str()));
            try {
                FakeBench bench("execute=stage-breeds");
                for (;;) bench.judge.ask(fake_request());
            } catch (const std::exception&) {  // the judge was killed
            }
            ::_exit(0);
        }
        ::usleep(static_cast<useconds_t>(draw(80'000)));
        for (std::size_t victims = draw(3); victims > 0; --victims)
            if (const std::vector<pid_t> family = marked(mark); !family.empty())
                ::kill(family[draw(family.size())], SIGKILL);
        ::kill(face, draw(2) == 0 ? SIGKILL : SIGHUP);
        CHECK(::waitpid(face, nullptr, 0) == face);
        CHECK(all_gone(mark));
    }
}

TEST_CASE("while one runner has its turn the others are stopped, and go on for theirs") {
    RunRequest request = fake_request(Mode::Run, 3);
    for (Contestant& contestant : request.contestants) contestant.kernel->trust = Trust::Foreign;
    FakeBench good("good");
    for (const KernelResult& result : good.judge.ask(request).results)
        CHECK(to_string(result.verdict) == "correct");

    FakeBench bench("good;good;good;turn=stage-silent");
    bench.judge.send(request);
    bench.wait_until_stuck();
    const std::vector<pid_t> runners = bench.runners();
    const auto stopped = std::ranges::count_if(list_processes(), [&](const ListedProcess& process) {
        return process.state == 'T' && std::ranges::find(runners, process.pid) != runners.end();
    });
    CHECK(stopped == 2);
    CHECK(bench.judge.close().code == 0);
    check_all_gone(bench);
}

TEST_CASE("kernels that go on working in the turns of others get a verdict") {
    RunRequest request = fake_request(Mode::Run, 3);
    for (Contestant& contestant : request.contestants) contestant.kernel->trust = Trust::Foreign;
    request.rounds = 40;
    FakeBench bench("turn=restless");
    const std::vector<KernelResult> results = bench.judge.ask(request).results;
    const auto blamed = std::ranges::count_if(results, [](const KernelResult& result) {
        return result.verdict == Verdict::KernelCrashed &&
               mentions(result.reason, "kept working while they were stopped");
    });
    CHECK(blamed >= 1);  // the last one left disturbs nobody
}

TEST_CASE("a kernel that leaves processes running is told so, and they are ended") {
    FakeBench bench("execute=leaves;good");
    const KernelResult result = bench.judge.result_of(fake_request());
    CHECK(to_string(result.verdict) == "kernel_crashed");
    CHECK(mentions(result.reason, "started a process that was still running when it ended"));
    CHECK(bench.judge.result_of(fake_request()).verdict == Verdict::Correct);
}

TEST_CASE("a hundred deaths leave no descriptor, zombie or folder behind") {
    FakeBench bench("execute=stage-segv");
    const auto die = [&](int times) {
        for (int i = 0; i < times; ++i) {
            const KernelResult result = bench.judge.result_of(fake_request());
            REQUIRE(to_string(result.verdict) == "kernel_crashed");
        }
    };
    die(2);
    const std::size_t before = open_descriptors(bench.judge.child.pid());
    die(100);
    CHECK(open_descriptors(bench.judge.child.pid()) < before + 10);  // the number fluctuates
    CHECK(bench.runners().size() >= 102);                            // and possibly a standby
    check_household(bench);
    const std::filesystem::path run = std::filesystem::path(KWB_TEST_CACHE) / "run";
    std::size_t folders = 0;
    for (const auto& judge : std::filesystem::directory_iterator(run))
        if (judge.is_directory())
            for ([[maybe_unused]] const auto& runner : std::filesystem::directory_iterator(judge)) ++folders;
    CHECK(folders <= 10);  // other judges of these tests may be running
}

TEST_CASE("thirty timeouts and thirty lies leave nothing behind either") {
    for (const char* what : {"build=stage-silent", "build=garbage"}) {
        CAPTURE(what);
        FakeBench bench(what);
        RunRequest request = fake_request();
        request.timeout_ms = 5;
        bench.judge.result_of(request);
        const std::size_t before = open_descriptors(bench.judge.child.pid());
        for (int i = 0; i < 30; ++i) CHECK(bench.judge.result_of(request).verdict != Verdict::Correct);
        CHECK(open_descriptors(bench.judge.child.pid()) < before + 10);  // the number fluctuates
        check_household(bench);
    }
}

TEST_CASE("failing starts leave nothing behind") {
    FakeBench bench("start=exit3");
    CHECK(bench.judge.ask(ListDevices{}).error);
    const std::size_t before = open_descriptors(bench.judge.child.pid());
    for (int i = 0; i < 20; ++i) CHECK(bench.judge.ask(ListDevices{}).error);
    CHECK(open_descriptors(bench.judge.child.pid()) < before + 10);  // the number fluctuates
    CHECK(!has_children(bench.judge.child.pid()));
}

TEST_CASE("stop ends a build or a launch that never ends, and the next request is served") {
    for (const char* what : {"build=stage-silent", "execute=stage-silent", "turn=stage-silent",
                             "execute=print", "upload=silent"}) {
        CAPTURE(what);
        FakeBench bench(std::string(what) + ";good");
        bench.judge.send(fake_request(Mode::Run));
        bench.wait_until_stuck();
        bench.judge.send(StopRun{});
        const JudgeAnswer answer = bench.judge.finish();
        REQUIRE(answer.done);
        CHECK(answer.done->stopped);
        REQUIRE(answer.results.size() == 1);
        CHECK(to_string(answer.results[0].verdict) == "skipped");
        CHECK(mentions(answer.results[0].reason, "stopped"));
        CHECK(!answer.results[0].wrong_elements);
        REQUIRE(!bench.runners().empty());
        CHECK(wait_for_end(bench.runners()[0]));
        CHECK(bench.judge.result_of(fake_request(Mode::Run)).verdict == Verdict::Correct);
    }
}

TEST_CASE("stop while drivers are asked is answered, and they can be asked again") {
    FakeBench bench("devices=silent;good");
    bench.judge.send(ListDevices{});
    bench.wait_until_stuck();
    bench.judge.send(StopRun{});
    const JudgeAnswer stopped = bench.judge.finish();
    REQUIRE(stopped.devices);
    CHECK(stopped.devices->starting.size() == 1);
    // The next request keeps waiting for the same runner until its time limit; only then is a new one
    // started.
    const JudgeAnswer late = bench.judge.ask(ListDevices{});
    REQUIRE(late.devices);
    CHECK(late.devices->failures.size() == 1);
    CHECK(bench.runners().size() == 1);
    CHECK(wait_for_end(bench.runners()[0]));
    REQUIRE(bench.judge.ask(ListDevices{}).devices);
    CHECK(bench.runners().size() == 2);
}

TEST_CASE("stop in the midst of timing keeps what was measured") {
    FakeBench bench("good");
    RunRequest request = fake_request(Mode::Run, 2);
    request.rounds = 1'000'000;
    bench.judge.send(request);
    for (;;) {
        const JudgeEvent event = bench.judge.next_event();
        const auto* progress = std::get_if<Progress>(&event);
        REQUIRE((progress != nullptr || std::holds_alternative<ResultEvent>(event)));
        if (progress != nullptr && progress->stage == "time" && progress->rounds >= 10) break;
    }
    bench.judge.send(StopRun{});
    const JudgeAnswer answer = bench.judge.finish();
    REQUIRE(answer.done);
    CHECK(answer.done->stopped);
    REQUIRE(answer.results.size() == 2);
    for (const KernelResult& result : answer.results) {
        CHECK(result.verdict == Verdict::Correct);
        CHECK(result.samples_ms.size() >= 10);
        CHECK(result.median_ms.has_value());
        REQUIRE(!result.warnings.empty());
        CHECK(result.warnings.back().code == FindingCode::Stopped);
    }
}

TEST_CASE(
    "a verdict is told at once, and a step that lasts tells whose it is, since when and how long it may") {
    FakeBench bench("build=silent");
    RunRequest request = fake_request(Mode::Run, 2);
    request.timeout_ms = 600'000;
    request.contestants[0].kernel->refusal = remark("refused before it was built");
    bench.judge.send(request);
    std::vector<ResultEvent> settled;
    double elapsed_ms = 0;
    while (elapsed_ms < 1000) {
        const JudgeEvent event = bench.judge.next_event();
        if (const auto* result = std::get_if<ResultEvent>(&event)) {
            settled.push_back(*result);
            continue;
        }
        const auto* progress = std::get_if<Progress>(&event);
        REQUIRE(progress != nullptr);
        CHECK(progress->stage == "build");
        CHECK(progress->kernel == request.contestants[1].name());
        CHECK(progress->limit_ms == 600'000);
        elapsed_ms = progress->elapsed_ms;
    }
    REQUIRE(settled.size() == 1);  // reported once
    CHECK(settled[0].index == 0);
    CHECK(!settled[0].is_final);
    CHECK(settled[0].result.verdict == Verdict::Constraint);
    CHECK(settled[0].result.reason == "refused before it was built");
    bench.judge.send(StopRun{});
    CHECK(bench.judge.finish().results.at(0).verdict == Verdict::Constraint);
}

TEST_CASE("checks name each contestant as they begin, turns are told of when they have ended") {
    FakeBench bench("good");
    std::vector<std::string> checked;
    bool has_timed = false;
    const JudgeAnswer answer = bench.judge.ask(fake_request(Mode::Run, 3));
    for (const Progress& progress : answer.progress) {
        if (progress.stage.starts_with("check")) {
            CHECK_FALSE(has_timed);
            checked.push_back(progress.stage + progress.kernel);
        } else if (progress.stage != "build") {
            CHECK(progress.stage == "time");
            has_timed = true;
        }
    }
    std::sort(checked.begin(), checked.end());
    CHECK(checked.size() == 6);  // two passes each
    CHECK(std::unique(checked.begin(), checked.end()) == checked.end());
    CHECK(has_timed);
}

TEST_CASE(
    "results grow as turns end: each sample is sent once, in order, and the final results hold them all") {
    FakeBench bench("good");
    const JudgeAnswer answer = bench.judge.ask(fake_request(Mode::Run, 3));
    REQUIRE(!answer.partial_results.empty());
    CHECK(answer.partial_results.front().result.samples_ms.size() == 1);  // sent at the end of the first turn
    std::vector<std::vector<double>> grown(3);
    for (const ResultEvent& event : answer.partial_results) {
        CHECK(!event.result.judged);
        CHECK(event.samples_before == grown.at(event.index).size());
        grown[event.index].insert(grown[event.index].end(), event.result.samples_ms.begin(),
                                  event.result.samples_ms.end());
        CHECK(event.result.median_ms.has_value());
    }
    for (std::size_t i = 0; i < grown.size(); ++i) {
        const std::vector<double>& all = answer.results.at(i).samples_ms;
        CHECK(answer.results[i].judged);
        REQUIRE(grown[i].size() <= all.size());
        CHECK(std::equal(grown[i].begin(), grown[i].end(), all.begin()));
    }
}

TEST_CASE("a judge without its runner says what to install") {
    const Folder folder;
    JudgeClient judge(
        {KWB_JUDGE_PROGRAM, (folder.path / "no-such-runner").string(), {{"KWB_CACHE_DIR", KWB_TEST_CACHE}}});
    for (int i = 0; i < 2; ++i) {
        const JudgeAnswer answer = judge.ask(ListDevices{});
        REQUIRE(answer.error);
        CHECK(mentions(*answer.error, "no-such-runner"));
        CHECK(mentions(*answer.error, "install kwb-runner"));
    }
    CHECK(judge.close().code == 0);
}

// The runner that warms up between requests.

namespace {

/// A judge that has listed its devices and keeps a runner ready.
struct ReadyBench : FakeBench {
    explicit ReadyBench(const std::string& runners) : FakeBench(runners, {"fake.icd"}, true) {
        judge.ask(ListDevices{});
        judge.send(ExpectRuns{"fake:0"});
    }
};

/// Of a text of one's own.
RunRequest own_request(const std::string& text) {
    RunRequest request = fake_request();
    request.contestants[0].kernel->trust = Trust::Own;
    request.contestants[0].kernel->source_text = text;
    return request;
}

}  // namespace

TEST_CASE("where runs are expected, each new text finds a runner that nobody has used") {
    ReadyBench bench("good");
    for (std::size_t edit = 0; edit < 3; ++edit) {
        bench.wait_for_runners(2 + edit);
        CHECK(bench.judge.result_of(own_request(std::to_string(edit))).verdict == Verdict::Correct);
    }
    for (const std::size_t used : {1u, 2u}) CHECK(wait_for_end(bench.runners()[used]));  // by the first texts
    std::size_t caches = 0;
    for (const auto& entry : std::filesystem::directory_iterator(bench.folder.path / "cache/pocl/own"))
        if (entry.is_directory() && !entry.is_symlink()) ++caches;
    CHECK(caches == 3);
    bench.wait_for_runners(5);
    CHECK(bench.judge.close().code == 0);
    check_all_gone(bench);
}

TEST_CASE("where no runs are expected, no runner is made ready") {
    FakeBench bench("good", {"fake.icd"}, true);
    for (std::size_t edit = 0; edit < 3; ++edit) {
        CHECK(bench.judge.result_of(own_request(std::to_string(edit))).verdict == Verdict::Correct);
        CHECK(bench.runners().size() == 1 + edit);
    }
}

TEST_CASE("a text that was compiled in an earlier session goes on using its cache") {
    ReadyBench bench("good");
    for (const char* text : {"a", "b"})
        CHECK(bench.judge.result_of(own_request(text)).verdict == Verdict::Correct);
    bench.wait_for_runners(4);  // that of the drivers, one for each text, one that is ready
    CHECK(bench.judge.result_of(own_request("a")).verdict == Verdict::Correct);
    CHECK(bench.runners().size() == 5);
    CHECK(is_running(bench.runners()[3]));
}

TEST_CASE("runners that die while they warm up are given up, and runs do without") {
    for (const char* runners : {"good;warm_up=segv", "good;warm_up=garbage",
                                "good;open=exit3;open=exit3;good", "good;start=exit3;start=exit3;good"}) {
        CAPTURE(runners);
        ReadyBench bench(runners);
        bench.wait_for_runners(3);
        for (std::size_t edit = 0; edit < 3; ++edit) {
            CHECK(bench.judge.result_of(own_request(std::to_string(edit))).verdict == Verdict::Correct);
            CHECK(bench.runners().size() == 4 + edit);
        }
    }
}

TEST_CASE("a driver that cannot warm up loses nothing, one that hangs in it only a moment") {
    ReadyBench refuses("good;warm_up=failed;warm_up=failed;good");
    refuses.wait_for_runners(3);
    CHECK(refuses.judge.result_of(own_request("a")).verdict == Verdict::Correct);
    ReadyBench hangs("good;warm_up=silent;good");
    hangs.wait_until_stuck();
    CHECK(hangs.judge.result_of(own_request("a")).verdict == Verdict::Correct);
    CHECK(wait_for_end(hangs.runners()[1]));
}

TEST_CASE("a runner that warms up is stopped while something is timed, and goes on when it is needed") {
    ReadyBench bench("turn=stage-silent;warm_up=silent;good");
    bench.wait_until_stuck();
    std::filesystem::remove(bench.folder.path / "log.stuck");
    bench.judge.send(fake_request(Mode::Run));  // by the runner that has listed the devices
    bench.wait_until_stuck();
    const pid_t warming = bench.runners()[1];
    CHECK(std::ranges::any_of(list_processes(), [&](const ListedProcess& process) {
        return process.pid == warming && process.state == 'T';
    }));
    bench.judge.send(StopRun{});
    CHECK(bench.judge.finish().done->stopped);
    CHECK(bench.judge.result_of(own_request("a")).verdict == Verdict::Correct);
    CHECK(bench.judge.close().code == 0);
    check_all_gone(bench);
}

// Front ends that violate the protocol.

namespace {

/// Run a judge whose standard input is `bytes` followed by end-of-file.
std::pair<int, std::string> feed(const std::string& bytes) {
    const Folder folder;
    const auto in = folder.path / "in";
    {
        std::FILE* file = std::fopen(in.c_str(), "w");
        REQUIRE(file != nullptr);
        std::fwrite(bytes.data(), 1, bytes.size(), file);
        std::fclose(file);
    }
    const std::string command = "KWB_CACHE_DIR='" KWB_TEST_CACHE "' '" KWB_JUDGE_PROGRAM
                                "' --runner /nonexistent < '" +
                                in.string() + "' 2> '" + (folder.path / "err").string() + "' > /dev/null";
    const int status = std::system(command.c_str());
    std::string error(4096, '\0');
    std::FILE* file = std::fopen((folder.path / "err").c_str(), "r");
    error.resize(std::fread(error.data(), 1, error.size(), file));
    std::fclose(file);
    REQUIRE(WIFEXITED(status));
    return {WEXITSTATUS(status), error};
}

std::string frame(const std::string& json) {
    return frame_header(json.size(), 0) + json;
}

}  // namespace

TEST_CASE("anything but a valid request ends the judge with code 2 and a reason") {
    for (const std::string& bytes :
         {std::string("kwb run matmul/naive\n"), frame("{"), frame("[]"), frame("{\"type\": 7}"),
          frame("{\"type\": \"surprise\"}"), frame("{\"type\": \"run\"}"),
          frame("{\"type\": \"run\", \"request\": {\"mode\": \"fly\"}}"), frame_header(1u << 31, 0)}) {
        CAPTURE(bytes);
        const auto [code, error] = feed(bytes);
        CHECK(code == 2);
        CHECK(mentions(error, "kwb-judge: "));
    }
}

TEST_CASE("an input that ends, also within a message, ends the judge quietly") {
    for (const std::string& bytes : {std::string(), frame("{\"type\": \"stop\"}"), std::string("KWB\x01"),
                                     frame_header(100, 0) + "{\"type\""}) {
        const auto [code, error] = feed(bytes);
        CHECK(code == 0);
        CHECK(error.empty());
    }
}

TEST_CASE("a late stop is skipped") {
    FakeBench bench("good");
    bench.judge.send(StopRun{});
    bench.judge.send(StopRun{});
    CHECK(bench.judge.result_of(fake_request()).verdict == Verdict::Correct);
    bench.judge.send(StopRun{});
    CHECK(bench.judge.ask(ListDevices{}).devices);
}

TEST_CASE("a request before the last one is answered ends the judge and its runner") {
    FakeBench bench("execute=stage-silent");
    bench.judge.send(fake_request());
    bench.judge.send(ListDevices{});
    const auto status = bench.judge.child.wait(deadline_after_ms(kPatienceMs));
    REQUIRE(status);
    CHECK(status->code == 2);
    for (const pid_t pid : bench.runners()) CHECK(wait_for_end(pid));
}

TEST_CASE("a problem that nobody knows is an error in words, not the judge's end") {
    FakeBench bench("good");
    RunRequest request = fake_request();
    request.problem = "alchemy";
    const JudgeAnswer answer = bench.judge.ask(request);
    REQUIRE(answer.error);
    CHECK(mentions(*answer.error, "unknown problem 'alchemy'"));
    CHECK(bench.judge.result_of(fake_request()).verdict == Verdict::Correct);
}

TEST_CASE("a kernel without launches and one without a needed size are refused, and the judge lives on") {
    FakeBench bench("good");
    RunRequest idle = fake_request();
    idle.contestants[0].kernel->launches.clear();
    const JudgeAnswer answer = bench.judge.ask(idle);
    REQUIRE(answer.results.size() == 1);
    CHECK(mentions(answer.results[0].reason, "how to launch"));

    RunRequest sizeless = fake_request();
    sizeless.sizes = {{"M", 5}};
    CHECK(bench.judge.ask(sizeless).error);
    CHECK(bench.judge.result_of(fake_request()).verdict == Verdict::Correct);
}

TEST_CASE("sizes beyond all memory are a constraint with the numbers, and no runner is asked for them") {
    FakeBench bench("good");
    RunRequest request = fake_request();
    request.sizes = {{"M", 2'000'000'000}, {"N", 2'000'000'000}, {"K", 1}};
    const KernelResult result = bench.judge.result_of(request);
    CHECK(to_string(result.verdict) == "constraint");
    CHECK(mentions(result.reason, "Choose a smaller size"));
    CHECK(bench.judge.result_of(fake_request()).verdict == Verdict::Correct);
}

TEST_CASE("the host's own library needs no runner") {
    FakeBench bench("start=exit3");
    RunRequest request = fake_request(Mode::Run, 0);
    request.contestants.push_back({});
    const KernelResult result = bench.judge.result_of(request);
    CHECK(result.kernel == kHostBlasName);
    CHECK(result.verdict == Verdict::Correct);
    CHECK(result.samples_ms.size() == 2);
    CHECK(bench.runners().empty());
}

#ifdef __x86_64__
TEST_CASE("the judge sees to it that the library uses the processor, and respects a person's choice") {
    const auto library = [] {
        FakeBench bench("start=exit3");
        RunRequest request = fake_request(Mode::Run, 0);
        request.contestants.push_back({});
        return bench.judge.result_of(request).library.value_or("");
    };
    ::unsetenv("OPENBLAS_CORETYPE");
    const std::string own = library();
    const std::size_t begin = own.find('(') + 1;
    CAPTURE(own);
    REQUIRE(mentions(own, " kernels"));
    CHECK(!better_blas_kernels(own.substr(begin, own.find(" kernels") - begin), processor_vectors()));
    ::setenv("OPENBLAS_CORETYPE", "Prescott", 1);
    CHECK(mentions(library(), "(Prescott kernels by OPENBLAS_CORETYPE=Prescott, "));
    ::unsetenv("OPENBLAS_CORETYPE");
}
#endif

TEST_CASE("a refused plan is a constraint in its own words and is not built") {
    FakeBench bench("build=stage-segv");
    RunRequest request = fake_request();
    request.contestants[0].kernel->refusal = remark("the requirement \"fits\" does not hold");
    const KernelResult result = bench.judge.result_of(request);
    CHECK(to_string(result.verdict) == "constraint");
    CHECK(result.reason == "the requirement \"fits\" does not hold");
}
