// Faces that do not keep to the protocol.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "fake_bench.hpp"
#include "ipc/frame.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

using Mode = RunRequest::Mode;

/// A judge that reads `bytes` and then the end of its input.
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

TEST_CASE("whatever is no request ends the judge with code 2 and a reason") {
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
    const auto status = bench.judge.child.wait(deadline_after_ms(20'000));
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
    CHECK(mentions(result.reason, "choose a smaller size"));
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

TEST_CASE("a refused plan is a constraint in its own words and is not built") {
    FakeBench bench("build=stage-segv");
    RunRequest request = fake_request();
    request.contestants[0].kernel->refusal = remark("the requirement \"fits\" does not hold");
    const KernelResult result = bench.judge.result_of(request);
    CHECK(to_string(result.verdict) == "constraint");
    CHECK(result.reason == "the requirement \"fits\" does not hold");
}
