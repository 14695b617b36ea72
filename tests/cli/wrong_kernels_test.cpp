// SPDX-License-Identifier: Apache-2.0
// Deliberately wrong copies of the tiled kernel are detected.
#include "base/file.hpp"
#include "cli/kwb.hpp"
#include "support/patience.hpp"

using namespace kwb;
using namespace kwb::test;
using nlohmann::json;

namespace {

/// The local index of b is off by one: every column except a tile's first uses its left neighbour.
std::string with_shifted_index() {
    return replaced(kernel_source("matmul/02_tiled.cl"), "b[k][lx];", "b[k][max(lx - 1, 0)];");
}

/// Writes columns beyond the right edge.
std::string with_unguarded_columns() {
    return replaced(kernel_source("matmul/02_tiled.cl"), "if (row < M && col < N) C", "if (row < M) C");
}

/// Loads out-of-range elements into tiles beyond the end of K.
std::string with_unguarded_depth() {
    return replaced(replaced(kernel_source("matmul/02_tiled.cl"), "(row < M && k0 + lx < K)", "(row < M)"),
                    "(k0 + ly < K && col < N)", "(col < N)");
}

}  // namespace

TEST_CASE("a kernel with the name of a built-in function is told to take another one") {
    const TempFolder folder;
    const std::string file = folder
                                 .write("step.cl",
                                        "__kernel void step(__global const float* X, __global float* Y) {\n"
                                        "    Y[get_global_id(0)] = X[get_global_id(0)];\n"
                                        "}\n")
                                 .string();
    CHECK_TELLS(run_kwb({"run", file, "--problem", "copy", "--size", "64", "--rounds", "1"}), 1,
                "step is the name of a built-in function of OpenCL C", "Give the kernel another name");
}

TEST_CASE("a local-memory index that is one off is wrong, with the first wrong element") {
    const TempFolder folder;
    const std::string file = folder.write("shifted.cl", with_shifted_index()).string();
    // With other inputs C[0][1] can equal its neighbour by chance.
    CHECK_TELLS(run_kwb({"check", file, "--seed", "1"}), 1, "wrong", "C[0][1]: expected ", ", got ",
                "the first is C[0][1]", "sizes correct");
    const json document = kwb_json({"check", file, "--size", "17", "--seed", "1", "--json", "-"}, 1);
    const json& result = document["results"][0];
    CHECK(result["verdict"] == "wrong");
    CHECK(result["first_wrong"]["index"] == json{0, 1});
    CHECK(result["first_wrong"]["expected"] != result["first_wrong"]["got"]);
    CHECK(result["wrong_elements"].get<int>() > 200);
    CHECK(result["wrong_elements"].get<int>() <= 17 * 16);
}

TEST_CASE("it is wrong in a run as well, and gets no time") {
    const TempFolder folder;
    const std::string file = folder.write("shifted.cl", with_shifted_index()).string();
    const json document =
        kwb_json({"run", "matmul/naive", file, "--size", "17", "--rounds", "1", "--json", "-"}, 1);
    CHECK(document["results"][0]["verdict"] == "correct");
    CHECK(document["results"][1]["verdict"] == "wrong");
    CHECK(document["results"][1]["median_ms"].is_null());
    CHECK(document["results"][1]["speedup"].is_null());
}

TEST_CASE("an unguarded edge passes at a multiple of the tile and is found out at an awkward size") {
    const TempFolder folder;
    const std::string file = folder.write("edge.cl", with_unguarded_columns()).string();
    CHECK_TELLS(run_kwb({"check", file, "--size", "64"}), 0, "1 of 1 size correct");
    const json document = kwb_json({"check", file, "--size", "17", "--json", "-"}, 1);
    const json& result = document["results"][0];
    CHECK(result["verdict"] == "out_of_bounds");
    CHECK(result["evidence"]["buffer"] == "C");
    CHECK(result["evidence"]["access"] == "write");
    CHECK(result["evidence"]["element"] == 17 * 17);
    CHECK_TELLS(run_kwb({"check", file}), 1, "out_of_bounds", "element", "of C");
}

TEST_CASE("an unguarded depth is wrong at an awkward size alone, and a check says which element it reads") {
    const TempFolder folder;
    const std::string file = folder.write("depth.cl", with_unguarded_depth()).string();
    CHECK_TELLS(run_kwb({"check", file, "--size", "32"}), 0, "1 of 1 size correct");
    const Args timed = {"run", file, "--size", "17", "--rounds", "1"};
    CHECK_TELLS(run_kwb(timed), 1, "wrong", "the first is C[0][0]");
    CHECK_TELLS(run_kwb({"check", file, "--size", "17"}), 1, "out_of_bounds", "element ", "(valid 0 … 288)",
                "work-item (");
}

TEST_CASE(
    "a loop that runs for its bound is told as the loop's fault, in one line for all sizes and buffers") {
    const TempFolder folder;
    const std::string file =
        folder.write("loop.cl", replaced(kernel_source("matmul/01_naive.cl"), "k < K", "k <= K")).string();
    const Finished finished = run_kwb({"check", file});
    CHECK(finished.exit_code == 1);
    CHECK_SAYS(finished.out, "the loop at line 35:21 runs one step too far, write k < K instead of k <= K");
    CHECK(finished.out.find("guard the access") == std::string::npos);
    CHECK(finished.out.find("warning:") == std::string::npos);
}

TEST_CASE("a right kernel that this driver's compiler breaks is wrong, but not blamed") {
    const TempFolder folder;
    // PoCL 3.1 drops the barriers of this loop.
    const std::string file = folder
                                 .write("tree.cl", R"(/*+++
[problem]
sizes     = {N = 256}
reference = {launch = {kernel = "tree_simple", global = ["N // 128"]}}

[problem.buffers]
x = {type = "int", shape = ["N"], fill = {integers = [1, 9]}}
y = {type = "int", shape = ["N // 128"], output = true}

[launch]
kernel = "tree"
local  = [128]
global = ["N"]
+++*/
__kernel void tree(__global const int* x, __global int* y) {
    __local int t[128];
    uint l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < get_local_size(0); s *= 2) {
        if (l % (2 * s) == 0) t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) y[get_group_id(0)] = t[0];
}
__kernel void tree_simple(__global const int* x, __global int* y) {
    int sum = 0;
    for (int i = 0; i < 128; ++i) sum += x[get_global_id(0) * 128 + i];
    y[get_global_id(0)] = sum;
}
)")
                                 .string();
    const Finished finished = run_kwb({"run", file, "--rounds", "1"});
    if (finished.exit_code != 0)  // a driver that compiles it right makes it correct
        CHECK_SAYS(finished.out, "this driver's compiler is the suspect", "--build-options -cl-opt-disable");
    CHECK_TELLS(run_kwb({"run", file, "--rounds", "1", "--build-options", "-cl-opt-disable"}), 0, "correct");
}

TEST_CASE("a read past the end shows even where it is multiplied by zero") {
    const TempFolder folder;
    const std::string source =
        replaced(kernel_source("matmul/02_tiled.cl"), "(row < M && k0 + lx < K)", "(row < M)");
    const std::string file = folder.write("reads.cl", source).string();
    CHECK_TELLS(run_kwb({"run", file, "--size", "17", "--rounds", "1"}), 1, "wrong", "the first is C[16][0]",
                "got nan");
    CHECK_TELLS(run_kwb({"check", file, "--size", "17"}), 1, "out_of_bounds",
                "read element 289 of A (valid 0 … 288), one past the end", "by work-item (1, 16)");
}

TEST_CASE("the work-item is named even where several threads meet another buffer's page first") {
    const TempFolder folder;
    const std::string source =
        replaced(kernel_source("vector_add/01_elements.cl"), "if (i < N) C[i]",
                 "float far = 0;\n"
                 "    if (get_group_id(0) + 1 == get_num_groups(0)) far = A[i + N];\n"
                 "    if (i == 0) {\n"
                 "        for (volatile int wait = 0; wait < 100000000; ++wait) {}\n"
                 "        far = B[2 * N];\n"
                 "    }\n"
                 "    if (i < N) C[i] = far == 0.5f ? far : A[i] + B[i]; else if (i < 0) C[i]");
    const std::string file = folder.write("late.cl", source).string();
    CHECK_TELLS(run_kwb({"check", file, "--size", "1000"}), 1, "out_of_bounds",
                "read element 2000 of B (valid 0 … 999)", "by work-item (0)");
}

TEST_CASE("a kernel that is shipped because it is wrong is as it should be") {
    const TempFolder folder;
    const std::string expecting =
        replaced(with_shifted_index(), "+++*/",
                 "\n[expect]\nverdict = \"wrong\"\nwhy = \"the index is one off\"\n+++*/");
    const std::string file = folder.write("lesson.cl", expecting).string();
    CHECK_TELLS(run_kwb({"check", file, "--size", "17", "--explain"}), 0,
                "expected to be wrong: the index is one off", "C[0][1]");
    const json document = kwb_json({"check", file, "--size", "17", "--json", "-"});
    CHECK(document["results"][0]["expected"]["verdicts"] == json{"wrong"});

    const std::string right =
        replaced(kernel_source("matmul/02_tiled.cl"), "+++*/",
                 "\n[expect]\nverdict = \"wrong\"\nwhy = \"a fault was promised\"\n+++*/");
    CHECK_TELLS(run_kwb({"check", folder.write("right.cl", right).string(), "--size", "17"}), 1, "correct");
}

TEST_CASE("a kernel that never ends is stopped") {
    const TempFolder folder;
    const std::string endless =
        replaced(kernel_source("matmul/01_naive.cl"), "float sum = 0.0f;",
                 "float sum = 0.0f;\n    while (*(volatile __global float*)C != 12345.5f) sum += 1;");
    CHECK_TELLS(
        run_kwb({"run", folder.write("endless.cl", endless).string(), "--size", "16", "--timeout", "1s"}), 1,
        "timeout", "exceeded 1 s", "a longer time limit");
}

TEST_CASE("a check gives up on a kernel that hangs after two sizes, and goes on with the others") {
    const TempFolder folder;
    const std::string endless =
        replaced(kernel_source("matmul/01_naive.cl"), "float sum = 0.0f;",
                 "float sum = 0.0f;\n    while (*(volatile __global float*)C != 12345.5f) sum += 1;");
    const std::string file = folder.write("endless.cl", endless).string();
    const std::string json_file = (folder.path() / "out.json").string();
    const Finished checked = ask_with_growing_limit(
        1000,
        [&](double ms) {
            return run_kwb(
                {"check", file, "matmul/naive", "--timeout", std::to_string(ms) + "ms", "--json", json_file});
        },
        [&](const Finished&) {  // the good kernel is correct at all sizes
            std::size_t others = 0;
            for (const json& result : json::parse(read_file(json_file))["results"])
                others += result["kernel"] == "matmul/naive" && result["verdict"] != "correct" ? 1 : 0;
            return others == 0;
        });
    CHECK_TELLS(checked, 1, "0 of ", " skipped", "exceeded the time limit at 2 sizes already (1 and 15)",
                "as above");
    std::size_t timeouts = 0;
    std::size_t skipped = 0;
    std::size_t correct = 0;
    const json document = json::parse(read_file(json_file));
    for (const json& result : document["results"]) {
        timeouts += result["verdict"] == "timeout" ? 1 : 0;
        skipped += result["verdict"] == "skipped" ? 1 : 0;
        correct += result["verdict"] == "correct" ? 1 : 0;
    }
    CHECK(timeouts == 2);
    CHECK(skipped > 10);
    CHECK(correct == timeouts + skipped);
}

TEST_CASE("a crashing kernel does not affect the results of others") {
    const TempFolder folder;
    const std::string crashing =
        replaced(kernel_source("matmul/01_naive.cl"), "float sum = 0.0f;", "float sum = A[(size_t)M << 40];");
    const json document = kwb_json({"run", folder.write("crashing.cl", crashing).string(), "matmul/naive",
                                    "--size", "16", "--rounds", "1", "--json", "-"},
                                   1);
    CHECK(document["results"][0]["verdict"] == "kernel_crashed");
    CHECK(document["results"][0]["evidence"]["signal"] == "SIGSEGV");
    CHECK(document["results"][0]["evidence"]["stage"] == "launch");
    CHECK(document["results"][1]["verdict"] == "correct");
}

TEST_CASE("under --foreign a file's [expect], flops and moves count for nothing, and that is said") {
    const TempFolder folder;
    const std::string claims =
        "flops = \"10 ** 15\"\nmoves = \"10 ** 15\"\n[expect]\nverdict = \"wrong\"\nwhy = \"so\"\n";
    const std::string wrong =
        folder.write("wrong.cl", replaced(with_shifted_index(), "[params]", claims + "[params]")).string();
    CHECK_TELLS(run_kwb({"check", wrong, "--size", "17"}), 0, "wrong, as expected");
    CHECK_TELLS(run_kwb({"check", wrong, "--size", "17", "--foreign"}), 1, "0 of 1 size correct",
                "its file's claims about [expect], flops and moves are ignored");
    const std::string right = folder
                                  .write("right.cl", replaced(kernel_source("matmul/02_tiled.cl"), "[params]",
                                                              "flops = \"10 ** 15\"\n[params]"))
                                  .string();
    const auto rate = [&](const std::string& option) {
        const json result =
            kwb_json({"run", right, "--size", "17", "--rounds", "1", option, "--json", "-"})["results"][0];
        return result["gflops"].get<double>() * result["median_ms"].get<double>() * 1e6;
    };
    CHECK(rate("--check") == doctest::Approx(1e15));
    CHECK(rate("--foreign") == doctest::Approx(2 * 17 * 17 * 17));
}
