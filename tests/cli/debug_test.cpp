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

TEST_CASE("the first store at which an edited copy differs from the original") {
    const TempFolder folder;
    const std::string file = changed_kernel(folder, "k < TILE; ++k", "k < TILE - 1; ++k");
    CHECK_TELLS(run_kwb({"debug", file, "--against", "matmul/tiled", "--size", "64", "--command", "print k",
                         "--command", "difference"}),
                0,
                "k differs from matmul/tiled in work-item (0, 0): line 53 stores 0, there line 53 stores 16",
                "sum differs from matmul/tiled in work-item (0, 0): line 53 stores", "53 →", "k = 15",
                "C[0] ([0][0]) differs from matmul/tiled");
    // The loop over the only tile ends early: one store less, and no other value until the output.
    CHECK_TELLS(run_kwb({"debug", file, "--against", "matmul/tiled", "--size", "16", "--lane", "3,2",
                         "--command", "print k"}),
                0,
                "k differs from matmul/tiled in work-item (3, 2): there line 53 stores 16, here nothing does",
                "53 →");
    const std::string swapped = changed_kernel(folder, "a[ly][lx] =", "a[lx][ly] =");
    CHECK_TELLS(run_kwb({"debug", swapped, "--against", "matmul/tiled", "--size", "64"}), 0, "a[",
                "differs from matmul/tiled in work-item (", "49 →");
}

TEST_CASE("the first difference is found behind the first part of a long record") {
    const TempFolder folder;
    const std::string file =
        changed_kernel(folder, "sum += a[ly][k]", "sum += (k0 + k == 4000 ? 2.0f : 1.0f) * a[ly][k]");
    CHECK_TELLS(run_kwb({"debug", file, "--against", "matmul/tiled", "--size", "16x16x4096", "--command",
                         "print k0"}),
                0, "sum differs from matmul/tiled in work-item (0, 0): line 53 stores", "53 →", "k0 = 4000");
}

TEST_CASE("kernels with other variables are compared by the elements that they store") {
    const TempFolder folder;
    const std::string file = changed_kernel(folder, "k < TILE; ++k", "k < TILE - 1; ++k");
    CHECK_TELLS(run_kwb({"debug", file, "--against", "matmul/naive", "--size", "64"}), 0,
                "C[0] ([0][0]) differs from matmul/naive in work-item (0, 0): line 57 stores", "there line");
    // Its work-groups are others: the one that stores the same element is compared.
    CHECK_TELLS(run_kwb({"debug", file, "--against", "matmul/block", "--size", "64", "--group", "3,3"}), 0,
                "C[3120] ([48][48]) differs from matmul/block in work-item (0, 0): line 57 stores");
    CHECK_TELLS(run_kwb({"debug", "matmul/tiled", "--against", "matmul/naive", "--size", "64"}), 0,
                "No difference from matmul/naive: both store the same to 256 elements");
    CHECK_TELLS(run_kwb({"debug", "matmul/tiled", "--against", "matmul/tiled", "--size", "64"}), 0,
                "No difference from matmul/tiled: both store the same to", "variables and elements");
}

TEST_CASE("what cannot be compared is refused") {
    CHECK_REFUSED(run_kwb({"debug", "matmul/tiled", "--against", "transpose/naive"}), 2, "matmul");
    CHECK_REFUSED(run_kwb({"debug", "matmul/tiled", "--against", "matmul/tile"}), 2, "matmul/tiled");
    const Finished alone = run_kwb({"debug", "matmul/tiled", "--size", "16", "--command", "difference"});
    CHECK(alone.exit_code == 1);
    CHECK_SAYS(alone.err, "start with --against");
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

TEST_CASE("a kernel that does not compile has no wrong element to step to, which is no success") {
    const TempFolder folder;
    std::string source = kernel_source("matmul/02_tiled.cl");
    source.replace(source.rfind("sum;"), 4, "sun;");
    const std::string file = folder.write("broken.cl", source).string();
    CHECK_REFUSED(run_kwb({"debug", file, "--wrong", "--size", "16"}), 1, "does not compile", "'sun'");
}

TEST_CASE("a guard that is wrong at the edge alone is found at a size with an edge") {
    const TempFolder folder;
    const std::string file = changed_kernel(folder, "k0 + ly < K", "k0 + lx < K");
    CHECK_TELLS(run_kwb({"debug", file, "--wrong", "--size", "64", "--command", "last sum"}), 0,
                "is wrong at size", "53 →");
}

TEST_CASE("a kernel that never ends is stepped through where it was stopped, after one sentence about that") {
    const TempFolder folder;
    const std::string file = changed_kernel(folder, "k < TILE; ++k", "k < TILE || k > 0; k = (k + 1) % 8");
    const Finished wrong =
        run_kwb({"debug", file, "--wrong", "--size", "16", "--timeout", "500ms", "--command", "backtrace"});
    CHECK(wrong.exit_code == 0);
    CHECK_SAYS(wrong.out, "X-ray stopped matmul_tiled at line 53", "this loop does not end", "53 →");
    CHECK(wrong.out.find("does not end") == wrong.out.rfind("does not end"));
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

TEST_CASE("a terminal completes names, and keeps what was typed for the next session") {
    const TempFolder home;
    ProcessOptions options = kwb_command({"debug", "matmul/tiled", "--size", "32", "--lane", "3,1"});
    options.is_terminal = true;
    options.environment.push_back({"TERM", "xterm"});
    options.environment.push_back({"XDG_DATA_HOME", home.path().string()});
    // Waits for an answer, and for the prompt behind it, which tells that the terminal is in the editor's
    // mode: in line mode the kernel would take Ctrl-D for itself.
    std::size_t seen = 0;
    const auto wait_for = [&seen](Process& kwb, std::string_view answer) {
        kwb.wait_for_stdout([&](std::string_view out) {
            const std::size_t at = out.find(answer, seen);
            const std::size_t prompt = at == std::string_view::npos ? at : out.find("(kwb) ", at);
            if (prompt == std::string_view::npos) return false;
            seen = prompt + 1;
            return true;
        });
    };
    constexpr const char* kTab = "\t";
    constexpr const char* kUp = "\x1b[A";
    constexpr const char* kCtrlC = "\x03";
    constexpr const char* kCtrlD = "\x04";
    {
        Process kwb(options);
        wait_for(kwb, "work-group (0, 0)");
        kwb.write(std::string("adv") + kTab + "53\n");
        wait_for(kwb, "53 →");
        kwb.write(std::string("print su") + kTab + "\n");
        wait_for(kwb, "sum = ");
        kwb.write(std::string(kUp) + "\n");
        wait_for(kwb, "sum = ");
        kwb.write(std::string("rev") + kTab + kTab);
        wait_for(kwb, "reverse-step  reverse-next  reverse-continue");
        kwb.write(kCtrlC);
        wait_for(kwb, "^C");
        kwb.write("print k\n");
        wait_for(kwb, "k = not set yet");
        kwb.write(kCtrlD);
        const Finished finished = kwb.finish();
        INFO(finished.out);
        CHECK(finished.exit_code == 0);
        CHECK(finished.out.find("there is no command") == std::string::npos);
    }
    seen = 0;
    Process kwb(options);
    wait_for(kwb, "work-group (0, 0)");
    kwb.write(std::string(kUp) + kUp + kUp + "\n");
    wait_for(kwb, "53 →");
    kwb.write("quit\n");
    CHECK(kwb.finish().exit_code == 0);
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
    CHECK_REFUSED(debug({"--at", "53 if 8 / (k - 2) == 1"}), 2, "8 / (k - 2) == 1: a division by zero");
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
