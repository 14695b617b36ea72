// SPDX-License-Identifier: Apache-2.0
#include "kwb.hpp"

#include "base/file.hpp"

namespace kwb::test {
namespace {

/// The tiled kernel with one text replaced.
std::string changed_kernel(const TempFolder& folder, const std::string& from, const std::string& to) {
    std::string source = kernel_source("matmul/02_tiled.cl");
    const std::size_t at = source.find(from);
    REQUIRE(at != std::string::npos);
    source.replace(at, from.size(), to);
    return folder.write("mine.cl", source).string();
}

}  // namespace

TEST_CASE("from the first wrong element back to its cause") {
    const TempFolder folder;
    const std::string file = changed_kernel(folder, "k < TILE; ++k", "k < TILE - 1; ++k");
    CHECK_TELLS(run_kwb({"debug", file, "--wrong", "--size", "64", "--command", "last sum", "--command",
                         "origins", "--command", "last a[ly][k]"}),
                0, "C[0][0] is wrong at size 16: expected", "57 →", "stores", "to sum",
                "a[0][14] =", "in work-item (14, 0)", "49 →");
}

TEST_CASE("an element that nobody stores leads to the work-item that should have") {
    const TempFolder folder;
    const std::string file = changed_kernel(folder, "col < N) C[", "col < N - 1) C[");
    CHECK_TELLS(run_kwb({"debug", file, "--wrong", "--size", "64", "--command", "print get_global_id(0)"}), 0,
                "C[0][7] is wrong at size 8", "none of the launch's 16 × 16 work-items stores it",
                "get_global_id(0) = 7");
}

TEST_CASE("a right kernel has no wrong element, and one that is too large says so") {
    CHECK_TELLS(run_kwb({"debug", "matmul/tiled", "--wrong", "--size", "32"}), 0,
                "all elements are right at");
}

TEST_CASE("a guard that is wrong at the edge alone is found at a size with an edge") {
    const TempFolder folder;
    const std::string file = changed_kernel(folder, "k0 + ly < K", "k0 + lx < K");
    CHECK_TELLS(run_kwb({"debug", file, "--wrong", "--size", "64", "--command", "last sum"}), 0,
                "is wrong at size", "53 →");
}

TEST_CASE("what is undefined is told, and the work-item is followed up to there") {
    const TempFolder folder;
    const std::string file = changed_kernel(folder, "sum += a[ly][k]", "sum += *(global float*)(size_t)k");
    CHECK_TELLS(run_kwb({"debug", file, "--size", "32", "--command", "end", "--command", "reverse-step",
                         "--command", "print k"}),
                0, "null pointer", "Behind the last step of work-item (0, 0)", "53 →", "k = 0");
}

TEST_CASE("commands from standard input, and their answers as JSON") {
    ProcessOptions options = kwb_command({"debug", "matmul/tiled", "--size", "32", "--lane", "3,1"});
    options.in = "break 53 if k == 2\ncontinue\nprint k + lx\nquit\nprint k\n";
    const Finished finished = run_process(options);
    CHECK(finished.exit_code == 0);
    CHECK_SAYS(finished.out, "work-group (0, 0) of matmul_tiled: 256 work-items", "Breakpoint 1 at line 53",
               "53 →", "k + lx = 5");
    CHECK(finished.out.find("\nk = ") == std::string::npos);
    const nlohmann::json answers = kwb_json({"debug", "matmul/tiled", "--size", "32", "--command",
                                             "advance 53", "--command", "print lx", "--json", "-"});
    REQUIRE(answers.size() == 2);
    CHECK(answers[0]["line"] == 53);
    CHECK(answers[1]["text"] == "lx = 0");
    CHECK(answers[1]["is_error"] == false);
}

TEST_CASE("what is wrong in the command line of kwb debug is told, with the remedy") {
    const auto debug = [](Args more) {
        Args args{"debug", "matmul/tiled", "--size", "32"};
        args.insert(args.end(), more.begin(), more.end());
        return run_kwb(args);
    };
    CHECK_REFUSED(debug({"--group", "2,0"}), 2,
                  "--group 2,0: the launch has 2 × 2 work-groups, counted from 0");
    CHECK_REFUSED(debug({"--group", "1,x"}), 2, "give one to three whole numbers");
    CHECK_REFUSED(debug({"--launch", "2"}), 2, "--launch 2: the last launch of matmul/tiled is 1");
    CHECK_REFUSED(run_kwb({"debug", "cpu:blas"}), 2, "no source to debug");
    const Finished unknown = debug({"--command", "print summ"});
    CHECK(unknown.exit_code == 1);
    CHECK_SAYS(unknown.err, "there is no variable summ here. Did you mean sum?");
    const Finished lane = debug({"--lane", "16", "--command", "quit"});
    CHECK(lane.exit_code == 2);
    CHECK_SAYS(lane.err, "from 0 to 15");
}

}  // namespace kwb::test
