// SPDX-License-Identifier: Apache-2.0
#include "kwb.hpp"

#include "base/file.hpp"

namespace kwb::test {
namespace {

using nlohmann::json;

/// The tiled kernel without the barrier at the end of its loop: right on PoCL.
std::string without_last_barrier() {
    std::string source = kernel_source("matmul/02_tiled.cl");
    const std::string barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
    source.erase(source.rfind(barrier), barrier.size());
    return source;
}

}  // namespace

TEST_CASE("a tiled kernel without its second barrier is undefined, in a run and in a check") {
    const TempFolder folder;
    const std::string file = folder.write("stale.cl", without_last_barrier()).string();
    const Args run = {"run", file, "--size", "64", "--rounds", "1"};
    CHECK_TELLS(run_kwb(run), 1, "undefined", "reads", "and work-item (", "writes it at line",
                "put barrier(CLK_LOCAL_MEM_FENCE)");
    // In a check the work-items run in another order, which makes it wrong.
    const Finished check = run_kwb({"check", file, "--size", "33"});
    CHECK(check.exit_code == 1);
    const bool is_found = check.out.find("undefined") != std::string::npos ||
                          check.out.find("another order of the work-items") != std::string::npos;
    CHECK_MESSAGE(is_found, check.out);
}

TEST_CASE("a kernel without a guard is right where none is needed, and its missing guard is told") {
    const TempFolder folder;
    const std::string file = folder
                                 .write("mm.cl",
                                        "__kernel void mm(__global const float* A, __global const float* B, "
                                        "__global float* C, int M, "
                                        "int N, int K) {\n"
                                        "    int j = get_global_id(0), i = get_global_id(1);\n"
                                        "    float s = 0;\n"
                                        "    for (int k = 0; k < K; ++k) s += A[i * K + k] * B[k * N + j];\n"
                                        "    C[i * N + j] = s;\n"
                                        "}\n")
                                 .string();
    CHECK_TELLS(
        run_kwb({"run", file, "--problem", "matmul", "--local", "16x16", "--size", "96", "--rounds", "1"}), 0,
        "correct", "(at size 17, not at 96, where no work-item is beyond the size)");
}

TEST_CASE("a kernel that waits for other work-items is undefined, whatever the device makes of it") {
    const TempFolder folder;
    const std::string file =
        folder
            .write("turns.cl",
                   "/*+++\n[problem]\ntitle = \"Turns\"\nsizes = {N = 64}\nreference = \"count.cl\"\n"
                   "[problem.buffers]\nx = {type = \"int\", shape = [\"N\"], output = true}\n"
                   "[init]\nx = 0\n[launch]\nkernel = \"turns\"\nglobal = [\"N\"]\nlocal = [\"N\"]\n+++*/\n"
                   "__kernel void turns(__global int* x) {\n"
                   "    int l = get_local_id(0);\n"
                   "    while (atomic_cmpxchg(x, l, l + 1) != l);\n"
                   "}\n")
            .string();
    folder.write("count.cl",
                 "/*+++\n[launch]\nkernel = \"count\"\nglobal = [\"N\"]\n+++*/\n"
                 "__kernel void count(__global int* x, int N) {\n"
                 "    x[get_global_id(0)] = get_global_id(0) == 0 ? N : 0;\n"
                 "}\n");
    CHECK_TELLS(run_kwb({"check", file, "--size", "64"}), 1, "undefined", "waits in a loop at line",
                "OpenCL C does not guarantee that the other makes progress");
}

TEST_CASE("X-ray that is left out is told, and changes the verdict") {
    const TempFolder folder;
    const std::string file = folder.write("stale.cl", without_last_barrier()).string();
    CHECK_TELLS(run_kwb({"run", file, "--size", "64", "--rounds", "1", "--no-xray"}), 0, "correct",
                "X-ray was left out");
    const json document =
        kwb_json({"run", file, "--size", "64", "--rounds", "1", "--no-xray", "--json", "-"});
    CHECK(document["results"][0]["xray"]["state"] == "left_out");
}

TEST_CASE("kwb xray shows two kernels side by side, and agrees with the arithmetic of the product") {
    CHECK_TELLS(run_kwb({"xray", "matmul/naive", "matmul/tiled", "--size", "64"}), 0, "matmul/naive",
                "matmul/tiled TILE=16", "ratio", "broadcast", "contiguous", "flops per byte");
    const json document = kwb_json({"xray", "matmul/naive", "--size", "64", "--json", "-"});
    const json& report = document["kernels"][0]["xray"];
    CHECK(report["sub_group"] == 32);
    std::uint64_t loads = 0;
    for (const json& buffer : report["buffers"])
        if (buffer["name"] == "A") loads = buffer["loads"].get<std::uint64_t>();
    CHECK(loads == 64 * 64 * 64);
}

TEST_CASE("counts of a launch that is observed in part are those of all of it") {
    const json document = kwb_json({"xray", "matmul/naive", "--size", "512", "--json", "-"});
    const json& report = document["kernels"][0]["xray"];
    CHECK(report["launches"][0]["observed_groups"] < report["launches"][0]["groups"]);
    CHECK_TELLS(run_kwb({"xray", "matmul/naive", "--size", "512"}), 0,
                "Mean loads and stores per used element, scaled to the whole launch\n",
                "\nA       global                512                   -\n");
    const double size = 512;
    for (const json& buffer : report["buffers"]) {
        CAPTURE(buffer["name"].get<std::string>());
        CHECK(buffer["basis"] == "scaled");
        const bool is_result = buffer["name"] == "C";
        CHECK(buffer["loads"].get<double>() == (is_result ? 0 : size * size * size));
        CHECK(buffer["elements_loaded"].get<double>() == (is_result ? 0 : size * size));
        CHECK(buffer["stores"].get<double>() == (is_result ? size * size : 0));
    }
}

TEST_CASE("kwb xray ends with 1 if something is undefined, and writes a page") {
    const TempFolder folder;
    const std::string file = folder.write("stale.cl", without_last_barrier()).string();
    const std::string page = (folder.path() / "page.html").string();
    CHECK_TELLS(run_kwb({"xray", file, "--size", "64", "--report", page}), 1, "undefined");
    const std::string html = read_file(page);
    CHECK(html.find("X-ray") != std::string::npos);
    CHECK(html.find("put barrier(CLK_LOCAL_MEM_FENCE)") != std::string::npos);
}

TEST_CASE("kwb xray ends with 1 if a kernel cannot be observed, and says why") {
    const TempFolder folder;
    const std::string file = folder
                                 .write("mine.cl",
                                        "__kernel void k(__global float* X, __global float* Y, int N) {\n"
                                        "    undeclared(X, Y);\n"
                                        "}\n")
                                 .string();
    CHECK_TELLS(run_kwb({"xray", file, "--problem", "copy", "--size", "64"}), 1, "no X-ray");
    // No device launches it, so nothing is told of a GPU, either.
    const std::string fixed =
        folder
            .write(
                "fixed.cl",
                "/*+++\nproblem = \"copy\"\n[launch]\nkernel = \"k\"\nlocal = [16]\nglobal = [\"N\"]\n+++*/\n"
                "__attribute__((reqd_work_group_size(8, 1, 1)))\n"
                "__kernel void k(__global const float* X, __global float* Y, int N) {\n"
                "    Y[get_global_id(0)] = X[get_global_id(0)];\n"
                "}\n")
            .string();
    const Finished refused = run_kwb({"xray", fixed, "--size", "64", "--target", "gfx906"});
    CHECK_TELLS(refused, 1, "the source requires a work-group of 8 (reqd_work_group_size), but it is 16");
    CHECK_FALSE(says(refused.out, "Occupancy"));
}

TEST_CASE("kwb xray observes for as long as --timeout allows") {
    const Finished stopped = run_kwb({"xray", "matmul/naive", "--size", "512", "--timeout", "1ms"});
    CHECK(says(stopped.out, "X-ray stopped matmul_naive at line"));
    // Work-items that had not begun are not inactive lanes.
    CHECK_FALSE(says(stopped.out, "in which lanes of a sub-group diverge"));
    CHECK_FALSE(says(stopped.out, "Accesses of"));
    CHECK_REFUSED(run_kwb({"xray", "matmul/naive", "--timeout", "never"}), 2, "--timeout never: give a time");
}

TEST_CASE("kwb xray tells from which size on an index overflows") {
    const TempFolder folder;
    const std::string file =
        folder
            .write("mine.cl",
                   "__kernel void k(__global const float* X, __global float* Y, int N) {\n"
                   "    const int i = get_global_id(0);\n"
                   "    if (i >= N) return;\n"
                   "    const int cube = i * i * i;\n"
                   "    Y[i] = cube == 7 ? 0 : X[i];\n"
                   "}\n")
            .string();
    CHECK_TELLS(run_kwb({"xray", file, "--problem", "copy", "--size", "5000"}), 1, "which int cannot hold",
                "(X-ray saw it at size N=1292, but not at", "N=1291)");
    CHECK(run_kwb({"xray", file, "--problem", "copy", "--size", "1291"}).exit_code == 0);
}

TEST_CASE("kwb xray refuses what it cannot do, with the remedy") {
    CHECK_REFUSED(run_kwb({"xray", "matmul/naive", "--lanes", "12"}), 2, "8, 16, 32 or 64");
    CHECK_REFUSED(run_kwb({"xray", "cpu:blas"}), 2, "no source");
}

}  // namespace kwb::test
