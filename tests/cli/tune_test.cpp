// SPDX-License-Identifier: Apache-2.0
// kwb tune on PoCL.
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.hpp"
#include "cli/kwb.hpp"
#include "support/process.hpp"
#include "support/schema_check.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

const Args kQuick = {"--size", "64", "--rounds", "6"};

Args tune(const std::string& kernel, const Args& more = {}) {
    Args args = {"tune", kernel};
    args.insert(args.end(), kQuick.begin(), kQuick.end());
    args.insert(args.end(), more.begin(), more.end());
    return args;
}

/// MODE 1 writes through a null pointer, 2 adds to the sum, 3 is no OpenCL C; at MODE 0 it is right.
std::string with_faults() {
    std::string source = kernel_source("matmul/01_naive.cl");
    source = replaced(source, "[launch]", "[params]\nMODE = [1, 2, 0, 3]\nEACH = [1, 2, 3]\n\n[launch]");
    source = replaced(source, "float sum = 0.0f;",
                      "float sum = 0.0f;\n"
                      "#if MODE == 1\n    *(volatile __global float*)(size_t)(M - M) = 1;\n"
                      "#elif MODE == 2\n    sum = 1;\n"
                      "#elif MODE == 3\n    sum = ;\n#endif\n");
    return source;
}

/// Configuration → its entry, as Kernel Tuner reads the file; each is there once.
nlohmann::json entries_of(const std::string& cache) {
    std::string text = read_file(cache);
    if (text.ends_with(',')) text.pop_back();
    nlohmann::json entries = nlohmann::json::parse(text + "}\n}")["cache"];
    CHECK(std::ranges::count(text, '\n') ==
          std::ranges::count(text.substr(0, text.find("\"cache\"")), '\n') + std::ptrdiff_t(entries.size()));
    return entries;
}

/// SIGKILL as soon as it shows `words`.
void kill_at(const Args& args, const std::string& words) {
    ProcessOptions options = kwb_command(args);
    options.environment.push_back({"KWB_FAKE_MARKER", std::to_string(::getpid())});
    options.stderr_is_terminal = true;
    Process process(options);
    process.wait_for_stderr(words);
    process.send_signal(SIGKILL);
    process.finish();
    CHECK(all_gone("KWB_FAKE_MARKER=" + std::to_string(::getpid())));
}

}  // namespace

TEST_CASE("a shipped kernel is tuned: the space, the best, the effects and the command that runs it") {
    const Finished finished = run_kwb(tune("matmul/tiled"));
    CHECK_TELLS(finished, 0, "3 configurations of TILE: 3 valid", "TILE", "the best", "parameter", "spread",
                "Verdicts: 3 correct.", "kwb run matmul/tiled --size 64 --param TILE=");
    const std::string command = finished.out.substr(finished.out.find("kwb run "));
    const std::string value =
        command.substr(command.find("TILE="), command.find('\n') - command.find("TILE="));
    CHECK_TELLS(run_kwb({"run", "matmul/tiled", "--size", "64", "--param", value, "--rounds", "1"}), 0,
                value);
}

TEST_CASE("restrictions and the device's limits are told before anything runs") {
    CHECK_TELLS(run_kwb(tune("published/kernel_tuner_block_repaired", {"--budget", "2", "--no-xray"})), 0,
                "288 configurations of block_size_x, block_size_y, tile_size_x and tile_size_y: ",
                "232 removed by [require] square: block_size_x == block_size_y * tile_size_y", "2 correct; ",
                " not tried");
}

TEST_CASE("each configuration has one verdict; a crash, a wrong answer or an error costs only itself") {
    const TempFolder folder;
    const std::string file = folder.write("faults.cl", with_faults()).string();
    const std::string json = (folder.path() / "out.json").string();
    const Finished finished = run_kwb(tune(file, {"--json", json}));
    CHECK_TELLS(finished, 0, "12 configurations of MODE and EACH: 12 valid",
                "Verdicts: 3 correct, 3 wrong, 3 compile_error and 3 kernel_crashed.",
                "wrong: MODE=2 EACH=1: ", "kernel_crashed: MODE=1 EACH=1: ", "--param MODE=0");
    const auto document = nlohmann::json::parse(read_file(json));
    CHECK(schema_complaints("results.schema.json", document) == "");
    REQUIRE(document["results"].size() == 12);
    CHECK(document["results"][0]["params"]["MODE"] == 0);
    CHECK(document["results"][0]["samples_ms"].size() == 6);
    CHECK_TELLS(run_kwb(tune(file, {"--param", "MODE=1,2"})), 1, "3 wrong and 3 kernel_crashed");
}

TEST_CASE("compiling ahead runs kernels on unset buffers, and what happens there counts for nothing") {
    const TempFolder folder;
    // The helper begins with the last.
    for (const char* modes : {"[0, 1, 2, 3, 4, 5]", "[0, 1, 2, 3, 5, 4]"}) {
        std::string source = kernel_source("matmul/01_naive.cl");
        source = replaced(source, "[launch]", "[params]\nMODE = " + std::string(modes) + "\n\n[launch]");
        // The inputs of a check are never 0.
        source =
            replaced(source, "float sum = 0.0f;",
                     "float sum = 0.0f;\n"
                     "#if MODE == 4\n    while (*(volatile __global const float*)A == 0) {}\n"
                     "#elif MODE == 5\n    if (A[0] == 0) *(volatile __global float*)(size_t)(M - M) = 1;\n"
                     "#endif\n");
        const std::string file = folder.write("unset.cl", source).string();
        CHECK_TELLS(run_kwb(tune(file, {"--timeout", "60s"})), 0, "Verdicts: 6 correct.");
    }
}

TEST_CASE("random order is that of its seed, and standard output carries only the JSON asked for") {
    const auto first = [](const char* seed) {
        const Finished finished = run_kwb(
            tune("matmul/block", {"--strategy", "random", "--seed", seed, "--budget", "1", "--json", "-"}));
        CHECK(finished.exit_code == 0);
        CHECK_SAYS(finished.err, "configurations of block_size_x");
        return nlohmann::json::parse(finished.out)["results"][0]["params"];
    };
    CHECK(first("5") == first("5"));
    CHECK(first("5") != first("6"));
}

TEST_CASE("Ctrl-C ends with what is known, and no process behind") {
    ProcessOptions options = kwb_command({"tune", "matmul/tiled", "--size", "64", "--rounds", "1000000"});
    options.stderr_is_terminal = true;
    Process process(options);
    process.wait_for_stderr("round 3");
    process.send_signal(SIGINT);
    const Finished finished = process.finish();
    CHECK(finished.exit_code == 130);
    CHECK_SAYS(finished.out, "Verdicts: 3 correct", "kwb run matmul/tiled");
}

TEST_CASE("after SIGKILL, --resume goes on: every configuration is kept exactly once, with its verdict") {
    const TempFolder folder;
    const std::string file = folder.write("faults.cl", with_faults()).string();
    const std::string cache = (folder.path() / "c.json").string();
    const std::string json = (folder.path() / "out.json").string();
    const std::string t4 = (folder.path() / "t4.json").string();
    const Args args = tune(file, {"--cache", cache, "--resume"});
    kill_at(args, "0 of 12 tried, time");
    CHECK(entries_of(cache).empty());
    kill_at(args, "8 of 12 tried");
    CHECK(entries_of(cache).size() == 8);
    CHECK_REFUSED(run_kwb(tune(file, {"--cache", cache})), 2, cache + ": already exists", "--resume");
    CHECK_REFUSED(run_kwb(tune("matmul/tiled", {"--cache", cache, "--resume"})), 2,
                  "it is the cache of another tuning", "the list of parameters", "'MODE, EACH' there");
    CHECK_REFUSED(run_kwb({"tune", file, "--size", "32", "--cache", cache, "--resume"}), 2,
                  "the size ('64 x 64 x 64' there, '32 x 32 x 32' here)");

    Args rest = args;
    rest.insert(rest.end(), {"--json", json, "--t4", t4});
    CHECK_TELLS(run_kwb(rest), 0, "Resumed: 8 configurations from " + cache + ".",
                "Verdicts: 3 correct, 3 wrong, 3 compile_error and 3 kernel_crashed.");
    const auto entries = entries_of(cache);
    REQUIRE(entries.size() == 12);
    CHECK(entries["0,1"]["time"].is_number());
    CHECK(entries["1,2"]["__error__"] == "RuntimeFailedConfig");
    CHECK(entries["3,1"]["__error__"] == "CompilationFailedConfig");
    const auto document = nlohmann::json::parse(read_file(json));
    CHECK(schema_complaints("results.schema.json", document) == "");
    CHECK(document["results"].size() == 12);
    const auto their_document = nlohmann::json::parse(read_file(t4));
    CHECK(their_document["results"].size() == 12);
    CHECK(their_document["results"][0]["configuration"]["MODE"] == 0);

    CHECK_TELLS(run_kwb(args), 0, "Resumed: 12 configurations from ");
    Args fewer = args;
    fewer.insert(fewer.end(), {"--param", "MODE=0"});
    CHECK_TELLS(run_kwb(fewer), 0, "Resumed: 3 configurations from ",
                "9 with other values, which stay in the file");
    CHECK(entries_of(cache).size() == 12);

    std::string source = with_faults();
    folder.write("faults.cl", source + "\n// changed\n");
    CHECK_REFUSED(run_kwb(args), 2, "another tuning (the source differs)");
}

TEST_CASE("Ctrl-C keeps what was found, and a half-written line is dropped when it goes on") {
    const TempFolder folder;
    const std::string file = folder.write("faults.cl", with_faults()).string();
    const std::string cache = (folder.path() / "c.json").string();
    const Args args = {"tune", file, "--size", "64", "--rounds", "6", "--cache", cache, "--resume"};
    ProcessOptions options = kwb_command(args);
    options.stderr_is_terminal = true;
    Process process(options);
    process.wait_for_stderr("8 of 12 tried");
    process.send_signal(SIGINT);
    const Finished finished = process.finish();
    CHECK(finished.exit_code == 130);
    CHECK_SAYS(finished.out, "continue with --resume");
    const std::string text = read_file(cache);
    write_file(cache, text.substr(0, text.size() - 20));
    CHECK_TELLS(run_kwb(args), 0, "Resumed: ", "1 damaged line dropped", "3 correct, 3 wrong");
    CHECK(entries_of(cache).size() == 12);
}

TEST_CASE("bad input of tune") {
    for (const char* option : {"--budget", "--cache", "--json", "--t4", "--wait"})
        CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", option, ""}), 2, option, "give a value");
    for (const char* budget : {"0", "-1", "1.5", "1e9", "abc"})
        CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "--budget", budget}), 2, "--budget");
    // The answer is printed even if a file cannot be written.
    const Finished finished = run_kwb(tune("matmul/tiled", {"--json", "/dev/full", "--t4", "/dev/full"}));
    CHECK(finished.exit_code == 2);
    CHECK_SAYS(finished.out, "the best", "Run the best:");
    CHECK_SAYS(finished.err, "/dev/full");
    const TempFolder folder;
    CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "--resume"}), 2, "--cache");
    CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "--cache", "-"}), 2, "give a file");
    CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "--cache", "/dev/null", "--resume"}), 2, "/dev/null");
    CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "--cache", folder.path() / "no" / "c.json"}), 2,
                  "no/c.json");
    const std::string same = folder.path() / "same.json";
    CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "--cache", same, "--t4", same}), 2, "are the same file");
    const std::string text = folder.write("notes.txt", "no cache");
    CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "--cache", text, "--resume"}), 2,
                  text + ": it is not a cache of kwb tune or of Kernel Tuner");
    CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "--param", "TIEL=8,16"}), 2,
                  "no kernel here has a parameter", "Did you mean TILE?");
    CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "--param", "TILE="}), 2, "--param TILE=");
    CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "--param", "TILE=8,,16"}), 2, "a value is empty");
    CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "--param", "TILE=12"}), 2, "12", "--force");
    CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "--param", "TILE=100", "--force"}), 2,
                  "nothing is left to tune: 1 configuration of TILE: 0 valid", "[require] fits");
    for (const char* budget : {"0", "0s", "-1", "much"})
        CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "--budget", budget}), 2,
                      std::string("--budget ") + budget);
    CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "--strategy", "radnom"}), 2, "Did you mean random?");
    CHECK_REFUSED(run_kwb({"tune", "matmul/naive"}), 2, "has no parameters", "[params]");
    CHECK_REFUSED(run_kwb({"tune", "cpu:blas"}), 2, "cpu:blas has no parameters");
    CHECK_REFUSED(run_kwb({"tune", "matmul/tiled", "matmul/naive"}), 2, "kwb tune --help");
}
