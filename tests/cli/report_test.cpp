// SPDX-License-Identifier: Apache-2.0
// --report: the HTML page with charts and sources.
#include "cli/kwb.hpp"

using namespace kwb;
using namespace kwb::test;

TEST_CASE("a run writes a page with table, charts and sources, and its terminal output stays the same") {
    const TempFolder folder;
    const std::string page = (folder / "out.html").string();
    CHECK_TELLS(run_kwb({"run", "matmul/naive", "matmul/tiled", "cpu:blas", "--size", "64", "--rounds", "6",
                         "--report", page}),
                0, "matmul/naive", "median (95 % interval)");
    const std::string text = read_text(page);
    CHECK(text.starts_with("<!DOCTYPE html>"));
    CHECK_SAYS(text, "size 64</h1>", "Kernel time", "Speed-up", "02_tiled.cl", "__kernel void",
               "time of one run", "cpu:blas", "Driver");
    CHECK(folder.count_files() == 1);
}

TEST_CASE("the page says why, as the terminal does, with links to the lines of the sources") {
    const TempFolder folder;
    const std::string page = (folder / "out.html").string();
    const Finished finished =
        run_kwb({"why", "matmul/naive", "matmul/tiled", "--size", "64", "--rounds", "6", "--report", page});
    CHECK(finished.exit_code == 0);
    const std::string text = read_text(page);
    const std::size_t begin = text.find("<h3>Why</h3>");
    REQUIRE(begin != std::string::npos);
    const std::string why = text.substr(begin, text.find("<h3>Charts</h3>") - begin);
    for (const std::string& place : {finished.out, why})
        CHECK_SAYS(place, "of global memory in loads and stores", "NVIDIA A100", "without barriers");
    CHECK_SAYS(why, "[counted", "<td>without barriers</td>");
    // Each link leads to the line that it names.
    std::string lines;
    constexpr std::string_view kLink = "<a href=\"#";
    for (std::size_t at = why.find(kLink); at != std::string::npos; at = why.find(kLink, at + 1)) {
        const std::size_t id = at + kLink.size(), number = why.find("\">line ", id);
        const std::size_t row = text.find("<span id=\"" + why.substr(id, number - id) + "\"");
        REQUIRE(row != std::string::npos);
        lines = text.substr(row, text.find("</span>", row) - row) + lines;
        CHECK_SAYS(lines.substr(0, lines.find("</i>")), ">" + why.substr(number + 7, 2));
    }
    CHECK_SAYS(lines, "a[ly][lx] = ", "b[ly][lx] = ", "sum += ");
    CHECK_SAYS(text, "<details open><summary>02_tiled.cl");
}

TEST_CASE("a wrong result's page shows where it is wrong") {
    const TempFolder folder;
    const std::string page = (folder / "out.html").string();
    const auto kernel = folder.write(
        "half.cl", replaced(kernel_source("matmul/01_naive.cl"), "k < K; ++k", "k < K - 1; ++k"));
    const Finished finished = run_kwb({"run", kernel.string(), "--size", "64", "--report", page});
    CHECK(finished.exit_code == 1);
    CHECK_SAYS(read_text(page), "verdict bad", "First wrong elements", "Errors in C", "data:image/png");
}

TEST_CASE("a sweep's page has the speed over the size") {
    const TempFolder folder;
    const std::string page = (folder / "out.html").string();
    CHECK_TELLS(run_kwb({"sweep", "matmul/naive", "matmul/tiled", "--sizes", "16,32,64", "--rounds", "6",
                         "--report", page}),
                0, "GFLOP/s");
    CHECK_SAYS(read_text(page), "3 sizes</h1>", "Speed by size", "<td>32</td>");
    CHECK_FALSE(says(read_text(page), "<h3>Why</h3>"));
}

TEST_CASE("the page can go to standard output, alone") {
    const Finished finished =
        run_kwb({"run", "matmul/naive", "--size", "16", "--rounds", "6", "--report", "-"});
    CHECK(finished.exit_code == 0);
    CHECK(finished.out.starts_with("<!DOCTYPE html>"));
    CHECK(finished.out.ends_with("</html>\n"));
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--report", "-", "--csv", "-"}), 2,
                  "--csv - and --report - cannot both go to standard output");
}

TEST_CASE("a path that cannot be written is told in a sentence, before anything runs") {
    const TempFolder folder;
    const NamedList<std::string> no_judge = {{"KWB_JUDGE", "/nowhere/kwb-judge"}};
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--report", (folder / "none/out.html").string()}, no_judge),
                  2, "none/out.html: cannot write", "No such file or directory");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--report", folder.path().string()}, no_judge), 2,
                  "Is a directory");
    const std::string out = (folder / "out").string();
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--json", out, "--report", out}, no_judge), 2, "--json",
                  "--report", "are the same file");
    const auto kernel = folder.write("mine.cl", kernel_source("matmul/01_naive.cl"));
    CHECK_REFUSED(run_kwb({"run", kernel.string(), "--report", kernel.string()}, no_judge), 2, "--report",
                  "would replace");
    CHECK(folder.count_files() == 1);
}

TEST_CASE("a full disk costs the page only, and is told") {
    const Finished finished =
        run_kwb({"run", "matmul/naive", "--size", "16", "--rounds", "6", "--report", "/dev/full"});
    CHECK(finished.exit_code == 2);
    CHECK_SAYS(finished.out, "matmul/naive", "correct");
    CHECK_SAYS(finished.err, "/dev/full: cannot write: No space left on device");
}

TEST_CASE("the help of run and sweep names the page") {
    CHECK_TELLS(run_kwb({"run", "--help"}), 0, "--report");
    CHECK_TELLS(run_kwb({"sweep", "--help"}), 0, "--report");
}
