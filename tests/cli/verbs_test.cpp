// SPDX-License-Identifier: Apache-2.0
// Every verb of kwb once, on small work. The other files of this folder go into each one's corners.
#include "base/file.hpp"
#include "kwb.hpp"

namespace kwb::test {

TEST_CASE("run compares kernels, and writes what a script and a browser read") {
    const TempFolder folder;
    const std::string page = (folder / "page.html").string();
    const nlohmann::json results =
        kwb_json({"run", "matmul/naive", "matmul/tiled", "cpu:blas", "--size", "33", "--rounds", "6",
                  "--seed", "7", "--json", "-", "--report", page});
    REQUIRE(results["results"].size() == 3);
    for (const auto& result : results["results"]) CHECK(result["verdict"] == "correct");
    CHECK_SAYS(read_file(page), "<!DOCTYPE html>", "correct");
}

TEST_CASE("sweep times a kernel with several work-groups at several sizes") {
    const Finished finished =
        run_kwb({"sweep", "matmul/naive", "--locals", "8x8,4x16,1x8", "--sizes", "8,17", "--rounds", "1"});
    INFO(finished.out, finished.err);
    CHECK(finished.exit_code == 0);
    CHECK_SAYS(finished.out, "matmul/naive 8x8", "matmul/naive 4x16", "matmul/naive 1x8", "* ");
    const Finished all =
        run_kwb({"sweep", "matmul/tiled", "--locals", "all", "--sizes", "17", "--rounds", "1"});
    INFO(all.out, all.err);
    CHECK(all.exit_code == 0);
    CHECK_SAYS(all.out, "matmul/tiled TILE=8", "matmul/tiled TILE=16");
    CHECK(all.out.find("constraint") == std::string::npos);
}

TEST_CASE("sweep times a kernel at several sizes") {
    CHECK_TELLS(run_kwb({"sweep", "matmul/naive", "--sizes", "8,17", "--rounds", "1"}), 0, "matmul/naive",
                "17", "GFLOP/s");
}

TEST_CASE("check finds a missing guard, and names the line in X-ray's words") {
    const TempFolder folder;
    const std::string source =
        replaced(kernel_source("matmul/01_naive.cl"), "if (row >= M || col >= N) return;", "");
    const std::string file = folder.write("unguarded.cl", source).string();
    const Finished finished = run_kwb({"check", file, "--size", "17"});
    CHECK(finished.exit_code == 1);
    CHECK_SAYS(finished.out, "out_of_bounds", "work-item (", " at line ");
    CHECK_TELLS(run_kwb({"check", "matmul/naive", "--size", "17"}), 0, "correct");
}

TEST_CASE("tune finds the best value of a parameter") {
    CHECK_TELLS(run_kwb({"tune", "matmul/tiled", "--size", "32", "--rounds", "1", "--no-xray"}), 0,
                "3 configurations of TILE: 3 valid", "the best", "kwb run matmul/tiled");
}

TEST_CASE("xray shows what each line reads and writes") {
    CHECK_TELLS(run_kwb({"xray", "matmul/naive", "--size", "17"}), 0, "A", "loads");
}

TEST_CASE("devices, kernels, show and doctor look around") {
    CHECK_TELLS(run_kwb({"devices"}), 0, "pocl:0", "local memory");
    CHECK_TELLS(run_kwb({"kernels"}), 0, "matmul/naive", "transpose/");
    CHECK_TELLS(run_kwb({"show", "matmul/tiled"}), 0, "TILE", "barrier(CLK_LOCAL_MEM_FENCE)");
    CHECK_TELLS(run_kwb({"doctor"}), 0, "All is well");
}

TEST_CASE("new writes a kernel, adopt keeps the options of one that declares nothing") {
    const TempFolder folder;
    const std::string file = (folder / "mine.cl").string();
    CHECK_TELLS(run_kwb({"new", "copy", file, "--solved"}), 0, "kwb check " + file);
    CHECK_TELLS(run_kwb({"run", file, "--size", "1000", "--rounds", "1"}), 0, "correct");
    const std::string theirs =
        folder
            .write("theirs.cl",
                   "kernel void mine(global const float* X, global float* Y, int N) {\n"
                   "    int i = get_global_id(0);\n    if (i < N) Y[i] = X[i];\n}\n")
            .string();
    CHECK(run_kwb({"adopt", theirs, "--problem", "copy", "--global", "N", "--local", "64"}).exit_code == 0);
    CHECK_TELLS(run_kwb({"run", theirs, "--size", "1024", "--rounds", "1"}), 0, "correct");
}

TEST_CASE("learn answers a save") {
    const TempFolder folder;
    ProcessOptions options = kwb_command({"learn", "2", "--once"});
    options.command.insert(options.command.begin(), {"env", "-C", folder.path().string()});
    options.environment.push_back({"XDG_DATA_HOME", (folder / "data").string()});
    const Finished begun = Process(options).finish();
    CHECK(begun.exit_code == 1);
    CHECK_SAYS(begun.out, "Many work-items", "blank not filled in");
    folder.write("02_many_work_items.cl",
                 read_file(KWB_SHIPPED_LESSONS "/02_many_work_items/solution/exercise.cl"));
    const Finished solved = Process(options).finish();
    INFO(solved.out, solved.err);
    CHECK(solved.exit_code == 0);
}

TEST_CASE("grade marks what a class handed in") {
    const TempFolder folder;
    folder.write("rubric.toml",
                 "title = \"Exercise\"\nproblem = \"matmul\"\nkernel = \"matmul.cl\"\n"
                 "[[criterion]]\nname = \"right\"\npoints = 100\nsizes = [\"16\", \"17\"]\neach = true\n");
    folder.write("in/ann/matmul.cl", kernel_source("matmul/01_naive.cl"));
    const Finished done =
        run_kwb({"grade", (folder / "in").string(), "--rubric", (folder / "rubric.toml").string()},
                {{"XDG_DATA_HOME", (folder / "data").string()}});
    INFO(done.err);
    CHECK(done.exit_code == 0);
    CHECK_SAYS(done.out, "ann", "100");
}

TEST_CASE("gui without a display says what to do") {
    const Finished refused = run_kwb({"gui"}, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
    CHECK(refused.exit_code != 0);
    CHECK(refused.err.starts_with("kwb"));
}

}  // namespace kwb::test
