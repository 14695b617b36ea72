// SPDX-License-Identifier: Apache-2.0
// kwb tune with a T1 file of Kernel Tuner, on PoCL.
#include "base/file.hpp"
#include "cli/kwb.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

/// Without the front matter, so that the T1 file has to say it all.
std::string bare_block() {
    const std::string source = kernel_source("published/19_kernel_tuner_block_repaired.cl");
    return source.substr(source.find("+++*/") + 5);
}

std::string t1_text() {
    return R"({"ConfigurationSpace": {
    "TuningParameters": [
        {"Name": "block_size_x", "Type": "int", "Values": "[16, 32]"},
        {"Name": "block_size_y", "Type": "int", "Values": "[2**i for i in range(4)]"},
        {"Name": "tile_size_x", "Type": "int", "Values": "[1]"},
        {"Name": "tile_size_y", "Type": "int", "Values": "[2, 4]"}],
    "Conditions": [{"Parameters": [], "Expression": "block_size_x == block_size_y * tile_size_y"}]},
"KernelSpecification": {
    "Language": "OpenCL", "KernelName": "matmul_kernel", "KernelFile": "block.cl",
    "LocalSize": {"X": "block_size_x", "Y": "block_size_y", "Z": "1"}, "GlobalSize": {"X": "64"},
    "GridDivX": ["block_size_x", "tile_size_x"], "GridDivY": ["block_size_y", "tile_size_y"],
    "ProblemSize": [64, 64], "Arguments": [{"Name": "C"}]},
"Search": {"Name": "pso"},
"Budget": [{"Type": "ConfigurationCount", "BudgetValue": 2}]})";
}

}  // namespace

TEST_CASE("a T1 file is enough to tune its kernel, which the command at the end runs without it") {
    const TempFolder folder;
    folder.write("block.cl", bare_block());
    const std::string t1 = folder.write("t1.json", t1_text()).string();
    const std::string cache = (folder.path() / "c.json").string();
    const Finished finished =
        run_kwb({"tune", "--t1", t1, "--problem", "matmul", "--rounds", "6", "--cache", cache});
    CHECK_TELLS(finished, 0, t1 + ": not used: Arguments (the problem has its own inputs) and Search pso",
                t1 + " sets --size 64x64x64 --entry matmul_kernel --global",
                "16 configurations of block_size_x", "13 removed by Conditions[0] of " + t1,
                "Verdicts: 2 correct; 1 not tried.");
    CHECK(nlohmann::json::parse(read_file(cache).substr(0, read_file(cache).find("\"cache\"")) +
                                "\"cache\": 0}")["problem_size"] == nlohmann::json({64, 64}));
    const std::string command = finished.out.substr(finished.out.find("kwb run "));
    CHECK_SAYS(command, "--problem matmul", "--local block_size_x,block_size_y", "-D block_size_x=16");
    Args args = {"run",
                 (folder.path() / "block.cl").string(),
                 "--problem",
                 "matmul",
                 "--size",
                 "64",
                 "--rounds",
                 "1",
                 "--entry",
                 "matmul_kernel",
                 "--local",
                 "block_size_x,block_size_y",
                 "--global",
                 "ceil_div(N, block_size_x * tile_size_x) * local.x,ceil_div(M, block_size_y * tile_size_y) "
                 "* local.y"};
    for (const char* macro : {"block_size_x=16", "block_size_y=4", "tile_size_x=1", "tile_size_y=4"}) {
        args.push_back("-D");
        args.push_back(macro);
    }
    CHECK_TELLS(run_kwb(args), 0, "correct");
}

TEST_CASE("--list prints each valid configuration, and options stand above the T1 file") {
    const TempFolder folder;
    folder.write("block.cl", bare_block());
    const std::string t1 = folder.write("t1.json", t1_text()).string();
    const Args args = {"tune", "--t1", t1, "--problem", "matmul", "--list"};
    CHECK_TELLS(run_kwb(args), 0,
                "16 configurations of block_size_x, block_size_y, tile_size_x and tile_size_y: 3 valid",
                "\nblock_size_x=16 block_size_y=4 tile_size_x=1 tile_size_y=4\n"
                "block_size_x=16 block_size_y=8 tile_size_x=1 tile_size_y=2\n"
                "block_size_x=32 block_size_y=8 tile_size_x=1 tile_size_y=4\n");
    Args chosen = args;
    chosen.insert(chosen.end(), {"--param", "tile_size_y=2", "--size", "100"});
    CHECK_TELLS(run_kwb(chosen), 0, "size 100", ": 1 valid", "\nblock_size_x=16 block_size_y=8 ");
    CHECK_TELLS(run_kwb({"tune", "matmul/tiled", "--list"}), 0, "\nTILE=16\nTILE=8\nTILE=32\n");
}

TEST_CASE("a kernel with a front matter gets values and conditions of a T1 file, and keeps its launch") {
    const TempFolder folder;
    const std::string t1 = folder
                               .write("t1.json", R"json({"ConfigurationSpace": {
        "TuningParameters": [{"Name": "TILE", "Values": "[4, 8, 12]"}],
        "Conditions": [{"Expression": "TILE in (4, 12)"}]}})json")
                               .string();
    CHECK_TELLS(
        run_kwb({"tune", "matmul/tiled", "--t1", t1, "--size", "24", "--rounds", "1", "--param", "TILE=12"}),
        0, "1 configuration of TILE: 1 valid", "kwb run matmul/tiled --size 24 --param TILE=12 --force");
}

TEST_CASE("bad input of --t1") {
    const TempFolder folder;
    const std::string block = folder.write("block.cl", bare_block()).string();
    const auto refused = [&](const std::string& from, const std::string& to, const Args& more,
                             auto... words) {
        Args args = {"tune", "--t1", folder.write("t1.json", replaced(t1_text(), from, to)).string()};
        args.insert(args.end(), more.begin(), more.end());
        CHECK_REFUSED(run_kwb(args), 2, words...);
    };
    const Args matmul = {"--problem", "matmul"};
    refused("\"pso\"", "\"pso\"", {}, "t1.json: a T1 file does not define a correct result", "--problem");
    refused("block.cl", "no.cl", matmul,
            "t1.json: KernelSpecification.KernelFile: no.cl was not found next to this file");
    refused("\"OpenCL\"", "\"CUDA\"", matmul, "t1.json: KernelSpecification.Language is CUDA", "before --t1");
    refused("[64, 64]", "[64, 32]", matmul, "K of matmul is missing", "--size");
    refused("== block_size_y", "% (tile_size_y - 2) == block_size_y", matmul,
            "t1.json: ConfigurationSpace.Conditions[0]", "division by zero");
    refused("[16, 32]", "[__import__('os').system('x')]", matmul,
            "t1.json: ConfigurationSpace.TuningParameters[0].Values: ", "column 18");
    refused("\"pso\"", "\"pso\"", {"--problem", "matmul", "--t4", (folder.path() / "t1.json").string()},
            "would replace the --t1 file");
    refused("\"pso\"", "\"pso\"", {"--list", "--json", "-"}, "--list");
    folder.write("block.cl", "#define block_size_x 16\n" + read_file(block));
    refused("\"pso\"", "\"pso\"", matmul,
            "block.cl:1:1: this #define overrides the value chosen for block_size_x");
    CHECK_REFUSED(run_kwb({"tune", "--t1", folder.path() / "none.json"}), 2, "none.json");
    CHECK_REFUSED(run_kwb({"tune"}), 2, "kwb tune needs a kernel", "--t1");
}
