// SPDX-License-Identifier: Apache-2.0
// kwb xray --target: kernels on GPUs that are not there.
#include "kwb.hpp"

#include "base/file.hpp"

namespace kwb::test {
namespace {

using nlohmann::json;

/// So that results do not depend on whether NVIDIA's compiler is installed.
const NamedList<std::string> kNoPtxas = {{"KWB_PTXAS", "/nowhere/ptxas"}};

}  // namespace

TEST_CASE("registers, occupancy and the least time for GPUs by name and by target") {
    CHECK_TELLS(
        run_kwb({"xray", "matmul/tiled", "--size", "64", "--target", "gfx906", "--target", "a100"}, kNoPtxas),
        0, "Compiled for gfx906 by clang-", "Compiled for sm_80", "scratch", "Occupancy", "AMD Radeon VII",
        "NVIDIA A100", "≤ 100 %", "at least", "bound by", "KWB_PTXAS names /nowhere/ptxas");
    const json kernel =
        kwb_json({"xray", "matmul/tiled", "--size", "64", "--target", "gfx906", "--json", "-"})["kernels"][0];
    CHECK(kernel["xray"]["sub_group"] == 64);
    const json& code = kernel["targets"][0]["kernels"][0];
    CHECK(code["kernel"] == "matmul_tiled");
    CHECK(code["registers"].get<int>() > 8);
    CHECK(code["local_bytes"] == 2048);
    CHECK(code["assembly"].size() > 100);
    const json& gpu = kernel["gpus"][0];
    CHECK(gpu["launches"][0]["local_bytes"] == 2048);
    CHECK(gpu["launches"][0]["occupancy"]["percent"].get<double>() > 50);
    CHECK(gpu["at_least"]["ms"].get<double>() > 0);
}

TEST_CASE("the machine code with lines of the source") {
    CHECK_TELLS(run_kwb({"xray", "matmul/tiled", "--size", "64", "--target", "gfx906", "--assembly"}), 0,
                "Assembly of matmul/tiled TILE=16 for gfx906", "53:47  ds_read", "51:9  s_barrier",
                "s_endpgm");
}

TEST_CASE("the machine code of the device itself, and of included files and functions that are called") {
    const TempFolder folder;
    folder.write("twice.h",
                 "__attribute__((noinline)) float twice(float x) {\n"
                 "    return x + x * x;\n"
                 "}\n");
    const std::string file =
        folder
            .write("own.cl",
                   "#include \"twice.h\"\n"
                   "__kernel void k(__global const float* X, __global float* Y, int N) {\n"
                   "    const int i = get_global_id(0);\n"
                   "    if (i < N) Y[i] = twice(X[i]);\n"
                   "}\n")
            .string();
    const json document = json::parse(run_kwb({"xray", file, "--problem", "copy", "--size", "64", "--target",
                                               "device", "--device", "pocl", "--json", "-"})
                                          .out);
    const json& target = document["kernels"][0]["targets"][0];
    CHECK(target["target"] == "pocl:0");
    CHECK(target["failure"] == "");
    const json& code = target["kernels"][0];
    CHECK(code["kernel"] == "k");
    const auto has_line = [&](const char* name, int line) {
        for (const json& one : code["assembly"])
            if (one["place"]["file"] == name && one["place"]["line"] == line) return true;
        return false;
    };
    CHECK(has_line("", 4));
    CHECK(has_line("twice.h", 2));
}

TEST_CASE("two kernels of one name have each their own machine code") {
    const TempFolder folder;
    const auto write = [&](const char* name, const std::string& lines) {
        return folder
            .write(name, lines +
                             "__kernel void k(__global const float* X, __global float* Y, int N) {\n"
                             "    const int i = get_global_id(0);\n    if (i < N) Y[i] = X[i];\n}\n")
            .string();
    };
    const json document =
        json::parse(run_kwb({"xray", write("a.cl", ""), write("b.cl", "\n\n\n\n\n\n\n"), "--problem", "copy",
                             "--size", "64", "--target", "device", "--device", "pocl", "--json", "-"})
                        .out);
    for (const json& line : document["kernels"][1]["targets"][0]["kernels"][0]["assembly"])
        CHECK((line["is_label"] || line["place"]["line"] >= 8));
}

TEST_CASE("the machine code of the device: what its compiler rejects, and a kernel that crashes") {
    const TempFolder folder;
    const auto look = [&](const char* name, const char* statement) {
        const std::string file =
            folder
                .write(name,
                       std::string("__kernel void k(__global const float* X, __global float* Y, int N) {\n") +
                           "    const int i = get_global_id(0);\n    " + statement + "\n}\n")
                .string();
        return run_kwb({"xray", file, "--problem", "copy", "--size", "64", "--target", "device", "--device",
                        "pocl", "--assembly"});
    };
    CHECK_TELLS(look("typo.cl", "if (i < N) Y[i] = Z[i];"), 1, "not for pocl:0", "3:23", "undeclared");
    CHECK_TELLS(look("crash.cl", "if (i < N) Y[i] = X[i], *(__global float*)16 = 1;"), 1, "Assembly of",
                "3  ");
}

TEST_CASE("a kernel that a target rejects is told at its line; the other target and X-ray go on") {
    const TempFolder folder;
    const std::string file =
        folder
            .write("large.cl",
                   "__kernel void k(__global const float* X, __global float* Y, int N) {\n"
                   "    __local float tile[14000];\n"
                   "    const int i = get_global_id(0), l = get_local_id(0);\n"
                   "    if (i < N) tile[l] = X[i];\n"
                   "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "    if (i < N) Y[i] = tile[get_local_size(0) - 1 - (get_local_size(0) - 1 - l)];\n"
                   "}\n")
            .string();
    CHECK_TELLS(
        run_kwb({"xray", file, "--problem", "copy", "--size", "64", "--target", "gfx906,sm_80"}, kNoPtxas), 1,
        "not for sm_80", "56000", "49152", "Compiled for gfx906", "6:23  load tile");
}

TEST_CASE("a bound moves no more through the last-level cache than the GPU does, and scattered stores cost") {
    const json kernels = kwb_json({"xray", "transpose/padded", "transpose/naive", "--size", "2048",
                                   "--target", "a100", "--json", "-"})["kernels"];
    const auto bound = [&](std::size_t i) { return kernels[i]["gpus"][0]["at_least"]; };
    constexpr double kBytes = 2.0 * 4 * 2048 * 2048;
    constexpr double kMostGbs = 7219.2;  // 5120 bytes a clock at 1410 MHz
    for (const std::size_t i : {0u, 1u}) CHECK(kBytes / bound(i)["ms"].get<double>() / 1e6 < kMostGbs + 1);
    CHECK(bound(0)["by"] == "last-level cache");
    CHECK(bound(1)["ms"].get<double>() > 2 * bound(0)["ms"].get<double>());
}

TEST_CASE("what cannot be asked for is refused, and a missing library named") {
    CHECK_REFUSED(run_kwb({"xray", "matmul/naive", "--target", "voodoo"}), 2, "--target voodoo", "gfx906",
                  "NVIDIA A100");
    CHECK_REFUSED(run_kwb({"xray", "matmul/naive", "--assembly"}), 2, "--assembly needs --target");
    const TempFolder folder;
    folder.write("kwb/gpus.toml", "[[gpu]]\nname = \"Mine\"\n");
    CHECK_REFUSED(
        run_kwb({"xray", "matmul/naive", "--target", "mine"}, {{"XDG_CONFIG_HOME", folder.path().string()}}),
        2, "gpus.toml:1: gpu.target is missing");
    const Finished shipped = run_kwb({"xray", "matmul/naive", "--size", "32", "--target", "gfx906"},
                                     {{"XDG_CONFIG_HOME", folder.path().string()}});
    CHECK(shipped.exit_code == 0);
    CHECK_SAYS(shipped.out, "Compiled for gfx906");
    CHECK_SAYS(shipped.err, "gpus.toml:1: gpu.target is missing", "only the built-in GPUs are used");
    CHECK_TELLS(run_kwb({"xray", "matmul/naive", "--size", "32", "--target", "gfx9999"}), 1,
                "does not know gfx9999");
}

}  // namespace kwb::test
