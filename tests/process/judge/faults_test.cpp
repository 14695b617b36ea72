// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "fake_bench.hpp"
#include "support/patience.hpp"

using namespace kwb;
using namespace kwb::test;

// A runner failure in the middle of a run affects only that verdict; the next request is served normally.

namespace {

using Mode = RunRequest::Mode;

struct Fault {
    const char* what;  ///< item of KWB_FAKE_RUNNER
    Verdict verdict;
    const char* reason;  ///< substring of the expected reason
};

/// Run a request in which the first runner has a fault. Then a good run must succeed, with a second runner if
/// the first one was terminated.
/// @return  the result of the faulty run
KernelResult suffer(const std::string& what, Mode mode = Mode::Check, double timeout_ms = 120'000) {
    CAPTURE(what);
    FakeBench bench(what + ";good");
    RunRequest request = fake_request(mode);
    request.timeout_ms = timeout_ms;
    JudgeAnswer answer = bench.judge.ask(request);
    REQUIRE(!answer.error);
    REQUIRE(answer.results.size() == 1);
    CHECK(answer.done.has_value());

    const pid_t first = bench.runners().front();
    const KernelResult next = bench.judge.result_of(fake_request(mode));
    // The first runner serves this request, too, or it was terminated: a large process takes a while to end.
    if (next.verdict != answer.results[0].verdict) {
        CHECK_MESSAGE(next.verdict == Verdict::Correct, next.reason);
        CHECK(wait_for_end(first));
    } else if (next.verdict != Verdict::Correct) {
        CHECK(is_running(first));
    }
    CHECK(bench.judge.close().code == 0);
    for (const pid_t pid : bench.runners()) CHECK(wait_for_end(pid));
    return answer.results[0];
}

void expect(std::initializer_list<Fault> faults, Mode mode = Mode::Check) {
    for (const Fault& fault : faults) {
        CAPTURE(fault.what);
        const KernelResult result = suffer(fault.what, mode);
        CHECK(to_string(result.verdict) == to_string(fault.verdict));
        CHECK_MESSAGE(mentions(result.reason, fault.reason), result.reason);
    }
}

}  // namespace

TEST_CASE("an honest fake runner is correct, in check and in run") {
    for (const Mode mode : {Mode::Check, Mode::Run}) {
        FakeBench bench("good");
        const KernelResult result = bench.judge.result_of(fake_request(mode));
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
        CHECK(result.samples_ms.size() == (mode == Mode::Run ? 2 : 0));
    }
}

TEST_CASE("a death during compilation is attributed to the compiler, with signal or exit code") {
    expect({{"build=stage-segv", Verdict::CompilerCrashed, "SIGSEGV"},
            {"build=stage-abort", Verdict::CompilerCrashed, "SIGABRT"},
            {"build=stage-exit3", Verdict::CompilerCrashed, "exit code 3"},
            {"build=stage-exit0", Verdict::CompilerCrashed, "exit code 0"}});
    const KernelResult result = suffer("build=stage-segv");
    REQUIRE(result.evidence);
    CHECK(result.evidence->stage == "compile");
    CHECK(result.evidence->signal == "SIGSEGV");
    CHECK(mentions(result.log, "my last words"));
    CHECK(!suffer("build=stage-exit3").evidence->signal);
}

TEST_CASE("a death during a launch is attributed to the kernel") {
    expect({{"execute=stage-segv", Verdict::KernelCrashed, "SIGSEGV"},
            {"execute=stage-kill", Verdict::Skipped, "SIGKILL"},
            {"execute=stage-exit0", Verdict::KernelCrashed, "exit code 0"}});
    const KernelResult result = suffer("execute=stage-segv");
    REQUIRE(result.evidence);
    CHECK(result.evidence->stage == "launch");
    CHECK(result.evidence->signal == "SIGSEGV");
    CHECK(mentions(result.output, "my last words"));
}

TEST_CASE("a death in any other stage is attributed to the driver") {
    for (const char* when : {"open", "build", "buffers", "upload", "execute"})
        for (const char* how : {"segv", "exit3", "half"}) {
            const KernelResult result = suffer(std::string(when) + "=" + how, Mode::Run);
            CAPTURE(when);
            CAPTURE(how);
            CHECK(to_string(result.verdict) == "launch_error");
            CHECK(mentions(result.reason, "outside compilation and launches"));
        }
}

TEST_CASE("silence is a timeout that names the stage") {
    const auto silent = [](const char* what, const char* reason) {
        double limit_ms = 0;
        const KernelResult result = ask_with_growing_limit(
            100,
            [&](double ms) {
                limit_ms = ms;
                return suffer(what, Mode::Run, ms);
            },
            [&](const KernelResult& seen) { return mentions(seen.reason, reason); });
        // What opens a device has a limit of its own.
        std::ostringstream limit;
        limit << (mentions(what, "open") ? 3 : limit_ms / 1000) << " s";
        CHECK_MESSAGE(mentions(result.reason, reason + limit.str()), result.reason);
        return result;
    };
    const KernelResult compile = silent("build=stage-silent", "compiler did not finish within ");
    CHECK(to_string(compile.verdict) == "timeout");
    CHECK(compile.evidence->stage == "compile");
    const KernelResult launch = silent("execute=stage-silent", "exceeded ");
    CHECK(to_string(launch.verdict) == "timeout");
    for (const char* what : {"open=silent", "buffers=silent", "upload=silent", "build=drip"}) {
        CAPTURE(what);
        CHECK(to_string(silent(what, "driver did not answer within ").verdict) == "timeout");
    }
}

TEST_CASE("anything but a valid message ends the runner") {
    for (const char* what : {"garbage", "oversized", "attachment", "no-json", "no-object", "no-type", "deep",
                             "many-values", "unknown", "other-answer", "missing-field"}) {
        CAPTURE(what);
        const KernelResult compile = suffer(std::string("build=stage-") + what);
        CHECK(to_string(compile.verdict) == "compiler_crashed");
        CHECK(mentions(compile.reason, "invalid data"));
    }
    for (const char* what : {"garbage", "oversized", "no-type", "unknown", "other-answer"}) {
        CAPTURE(what);
        const KernelResult launch = suffer(std::string("execute=stage-") + what);
        CHECK(to_string(launch.verdict) == "kernel_crashed");
        CHECK(mentions(launch.reason, "invalid data"));
    }
    CHECK(mentions(suffer("upload=other-kind", Mode::Run).reason, "a reply to another request"));
}

TEST_CASE("a runner that talks or prints without end does not hold the judge for ever") {
    for (const char* what : {"build=babble", "execute=babble", "build=stage-print", "execute=print"}) {
        CAPTURE(what);
        const auto is_blamed = [&](const KernelResult& seen) {
            return mentions(seen.reason, "in total") == mentions(what, "babble");
        };
        const KernelResult result = ask_with_growing_limit(
            200, [&](double ms) { return suffer(what, Mode::Check, ms); }, is_blamed);
        CHECK(to_string(result.verdict) == "timeout");
        CHECK_MESSAGE(is_blamed(result), result.reason);
        CHECK(result.output.size() + result.log.size() < 80'000);
    }
}

TEST_CASE("impossible times are rejected as garbage") {
    expect({{"build=negative", Verdict::CompilerCrashed, "invalid data"},
            {"build=nan", Verdict::CompilerCrashed, "invalid data"},
            {"execute=negative", Verdict::KernelCrashed, "invalid data"},
            {"execute=nan", Verdict::KernelCrashed, "invalid data"},
            {"execute=infinite", Verdict::KernelCrashed, "invalid data"}});
    expect({{"upload=negative", Verdict::KernelCrashed, "invalid data"},
            {"turn=negative", Verdict::KernelCrashed, "invalid data"},
            {"turn=nan", Verdict::KernelCrashed, "invalid data"},
            {"turn=no-launches", Verdict::KernelCrashed, "impossible times"},
            {"turn=many-launches", Verdict::KernelCrashed, "impossible times"},
            {"turn=slower-than-time", Verdict::KernelCrashed, "impossible times"}},
           Mode::Run);
}

TEST_CASE("impossible stages, faults and descriptions are rejected as garbage") {
    expect({{"build=stage-other-stage", Verdict::CompilerCrashed, "a stage that this request"},
            {"build=fault", Verdict::KernelCrashed, "a fault outside any launch"},
            {"build=nameless", Verdict::CompilerCrashed, "a function without a name"},
            {"build=long-name", Verdict::CompilerCrashed, "a function without a name"},
            {"build=many-functions", Verdict::CompilerCrashed, "more functions"},
            {"build=many-arguments", Verdict::CompilerCrashed, "more arguments"}},
           Mode::Run);
    expect({{"execute=stage-late-compile", Verdict::KernelCrashed, "a stage that this request"},
            {"execute=stage-fault-twice", Verdict::KernelCrashed, "a second fault"},
            {"execute=fault", Verdict::KernelCrashed, "a fault before any launch"},
            {"execute=stage-fault-buffer", Verdict::KernelCrashed, "a buffer that does not exist"},
            {"execute=stage-fault-far", Verdict::KernelCrashed, "offset must be a whole number from"},
            {"execute=stage-fault-item", Verdict::KernelCrashed, "a work-item that does not exist"},
            {"execute=fault-and-answer", Verdict::KernelCrashed, "a reply after a fault"},
            {"upload=stage-other-stage", Verdict::KernelCrashed, "a stage that this request"}},
           Mode::Run);
}

TEST_CASE("a runner that closes its ends and lives on is ended, with a sentence") {
    expect({{"build=stage-closes", Verdict::CompilerCrashed, "closed its end"},
            {"execute=stage-closes", Verdict::KernelCrashed, "closed its end"}},
           Mode::Run);
}

TEST_CASE("a runner that takes more memory than its buffers explain is ended, and told by how much") {
    expect({{"build=stage-hoards", Verdict::CompilerCrashed, "the compiler exceeded"},
            {"execute=stage-hoards", Verdict::KernelCrashed, "exceeded"}},
           Mode::Run);
}

TEST_CASE("a runner that cannot be confined is a driver that cannot be used, and the way out is named") {
    for (const char* what : {"segv", "exit3", "failed", "garbage", "other-answer"}) {
        CAPTURE(what);
        FakeBench bench(std::string("confine=") + what);
        const JudgeAnswer answer = bench.judge.ask(ListDevices{});
        REQUIRE(answer.devices);
        CHECK(answer.devices->devices.empty());
        REQUIRE(answer.devices->failures.size() == 1);
        CHECK(mentions(answer.devices->failures[0].reason, "--no-sandbox"));
    }
}

TEST_CASE("where a runner reports times of zero, the judge's own clock counts, and that is said") {
    FakeBench bench("turn=zeros");
    const KernelResult result = bench.judge.result_of(fake_request(Mode::Run));
    CHECK(result.verdict == Verdict::Correct);
    CHECK(result.median_ms > 0);
    CHECK(std::ranges::any_of(
        result.warnings, [](const Finding& warning) { return warning.code == FindingCode::NoDeviceClock; }));
}

TEST_CASE(
    "a failure reported by the runner is a launch error with its message, and after a launch the runner is "
    "replaced") {
    for (const char* when : {"open", "build", "buffers", "upload", "execute"}) {
        CAPTURE(when);
        FakeBench bench(std::string(when) + "=failed");
        const KernelResult result = bench.judge.result_of(fake_request());
        CHECK(to_string(result.verdict) == "launch_error");
        CHECK(mentions(result.reason, "clFake failed with CL_OUT_OF_FAKES (-99): there are none. Buy some"));
        bench.judge.result_of(fake_request());
        // A runner that cannot open its device is useless, and after a failed launch its state is undefined.
        const bool is_kept = std::string(when) != "open" && std::string(when) != "execute";
        if (is_kept)
            CHECK(is_running(bench.runners().front()));
        else
            CHECK(wait_for_end(bench.runners().front()));
    }
}

TEST_CASE("rejected source is a compile error with its line, and no runner dies of it") {
    FakeBench bench("build=rejected");
    const KernelResult result = bench.judge.result_of(fake_request());
    CHECK(to_string(result.verdict) == "compile_error");
    CHECK(mentions(result.reason, "fake/a.cl:1:3: no such thing"));
    CHECK(mentions(result.reason, "// fake/a"));
    REQUIRE(result.diagnostics.size() == 1);
    CHECK(result.diagnostics[0].column == 3);
    CHECK(is_running(bench.runners().front()));
}

TEST_CASE("a build without functions and one with megabytes of log are taken as they are") {
    CHECK(mentions(suffer("build=no-functions;good").reason, "the built program has none at all"));
    FakeBench bench("build=long-log");
    CHECK(bench.judge.result_of(fake_request()).verdict == Verdict::Correct);
}

TEST_CASE("data from the runner is checked, not trusted") {
    expect({{"execute=writes-nothing", Verdict::Wrong, "elements of C were never written"},
            {"execute=strays", Verdict::OutOfBounds, "element 30 of C"},
            {"execute=strays-before", Verdict::OutOfBounds, "element -1 of B"},
            {"execute=changes-input", Verdict::Wrong, "changed its input A, first at A[0][1]"}});
    expect({{"turn=writes-nothing", Verdict::Wrong, "right at first, but wrong in a timed run"},
            {"turn=strays", Verdict::OutOfBounds, "element 30 of C"},
            {"turn=changes-input", Verdict::Wrong, ""}},
           Mode::Run);
}

TEST_CASE("a second answer to one question is garbage for the next question") {
    FakeBench bench("execute=answers-twice;good");
    const KernelResult result = bench.judge.result_of(fake_request(Mode::Run));
    CHECK(result.verdict != Verdict::Correct);
    // The garbage may also arrive after the next request was sent, and is then taken as a malformed reply to
    // that request.
    CHECK_MESSAGE((mentions(result.reason, "sent invalid data") || mentions(result.reason, "timed run")),
                  result.reason);
    CHECK(bench.judge.result_of(fake_request()).verdict == Verdict::Correct);
}

TEST_CASE("a death affects only one contestant") {
    FakeBench bench("execute=stage-segv;good");
    const JudgeAnswer answer = bench.judge.ask(fake_request(Mode::Run, 3));
    REQUIRE(answer.results.size() == 3);
    CHECK(to_string(answer.results[0].verdict) == "kernel_crashed");
    CHECK(to_string(answer.results[1].verdict) == "correct");
    CHECK(to_string(answer.results[2].verdict) == "correct");
    CHECK(answer.results[1].samples_ms.size() == 2);
    bench.wait_for_runners(3);
    CHECK(bench.runners().size() == 3);  // the dead one, its successor and the new standby
}

TEST_CASE("a death in a timed turn keeps the others' rounds and leaves no speed-up to the dead") {
    FakeBench bench("turn=stage-segv;good");
    const JudgeAnswer answer = bench.judge.ask(fake_request(Mode::Run, 2));
    int dead = 0;
    for (const KernelResult& result : answer.results) {
        CHECK(!result.speedup);
        if (result.verdict == Verdict::Correct) {
            CHECK(result.samples_ms.size() == 2);
            continue;
        }
        ++dead;
        CHECK(to_string(result.verdict) == "kernel_crashed");
        CHECK(!result.median_ms);
        // The exact check found no error; the other check did not finish.
        CHECK(!result.wrong_elements);
    }
    CHECK(dead == 1);
}

TEST_CASE("the timeout of a kernel that prints says that its output is lost") {
    FakeBench bench("execute=stage-silent");
    RunRequest request = fake_request(Mode::Run);
    const auto result_of = [&] {
        return ask_with_growing_limit(
            100,
            [&](double ms) {
                request.timeout_ms = ms;
                return bench.judge.result_of(request);
            },
            [](const KernelResult& seen) {
                return mentions(seen.reason, "Possible causes are a loop that never ends");
            });
    };
    CHECK(!mentions(result_of().reason, "printed"));
    request.contestants[0].kernel->source_text += "printf(\"a\");";
    const KernelResult result = result_of();
    CHECK(to_string(result.verdict) == "timeout");
    CHECK(mentions(result.reason, "Its output is lost"));
}

// Drivers that fail during device enumeration, and runners that fail at start.

namespace {

void check_serves_again(FakeBench& bench) {
    const JudgeAnswer again = bench.judge.ask(ListDevices{});
    REQUIRE_MESSAGE(again.devices, again.error.value_or(""));
    REQUIRE(again.devices->devices.size() == 1);
    CHECK(again.devices->devices[0].id == "fake:0");
    CHECK(bench.judge.result_of(fake_request()).verdict == Verdict::Correct);
    CHECK(bench.judge.close().code == 0);
    for (const pid_t pid : bench.runners()) CHECK(wait_for_end(pid));
}

}  // namespace

TEST_CASE("a device list names device and driver file, and its runner serves the run that follows") {
    FakeBench bench("good");
    const JudgeAnswer answer = bench.judge.ask(ListDevices{});
    REQUIRE(answer.devices);
    REQUIRE(answer.devices->devices.size() == 1);
    CHECK(answer.devices->failures.empty());
    CHECK(mentions(answer.devices->devices[0].driver_file, "fake.icd"));
    RunRequest request = fake_request();
    request.contestants[0].kernel->trust = Trust::Shipped;
    bench.judge.result_of(request);
    bench.wait_for_runners(2);
    CHECK(bench.runners().size() == 2);  // this runner and a standby
}

TEST_CASE("a runner that cannot greet is an error with its reason, and the next request is served") {
    struct Case {
        const char* what;
        const char* reason;
    };
    for (const Case& c : {Case{"start=garbage", "sent a message that kwb-judge cannot read"},
                          {"start=half", "ended at its start"},
                          {"start=exit0", "ended at its start (exit code 0)"},
                          {"start=exit3", "exit code 3"},
                          {"start=segv", "SIGSEGV"},
                          {"start=version", "99.9.9"},
                          {"start=stranger", "kwb-stranger"},
                          {"start=bare-hello", "kwb-runner"},
                          {"start=unknown", "instead of a greeting"},
                          {"start=no-type", "sent a message that kwb-judge cannot read"},
                          {"start=oversized", "exceeds the limits"}}) {
        INFO(c.what);
        FakeBench bench(std::string(c.what) + ";good");
        const JudgeAnswer answer = bench.judge.ask(ListDevices{});
        REQUIRE(answer.error);
        CHECK_MESSAGE(mentions(*answer.error, c.reason), *answer.error);
        check_serves_again(bench);
    }
}

TEST_CASE("the last words of a runner that ended at its start are told") {
    FakeBench bench("start=exit3;good");
    CHECK(mentions(*bench.judge.ask(ListDevices{}).error, "these are my last words"));
}

TEST_CASE("a driver that fails while it is asked is reported with its file") {
    for (const char* what : {"segv", "abort", "exit0", "garbage", "half", "failed", "oversized", "unknown",
                             "other-answer", "no-object", "negative", "huge-align"}) {
        CAPTURE(what);
        FakeBench bench(std::string("devices=") + what + ";good");
        const JudgeAnswer answer = bench.judge.ask(ListDevices{});
        REQUIRE(answer.devices);
        CHECK(answer.devices->devices.empty());
        REQUIRE(answer.devices->failures.size() == 1);
        CHECK(mentions(answer.devices->failures[0].driver_file, "fake.icd"));
        CHECK(!answer.devices->failures[0].reason.empty());
        check_serves_again(bench);
    }
}

TEST_CASE("a broken driver hides no other, wherever it stands in the list") {
    FakeBench bench("good",
                    {"a.icd", "devices=segv.icd", "devices=garbage.icd", "devices=none.icd", "z.icd"});
    const JudgeAnswer answer = bench.judge.ask(ListDevices{});
    REQUIRE(answer.devices);
    REQUIRE(answer.devices->failures.size() == 2);
    CHECK(answer.devices->failures[0].kind == DriverFailure::Kind::Crashed);
    REQUIRE(answer.devices->idle_drivers.size() == 1);
    CHECK(mentions(answer.devices->idle_drivers[0].driver_file, "devices=none.icd"));
    REQUIRE(answer.devices->devices.size() == 2);
    CHECK(answer.devices->devices[0].id == "fake:0");
    CHECK(answer.devices->devices[1].id == "fake:1");
    CHECK(mentions(answer.devices->devices[1].driver_file, "z.icd"));
    RunRequest request = fake_request();
    request.device = "fake:1";
    CHECK(bench.judge.result_of(request).verdict == Verdict::Correct);
}

TEST_CASE("a run for a device that is not there is an error, and the device may come later") {
    FakeBench bench("devices=none;good");
    const JudgeAnswer answer = bench.judge.ask(fake_request());
    REQUIRE(answer.error);
    CHECK(mentions(*answer.error, "'fake:0' is no longer available"));
    check_serves_again(bench);
}

TEST_CASE("absurd claims about devices neither end the judge nor fool it") {
    FakeBench bench("devices=absurd");
    const JudgeAnswer answer = bench.judge.ask(ListDevices{});
    REQUIRE(answer.devices);
    CHECK(answer.devices->devices.size() == 500);
    CHECK(answer.devices->devices.back().id == "fake:499");
    CHECK(bench.judge.result_of(fake_request()).verdict == Verdict::Correct);

    RunRequest huge = fake_request();
    huge.contestants[0].kernel->scratch.push_back({"T", {{Scalar::Float32, 1}, std::uint64_t{1} << 61}});
    const JudgeAnswer refused = bench.judge.ask(huge);
    if (!refused.error) CHECK(refused.results.at(0).verdict != Verdict::Correct);
    CHECK(bench.judge.result_of(fake_request()).verdict == Verdict::Correct);
}

TEST_CASE("a device without memory can hold nothing: a constraint, said before any launch") {
    FakeBench bench("devices=poor");
    const KernelResult result = bench.judge.result_of(fake_request());
    CHECK(to_string(result.verdict) == "constraint");
    CHECK(mentions(result.reason, "buffer A needs"));
}
