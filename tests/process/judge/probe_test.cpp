// Drivers that fail while they are asked for their devices, and runners that fail at their start.
#include "fake_bench.hpp"

using namespace kwb;
using namespace kwb::test;

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
    CHECK(bench.runners().size() == 2);  // it, and a standby
}

TEST_CASE("a runner that cannot greet is an error with its reason, and the next request is served") {
    struct Case {
        const char* what;
        const char* reason;
    };
    for (const Case& c : {Case{"start=garbage", "does not speak our protocol"},
                          {"start=half", "ended at its start"},
                          {"start=exit0", "ended at its start (exit code 0)"},
                          {"start=exit3", "exit code 3"},
                          {"start=segv", "SIGSEGV"},
                          {"start=version", "99.9.9"},
                          {"start=stranger", "kwb-stranger"},
                          {"start=bare-hello", "kwb-runner"},
                          {"start=unknown", "did not greet"},
                          {"start=no-type", "does not speak our protocol"},
                          {"start=oversized", "larger than allowed"}}) {
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
    CHECK(mentions(*answer.error, "'fake:0' is not there"));
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
