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
               "tiled.cl: 1 size, not compared: its text is unchanged");
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
    CHECK_SAYS(project.test({"-k", "naive", "--against", project.path("src")}).err,
               "has none of these kernels, so that nothing is compared");
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

TEST_CASE("ci: nothing that is read is replaced") {
    const Project project;
    project.write("src/tiled.cl", "#include \"ops.h\"\n" + kernel_source("matmul/02_tiled.cl"));
    project.write("src/ops.h", "// ours\n");
    for (const char* option : {"--junit", "--sarif", "--report", "--json"})
        for (const char* name : {"kwb.toml", "src/ops.h", "src/tiled.cl"}) {
            CAPTURE(option);
            CAPTURE(name);
            const std::string before = read_file(project.path(name));
            CHECK_REFUSED(project.test({option, project.path(name)}), 2, name, "would replace");
            CHECK(read_file(project.path(name)) == before);
        }
    CHECK_REFUSED(project.test({"--record", project.path("kwb.toml")}), 2, "kwb.toml");
    CHECK_REFUSED(project.test({"--record", project.path("t"), "--report", project.path("t")}), 2,
                  "--record are the same file");
}

TEST_CASE("ci: a work-group of kwb.toml also holds for files that declare one") {
    const Project project;
    project.write(
        "src/needs64.cl",
        "/*+++\nproblem = \"vector_add\"\n[launch]\nlocal = 64\nglobal = \"round_up(N, 64)\"\n+++*/\n"
        "kernel void f(global const float* A, global const float* B, global float* C, int N) {\n"
        "    int i = get_global_id(0);\n"
        "    if (i < N) C[i] = get_local_size(0) == 64 ? A[i] + B[i] : 0;\n}\n");
    const auto with = [&](const std::string& line) {
        project.write("kwb.toml",
                      "[[case]]\nname = \"a\"\nkernels = \"src/needs64.cl\"\nsizes = \"64\"\n" + line);
        return project.test({});
    };
    CHECK_TELLS(with(""), 0, "1 of 1 passed");
    CHECK_TELLS(with("local = \"32\"\n"), 1, "wrong at 1 of 1 size");
}

TEST_CASE("ci: a compiler's error has its place") {
    const Project project;
    project.write("src/deep/naive.cl", replaced(kernel_source("matmul/01_naive.cl"), "= sum;", "= Q;"));
    ProcessOptions options = kwb_command({"ci", "gemm", "-k", "naive", "--sarif", "s.json"});
    options.command.insert(options.command.begin(), {"env", "-C", project.path("")});
    const Finished failed = run_process(options);
    CHECK_TELLS(failed, 1, "\nsrc/deep/naive.cl:");
    CHECK(read_file(project.path("s.json")).find("\"src/deep/naive.cl\"") != std::string::npos);
}

TEST_CASE("ci: --init names only kernels that can run, whatever their names are") {
    const Project project;
    std::filesystem::remove(project.path("kwb.toml"));
    std::filesystem::remove_all(project.path("src"));
    CHECK_REFUSED(project.test({"--init"}), 2, "no kernel file (.cl) in");
    project.write("x\ny.cl", "kernel void f(global int* a) {}\n");
    CHECK_REFUSED(project.test({"--init"}), 2, "declares what it computes; 'kwb adopt FILE' adds that");
    for (const char* name : {"b[1].cl", "b1.cl", "q?.cl", "back\\slash.cl"})
        project.write(name, kernel_source("matmul/01_naive.cl"));
    CHECK_TELLS(project.test({"--init"}), 0, "is written for 4 kernel files", "1 more is not tested yet");
    const std::string names = project.test({"--list"}).out;
    CHECK(lines_of(names) == 4);
    CHECK_SAYS(names, "b[1].cl", "b1.cl", "q?.cl");
}

TEST_CASE("ci: bad input is one sentence") {
    const Project project;
    CHECK_REFUSED(project.test({"--shard", "3/2"}), 2, "there are only 2 parts");
    CHECK_REFUSED(project.test({"--shard", "2"}), 2, "2/4");
    CHECK_REFUSED(project.test({"--slower-than", "5%"}), 2, "needs --against");
    CHECK_REFUSED(project.test({"--slower-than", "much", "--against", "."}), 2, "from 1% to 1000%");
    CHECK_REFUSED(project.test({"--against", project.path("none")}), 2, "git worktree add");
    for (const char* line : {"sizes = [\"16\", \"0\"]", "time_at = \"x\""}) {
        project.write("bad.toml",
                      std::string("[[case]]\nname = \"a\"\nkernels = \"src/tiled.cl\"\n") + line + '\n');
        CHECK_REFUSED(run_kwb({"ci", "--file", project.path("bad.toml")}), 2,
                      "bad.toml: case \"a\": size \"");
    }
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
