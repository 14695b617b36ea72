// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, a closed pipe, a full disk: no results are lost and no process stays behind.
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/file.hpp"
#include "cli/kwb.hpp"
#include "support/process.hpp"
#include "support/schema_check.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

/// Set in the environment of kwb and so inherited by all its processes: variables with this prefix are passed
/// on to runners.
std::string marker() {
    return "KWB_FAKE_MARKER=" + std::to_string(::getpid());
}

/// Before its exec, a runner's process is also named kwb-judge, so the judge is identified by its parent.
/// @return  false if `kwb` has no judge
bool kill_judge(const Process& kwb) {
    for (const ListedProcess& process : list_processes())
        if (process.parent == kwb.pid()) return ::kill(process.pid, SIGKILL) == 0;
    return false;
}

ProcessOptions watched(const Args& args) {
    ProcessOptions options = kwb_command(args);
    options.environment.push_back({"KWB_FAKE_MARKER", std::to_string(::getpid())});
    options.stderr_is_terminal = true;
    return options;
}

const Args kLong = {"run", "matmul/naive", "matmul/tiled", "--size", "64", "--rounds", "1000000"};

/// Send SIGINT when kwb has printed `words`: the kernel is skipped, and no process stays behind.
void interrupt_before_check(Process& process, const std::string& words) {
    process.wait_for_stderr(words);
    process.send_signal(SIGINT);
    const Finished finished = process.finish();
    CHECK(finished.exit_code == 130);
    CHECK_SAYS(finished.out, "skipped", "stopped before it was checked");
    CHECK(all_gone(marker()));
}

}  // namespace

TEST_CASE("Ctrl-C ends a run with what was measured, code 130, and no process behind") {
    const TempFolder folder;
    const std::string file = (folder.path() / "out.json").string();
    Args args = kLong;
    args.insert(args.end(), {"--json", file});
    Process process(watched(args));
    process.wait_for_stderr("time: matmul/tiled, round 3");
    CHECK(count_marked(marker()) >= 3);  // kwb, judge, runner
    process.send_signal(SIGINT);
    const Finished finished = process.finish();
    CHECK(finished.exit_code == 130);
    CHECK_SAYS(finished.out, "matmul/naive", "matmul/tiled", "correct", "stopped by you after");
    const auto document = nlohmann::json::parse(read_file(file));
    CHECK(schema_complaints("results.schema.json", document) == "");
    for (const auto& result : document["results"]) CHECK(result["samples_ms"].size() >= 2);
    CHECK(all_gone(marker()));
}

TEST_CASE("two quick Ctrl-C are one: what was measured is shown and written") {
    const TempFolder folder;
    const std::string file = (folder.path() / "out.json").string();
    Args args = kLong;
    args.insert(args.end(), {"--json", file});
    Process process(watched(args));
    process.wait_for_stderr("time: matmul/tiled, round 3");
    process.send_signal(SIGINT);
    process.wait_for_stderr("stopping");
    process.send_signal(SIGINT);
    const Finished finished = process.finish();
    CHECK(finished.exit_code == 130);
    CHECK_SAYS(finished.out, "matmul/tiled", "stopped by you after");
    CHECK(nlohmann::json::parse(read_file(file))["results"].size() == 2);
    CHECK(all_gone(marker()));
}

TEST_CASE("a judge killed during a run is reported with possible causes, without advice to reinstall") {
    Process process(watched(kLong));
    process.wait_for_stderr("round 3");
    REQUIRE(kill_judge(process));
    const Finished finished = process.finish();
    CHECK(finished.exit_code == 3);
    CHECK_SAYS(finished.err, "SIGKILL", "memory ran out", "try again");
    CHECK(finished.err.find("install") == std::string::npos);
    CHECK(all_gone(marker()));
}

TEST_CASE("what was measured before the judge was killed is shown and written, the rest is skipped") {
    const TempFolder folder;
    const std::string file = (folder.path() / "out.json").string();
    Process process(
        watched({"sweep", "matmul/naive", "--sizes", "16,700,701", "--rounds", "20", "--json", file}));
    process.wait_for_stderr("size 2 of 3, build");  // before that, a judge can be replaced without loss
    REQUIRE(kill_judge(process));
    const Finished finished = process.finish();
    CHECK(finished.exit_code == 3);
    CHECK_SAYS(finished.err, "SIGKILL");
    CHECK_SAYS(finished.out, "\n16 ", "\n700", "\n701", "skipped", "SIGKILL");
    const auto document = nlohmann::json::parse(read_file(file));
    CHECK(schema_complaints("results.schema.json", document) == "");
    REQUIRE(document["results"].size() == 3);
    CHECK(document["results"][0]["verdict"] == "correct");
    for (const std::size_t i : {1u, 2u}) CHECK(document["results"][i]["verdict"] == "skipped");
    CHECK(all_gone(marker()));
}

TEST_CASE("Ctrl-C ends a kernel that never ends") {
    const TempFolder folder;
    const std::string endless =
        replaced(kernel_source("matmul/01_naive.cl"), "float sum = 0.0f;",
                 "float sum = 0.0f;\n    while (*(volatile __global float*)C != 12345.5f) sum += 1;");
    Process process(watched({"run", folder.write("endless.cl", endless).string(), "--size", "16"}));
    interrupt_before_check(process, "check (exact inputs)");
}

TEST_CASE("Ctrl-C ends a compilation that never ends, in the compiler's front end and in its back end") {
    const TempFolder folder;
    std::string bomb = "#define A0 x+x+x+x+x+x+x+x+x+x\n";
    for (int i = 1; i < 8; ++i) {
        const std::string below = "A" + std::to_string(i - 1);
        bomb += "#define A" + std::to_string(i) + " " + below;
        for (int k = 1; k < 10; ++k) bomb += "+" + below;
        bomb += "\n";
    }
    bomb += "float bomb(float x) { return A7; }\n__kernel void matmul_naive(";
    const std::string naive = kernel_source("matmul/01_naive.cl");
    const auto front = folder.write("bomb.cl", replaced(naive, "__kernel void matmul_naive(", bomb));
    const auto back = folder.write(
        "unroll.cl", replaced(naive, "float sum = 0.0f;",
                              "float sum = 0.0f;\n    _Pragma(\"unroll 200000\") for (int q = 0; q < 200000; "
                              "++q) sum += A[(q * 7 + row) % (M * K)] * sum;"));
    for (const auto& file : {front, back}) {
        CAPTURE(file);
        Process process(watched({"run", file.string(), "--size", "16", "--timeout", "10min"}));
        interrupt_before_check(process, "build: ");
    }
}

TEST_CASE("Ctrl-C in a sweep keeps the sizes that were done and starts no other") {
    Process process(watched({"sweep", "matmul/naive", "--sizes", "16,24,48", "--rounds", "100000"}));
    process.wait_for_stderr("round 3");
    process.send_signal(SIGINT);
    const Finished finished = process.finish();
    CHECK(finished.exit_code == 130);
    CHECK_SAYS(finished.out, "\n16 ");
    CHECK(finished.out.find("\n48 ") == std::string::npos);
    CHECK(all_gone(marker()));
}

TEST_CASE("even a killed kwb leaves no process behind") {
    Process process(watched(kLong));
    process.wait_for_stderr("round 3");
    process.send_signal(SIGKILL);
    CHECK(process.finish().exit_code == 128 + SIGKILL);
    CHECK(all_gone(marker()));
}

TEST_CASE("progress is drawn on a terminal and wiped out before the table") {
    ProcessOptions options = watched({"run", "matmul/naive", "--size", "16", "--rounds", "2"});
    const Finished finished = run_process(options);
    CHECK(finished.exit_code == 0);
    CHECK_SAYS(finished.err, "matmul/naive");
    CHECK(finished.err.ends_with("\r\x1b[K"));
}

TEST_CASE("a reader that has gone is no error") {
    ProcessOptions options = kwb_command({"run", "matmul/naive", "--size", "16", "--rounds", "1"});
    options.out_is_closed = true;
    const Finished finished = run_process(options);
    CHECK(finished.exit_code == 0);
    CHECK(finished.err == "");

    ProcessOptions piped;
    piped.command = {"sh", "-c", "\"$0\" kernels | head -n 1", KWB_PROGRAM};
    const Finished head = run_process(piped);
    CHECK(head.err == "");
    CHECK_SAYS(head.out, "/naive");
}

TEST_CASE("a full disk is a sentence and code 2, on standard output and in a file") {
    ProcessOptions options = kwb_command({"kernels"});
    options.out_file = "/dev/full";
    const Finished full = run_process(options);
    CHECK(full.exit_code == 2);
    CHECK_SAYS(full.err, "kwb: cannot write to standard output", "No space left");
    const Finished file =
        run_kwb({"run", "matmul/naive", "--size", "16", "--rounds", "1", "--json", "/dev/full"});
    CHECK(file.exit_code == 2);
    CHECK_SAYS(file.err, "kwb: /dev/full: cannot write", "No space left");
    CHECK_SAYS(file.out, "matmul/naive");  // the table is still printed
}
