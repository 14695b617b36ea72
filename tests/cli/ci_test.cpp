// SPDX-License-Identifier: Apache-2.0
// kwb ci: a small project. tests/slower/run shows how often it finds what became slower.
#include <algorithm>
#include <fstream>

#include "base/file.hpp"
#include "base/text.hpp"
#include "kwb.hpp"

namespace kwb::test {
namespace {

class Project {
public:
    Project() {
        write("src/tiled.cl", kernel_source("matmul/02_tiled.cl"));
        write("src/deep/naive.cl", kernel_source("matmul/01_naive.cl"));
        write("kwb.toml",
              "[[case]]\nname = \"gemm\"\nkernels = \"src/**/*.cl\"\nsizes = [\"16\", \"17\"]\ntags = "
              "\"quick\"\n"
              "[[case]]\nname = \"tiles\"\nkernels = \"src/tiled.cl\"\nsizes = \"16\"\nparams = \"all\"\n");
    }
    void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    Finished test(Args more, const NamedList<std::string>& environment = {}) const {
        Args args = {"ci", "--file", path("kwb.toml")};
        args.insert(args.end(), more.begin(), more.end());
        return run_kwb(args, environment);
    }

private:
    TempFolder folder_;
};

std::size_t lines_of(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace

TEST_CASE("ci: each kernel and choice of parameters is a test; a fault fails it, at its line") {
    const Project project;
    CHECK_TELLS(project.test({}), 0, "ok    gemm/", "src/deep/naive.cl: 2 sizes", "tiled.cl TILE=32: 1 size",
                "5 of 5 passed");
    CHECK(lines_of(project.test({"--list"}).out) == 5);
    CHECK(lines_of(project.test({"--list", "--tag", "quick"}).out) == 2);
    CHECK(lines_of(project.test({"--list", "tiles", "-k", "TILE=8"}).out) == 1);
    CHECK(lines_of(project.test({"--list", "--shard", "1/2"}).out) == 3);
    CHECK(lines_of(project.test({"--list", "--shard", "2/2"}).out) == 2);

    project.write("src/deep/naive.cl",
                  replaced(kernel_source("matmul/01_naive.cl"), "if (row >= M || col >= N) return;", ""));
    const Finished failed =
        project.test({"gemm", "--quiet", "--junit", project.path("j.xml"), "--sarif", project.path("s.json")},
                     {{"GITHUB_ACTIONS", "true"}});
    CHECK_TELLS(failed, 1, "FAIL  gemm/", "out_of_bounds at 1 of 2 sizes",
                "naive.cl:35:", ": error: ", "::error file=", "1 of 2 passed, 1 failed");
    CHECK(failed.out.find("ok  ") == std::string::npos);
    CHECK(read_file(project.path("j.xml")).find("failures=\"1\"") != std::string::npos);
    const auto sarif = nlohmann::json::parse(read_file(project.path("s.json")));
    CHECK(sarif["runs"][0]["results"].size() > 0);
    CHECK_TELLS(project.test({"--fail-fast"}), 1, "0 of 5 passed, 1 failed, 4 not run");
}

TEST_CASE("ci: an expected fault passes, a missing device is left out, a broken file fails alone") {
    const Project project;
    project.write("src/broken.cl", "/*+++\nproblem = \"matmul\"\nlaunch = 3\n+++*/\n");
    project.write("src/half.cl", replaced(kernel_source("matmul/01_naive.cl"), "= sum;", "= 2 * sum;"));
    project.write(
        "kwb.toml",
        "[[case]]\nname = \"wrong\"\nkernels = \"src/half.cl\"\nsizes = \"16\"\nexpect = \"wrong\"\n"
        "[[case]]\nname = \"right\"\nkernels = \"src/tiled.cl\"\nsizes = \"16\"\nexpect = \"wrong\"\n"
        "[[case]]\nname = \"broken\"\nkernels = \"src/broken.cl\"\n"
        "[[case]]\nname = \"gone\"\nkernels = \"src/gone.cl\"\n"
        "[[case]]\nname = \"away\"\nkernels = \"src/tiled.cl\"\ndevices = [\"nosuch\"]\n");
    CHECK_TELLS(project.test({}), 1, "ok    wrong/", "FAIL  right/", "should be wrong at some size",
                "FAIL  broken/", "broken.cl:3:", "FAIL  gone/", "No such file", "skip  away/",
                "there is no device \"nosuch\" here", "1 of 5 passed, 3 failed, 1 skipped");
    CHECK_SAYS(project.test({"away"}).err, "no test ran");
}

TEST_CASE("ci: only a kernel whose text has changed is timed against its earlier text") {
    const Project project;
    project.write("before/src/tiled.cl", kernel_source("matmul/02_tiled.cl"));
    project.write("before/src/deep/naive.cl", kernel_source("matmul/01_naive.cl") + "// earlier\n");
    project.write("src/new.cl", kernel_source("matmul/01_naive.cl"));
    project.write("kwb.toml",
                  "[[case]]\nname = \"gemm\"\nkernels = \"src/**/*.cl\"\nsizes = \"16\"\ntime_at = \"64\"\n");
    const std::string json = project.path("o.json");
    const Finished compared =
        project.test({"--against", project.path("before"), "--slower-than", "1000%", "--json", json});
    INFO(compared.out);
    CHECK_SAYS(compared.out, "new.cl: 1 size, not compared: it is new",
               "tiled.cl: 1 size, not compared: unchanged");
    const auto tests = nlohmann::json::parse(read_file(json))["tests"];
    REQUIRE(tests.size() == 3);
    CHECK(tests[0]["kernel"].get<std::string>().ends_with("src/deep/naive.cl"));
    CHECK(tests[0]["time_ratio"].is_number());
    CHECK(tests[0]["ci95"][0] <= tests[0]["time_ratio"]);
    CHECK(tests[1]["time_ratio"].is_null());

    project.write("before/src/deep/naive.cl",
                  replaced(kernel_source("matmul/01_naive.cl"), "= sum;", "= 2 * sum;"));
    CHECK_TELLS(project.test({"-k", "naive", "--against", project.path("before")}), 0,
                "not compared: its earlier text is wrong at size 64");
}

TEST_CASE("ci: --record keeps the times of the last runs, and the page shows them") {
    const Project project;
    project.write("kwb.toml",
                  "[[case]]\nname = \"gemm\"\nkernels = \"src/**/*.cl\"\nsizes = \"16\"\ntime_at = \"64\"\n");
    const std::string times = project.path("times.jsonl"), page = project.path("p.html");
    for (int run = 0; run < 2; ++run)
        CHECK_TELLS(project.test({"--record", times, "--report", page}), 0, "2 of 2 passed");
    const auto kept = split_lines(read_file(times));
    REQUIRE(kept.size() == 5);  // the first names the format; of two entries of a test the last counts
    CHECK(nlohmann::json::parse(kept[4])["record"]["runs"].size() == 2);
    CHECK_SAYS(read_file(page), "gemm: the last runs", "of the earlier median", "src/tiled.cl");
    project.write("times.jsonl", kept[0] + "\n" + kept[3].substr(5) + "\n");
    CHECK_REFUSED(project.test({"--record", times}), 2, "times.jsonl:2: ", "Remove this line");
    project.write("times.jsonl", "my notes\n");
    CHECK_REFUSED(project.test({"--record", times}), 2, "times.jsonl: not a file of times of kwb ci",
                  "Give --record a new file");
    CHECK(read_file(times) == "my notes\n");
    CHECK_REFUSED(project.test({"--record", "/nowhere/t"}), 2, "/nowhere/t");
}

TEST_CASE("ci: bad input is one sentence") {
    const Project project;
    CHECK_REFUSED(project.test({"--shard", "3/2"}), 2, "there are only 2 parts");
    CHECK_REFUSED(project.test({"--shard", "2"}), 2, "2/4");
    CHECK_REFUSED(project.test({"--slower-than", "5%"}), 2, "needs --against");
    CHECK_REFUSED(project.test({"--slower-than", "much", "--against", "."}), 2, "from 1% to 1000%");
    CHECK_REFUSED(project.test({"--against", project.path("none")}), 2, "git worktree add");
    CHECK_REFUSED(project.test({"tile"}), 2, "has no case \"tile\"", "Did you mean tiles?");
    CHECK_REFUSED(project.test({"-k", "nothing"}), 2, "no test is left");
    CHECK_REFUSED(project.test({"--init"}), 2, "exists already");
    CHECK_REFUSED(project.test({"--junit", "/nowhere/j.xml"}), 2, "/nowhere/j.xml");
    CHECK_TELLS(run_kwb({"ci", "--init", "--file", project.path("src/kwb.toml")}), 0, "2 kernel files");
    CHECK_TELLS(run_kwb({"ci", "--file", project.path("src/kwb.toml"), "--list"}), 0, "matmul/");
}

TEST_CASE("check: kernels of several problems, several sizes, all parameters") {
    const Finished both =
        run_kwb({"check", "matmul/tiled", "reduce/two_launches", "--size", "16", "--size", "17"});
    CHECK_TELLS(both, 0, "Matrix multiplication", "matmul/tiled TILE=16: 2 of 2 sizes correct",
                "reduce/two_launches BLOCK=65536: 2 of 2 sizes correct");
    CHECK_TELLS(run_kwb({"check", "matmul/tiled", "--all-params", "--size", "16"}), 0,
                "TILE=32: 1 of 1 size");
    CHECK_REFUSED(run_kwb({"check", "matmul/tiled", "reduce/two_launches", "--size", "16x16x16"}), 2,
                  "16x16x16");
}

}  // namespace kwb::test
