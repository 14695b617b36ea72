// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <sstream>

#include "base/fd.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "cli/kwb.hpp"
#include "report/text_layout.hpp"

using namespace kwb;
using namespace kwb::test;

// Output of each verb for users.

namespace {

/// Standard output of kwb on a terminal with this many columns, at most the 4 KiB that a terminal buffers.
std::string shown_on_terminal(const Args& args, unsigned short columns, bool colours = false) {
    const Fd terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
    REQUIRE(terminal);
    REQUIRE(::grantpt(terminal.get()) == 0);
    REQUIRE(::unlockpt(terminal.get()) == 0);
    const Fd shell(::open(::ptsname(terminal.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    REQUIRE(shell);
    const winsize size{24, columns, 0, 0};
    REQUIRE(::ioctl(terminal.get(), TIOCSWINSZ, &size) == 0);
    ProcessOptions options = kwb_command(args);
    if (colours) {
        std::erase_if(options.environment, [](const auto& variable) { return variable.name == "NO_COLOR"; });
        options.environment.push_back({"TERM", "xterm"});
        options.unset.push_back("NO_COLOR");
    }
    options.out_file = ::ptsname(terminal.get());
    const Finished finished = run_process(options);
    CHECK(finished.exit_code == 0);
    CHECK(finished.err == "");
    std::string text;
    char block[4096];
    for (ssize_t n = 0; (n = ::read(terminal.get(), block, sizeof block)) > 0;)
        text.append(block, static_cast<std::size_t>(n));
    return text;
}

}  // namespace

TEST_CASE("without arguments kwb explains itself") {
    CHECK_TELLS(run_kwb({}), 0, "Kernel Workbench", "Learn:", "Measure:", "Examples", "Exit codes");
    CHECK(run_kwb({}).out == run_kwb({"--help"}).out);
}

TEST_CASE("each verb has its help, ./workbench names it, and docs/places.md if it takes --on") {
    const std::string script = read_file(KWB_SHIPPED_KERNELS "/../workbench");
    std::string usage = script.substr(0, script.find("\nEND\n"));
    std::ranges::replace_if(
        usage, [](char c) { return c == ',' || c == ';'; }, ' ');
    std::istringstream in_usage(usage);
    const std::set<std::string> in_script{std::istream_iterator<std::string>(in_usage), {}};
    std::string places = read_file(KWB_DOCS "/places.md");
    places.resize(places.find("take that command with `--on`"));
    std::istringstream verbs(run_kwb({"--help"}).out);
    std::size_t seen = 0;
    for (std::string line; std::getline(verbs, line) && line != "Examples";) {
        CHECK_MESSAGE(line != "Subcommands:", "each verb belongs to a group: kHeadings");
        // Below their group's heading, verbs are indented; so are options, which begin with "-".
        if (!line.starts_with("  ") || !std::isalpha(static_cast<unsigned char>(line[2]))) continue;
        const std::string verb = line.substr(2, line.find(' ', 2) - 2);
        CAPTURE(verb);
        ++seen;
        const Finished help = run_kwb({verb, "--help"});
        CHECK_TELLS(help, 0, "Usage: kwb " + verb);
        CHECK(in_script.contains(verb));
        CHECK(has(places, "`" + verb + "`") == has(help.out, " --on "));
    }
    CHECK(seen >= 14);
    CHECK_TELLS(run_kwb({"run", "--help"}), 0, "KERNEL", "--device", "--local", "--param", "--force",
                "--seed", "--timeout", "--json", "--csv", "--time-budget", "--rounds", "--baseline",
                "--size");
    CHECK_TELLS(run_kwb({"run", "--help"}), 0, "In each round", "confidence interval", "--kernels DIR",
                "added if not named", "a bare number is seconds");
    CHECK_TELLS(run_kwb({"sweep", "--help"}), 0, "--sizes", "--rounds", "--json");
    CHECK_TELLS(run_kwb({"check", "--help"}), 0, "--size", "--json");
    CHECK_TELLS(run_kwb({"tune", "--help"}), 0, "TILE=8,16", "--strategy", "--budget",
                "only that configuration", "--resume");
}

TEST_CASE("--version names the program, its version and commit, and the OpenCL drivers") {
    const Finished version = run_kwb({"--version"});
    CHECK_TELLS(version, 0, "kwb " KWB_VERSION, "Portable Computing Language: OpenCL", ", driver ");
    // Git, which reads the commit during the build, need not be installed.
    const bool in_clone = std::filesystem::exists(KWB_SHIPPED_KERNELS "/../.git");
    CHECK(has(version.out, " (commit ") == (in_clone && !find_in_path("git").empty()));
}

TEST_CASE("devices tells the limits that matter for work-groups and local memory") {
    CHECK_TELLS(run_kwb({"devices"}), 0, "pocl:0", "work-group", "local memory", "global memory",
                "compute units");
}

TEST_CASE("kernels lists the catalogue, with parameters and their values") {
    CHECK_TELLS(run_kwb({"kernels"}), 0, "matmul/naive", "matmul/tiled", "TILE = 16, 8, 32", "copy/copy",
                "fma_chain/fma_chain", "cpu:blas", "kwb show");
}

TEST_CASE("--kernels adds a folder, and a broken file in it is named") {
    const TempFolder folder;
    folder.write("mine.cl", kernel_source("matmul/01_naive.cl"));
    const std::string path = folder.path().string();
    CHECK_TELLS(run_kwb({"--kernels", path, "kernels"}), 0, "mine ", "matmul/naive");
    folder.write("broken.cl", "/*+++\ntitle = \n+++*/\n");
    const Finished listed = run_kwb({"--kernels", path, "kernels"});
    CHECK(listed.exit_code == 2);
    CHECK_SAYS(listed.out, "broken: ", "broken.cl:2:", "matmul/naive");
    CHECK_SAYS(listed.err, "kwb: 1 of ", " kernel files is broken");
    CHECK_SAYS(run_kwb({"--kernels", path, "kernels", "--json", "-"}).err, "broken.cl:2:", "kwb: 1 of ");
    for (const std::string& line : split_lines(listed.out)) CHECK(line.size() <= 120);
    CHECK_REFUSED(run_kwb({"--kernels", path + "/none", "kernels"}), 2, path + "/none");
}

TEST_CASE("no text of a kernel file steers the terminal or forges a line") {
    const TempFolder folder;
    const std::string good = kernel_source("matmul/01_naive.cl");
    const std::string hostile = "// \x1B[2J\x1B]0;owned\x07 \u202E reversed \xC2\x9B 31m\n__kernel";
    const auto is_safe = [](const std::string& text) {
        CAPTURE(text);
        for (const char* unsafe : {"\x1B", "\x07", "\u202E", "\xC2\x9B", "\nkwb: forged"})
            CHECK(text.find(unsafe) == std::string::npos);
    };
    const auto source = folder.write("source.cl", replaced(good, "__kernel", hostile)).string();
    const Finished shown = run_kwb({"show", source});
    CHECK_TELLS(shown, 0, "// ?[2J?]0;owned? <U+202E> reversed ? 31m\n__kernel");
    is_safe(shown.out);
    const auto error =
        folder.write("error.cl", replaced(good, "__kernel", "#error \x1B[31m\u202E\n__kernel")).string();
    const Finished refused = run_kwb({"run", error, "--size", "16"});
    CHECK(refused.exit_code == 1);
    is_safe(refused.out);
    const auto title =
        folder.write("title.cl", replaced(good, "title   = \"", "title = \"\\u202E\\u001B[31m\\nkwb: forged"))
            .string();
    folder.write("a\nkwb: forged.cl", good);
    folder.write("b\x1B[31m.cl", good);
    folder.write("c\u202E.cl", good);
    for (const Args& args : {Args{"show", title}, Args{"run", title, source, "--size", "16", "--rounds", "1"},
                             Args{"kernels", "--kernels", folder.path().string()},
                             Args{"run", (folder.path() / "a\nkwb: forged.cl").string()},
                             Args{"check", (folder.path() / "c\u202E.cl").string(), "--size", "16"}}) {
        const Finished told = run_kwb(args);
        is_safe(told.out);
        is_safe(told.err);
    }
}

TEST_CASE("where colours are allowed, a kernel's source still has none of its own") {
    const TempFolder folder;
    const auto file = folder.write("hides.cl", "// a\x1B[8mb\x1B[31mc\n__kernel void f() {}\n").string();
    const std::string text = shown_on_terminal({"show", file}, 100, true);
    CHECK_SAYS(text, "// a?[8mb?[31mc");
    CHECK(text.find('\x1B') == std::string::npos);
}

TEST_CASE("show tells a kernel's story and shows its source without the front matter") {
    const Finished shown = run_kwb({"show", "matmul/tiled"});
    CHECK_TELLS(shown, 0, "matmul/tiled", "idea", "problem   matmul", "TILE = 16, 8, 32",
                "work-group TILE x TILE", "requires", "__kernel void matmul_tiled");
    CHECK(shown.out.find("+++") == std::string::npos);
    CHECK_SAYS(shown.out, "README    " KWB_SHIPPED_KERNELS "/matmul/README.md");
    CHECK_TELLS(run_kwb({"show", "cpu:blas"}), 0, "OpenBLAS", "not a kernel file");
}

TEST_CASE("run tells build, first run, median, rates, speed-up and verdict") {
    const Finished shown =
        run_kwb({"run", "matmul/naive", "matmul/tiled", "cpu:blas", "--size", "33x17x20", "--rounds", "2"});
    CHECK_TELLS(shown, 0, "M=33 N=17 K=20", "build", "1st run", "median (95 % interval)", "GFLOP/s", "GB/s",
                "speed-up", "verdict", "matmul/naive", "matmul/tiled TILE=16", "cpu:blas", "correct",
                "note: cpu:blas: OpenBLAS 0.", " kernels", "warning: ", "too few for an interval");
}

TEST_CASE("with six rounds a time and a speed-up have intervals") {
    const Finished shown =
        run_kwb({"run", "matmul/naive", "--baseline", "cpu:blas", "--size", "48", "--rounds", "6"});
    CHECK_TELLS(shown, 0, "Speed-up: against cpu:blas", " – ");
    CHECK(shown.out.find("too few") == std::string::npos);
}

TEST_CASE("a terminal without UTF-8 gets ASCII alone") {
    const Finished shown =
        run_kwb({"run", "matmul/naive", "--size", "16", "--rounds", "2"}, {{"LC_ALL", "C"}});
    CHECK_TELLS(shown, 0, "C = A * B");
    for (const char c : shown.out) CHECK(static_cast<unsigned char>(c) < 0x80);
}

TEST_CASE("in a terminal of 40 columns every line fits, the first one too") {
    for (const Args& args : {Args{"run", "matmul/naive", "--size", "16", "--rounds", "1"},
                             Args{"sweep", "matmul/naive", "--sizes", "16", "--rounds", "1"},
                             Args{"check", "matmul/naive", "--size", "16"}}) {
        const std::string text = shown_on_terminal(args, 40);
        CHECK_SAYS(text, "Matrix multiplication", "matmul/naive");
        CHECK(text.find("1 sizes") == std::string::npos);
        for (const std::string& line : split_lines(text)) {
            CAPTURE(line);
            CHECK(display_width(line) <= 40);
        }
    }
}

TEST_CASE("sweep tells a row a size") {
    CHECK_TELLS(run_kwb({"sweep", "matmul/naive", "matmul/tiled", "--sizes", "16,24,16x16x16,33x17x9,24",
                         "--rounds", "1"}),
                0, "3 sizes", "\n16 ", "\n24 ", "M=33 N=17 K=9", "GFLOP/s");
}

TEST_CASE("check tells a row for each awkward size: 1, primes, around the tile, long and thin") {
    CHECK_TELLS(run_kwb({"check", "matmul/tiled", "--param", "TILE=8"}), 0, "matmul/tiled TILE=8", " 1  ",
                " 7  ", " 8  ", " 9  ", " 31  ", " 97  ", "M=1 N=257 K=64", "M=257 N=1 K=64", "sizes correct",
                "% of bound");
    CHECK_TELLS(run_kwb({"check", "matmul/naive", "--size", "17"}), 0, "1 of 1 size correct");
}

TEST_CASE("nobody knows the inputs before a run, and the seed that it tells repeats them") {
    const auto told = [](const Args& more) {
        Args args = {"check", "matmul/naive", "--size", "17", "--json", "-"};
        args.insert(args.end(), more.begin(), more.end());
        const Json result = Json::parse(run_kwb(args).out).at("results").at(0);
        return std::pair(result.at("seed").get<std::uint64_t>(), result.at("max_error_share").get<double>());
    };
    const auto first = told({}), other = told({}), again = told({"--seed", std::to_string(first.first)});
    CHECK(first.first != other.first);
    CHECK(first.first < std::uint64_t{1} << 53);
    CHECK(first.second != other.second);
    CHECK(again == first);
    CHECK_TELLS(run_kwb({"check", "matmul/naive", "--size", "17", "--seed", "18446744073709551615"}), 0,
                "1 of 1 size correct", "Inputs: from --seed 18446744073709551615.");
}

TEST_CASE("a time budget instead of rounds ends a run") {
    CHECK_TELLS(run_kwb({"run", "matmul/naive", "--size", "16", "--time-budget", "100ms"}), 0, "correct");
}

TEST_CASE("work-group dimensions and parameters can be chosen") {
    CHECK_TELLS(run_kwb({"check", "matmul/naive", "--size", "33", "--local", "7x3"}), 0, "correct");
    CHECK_TELLS(run_kwb({"check", "matmul/naive", "--size", "32", "--local", "auto"}), 0, "correct");
    CHECK_TELLS(run_kwb({"check", "matmul/tiled", "--size", "33", "--local", "8x8"}), 0, "TILE=8", "correct");
}

TEST_CASE("a list of values makes a contestant of each, of the kernels that have the parameter") {
    const Finished finished = run_kwb({"run", "matmul/naive", "matmul/tiled", "--param", "TILE=8,16",
                                       "--baseline", "matmul/tiled", "--size", "16", "--rounds", "1"});
    CHECK_TELLS(finished, 0, "matmul/naive", "matmul/tiled TILE=8", "matmul/tiled TILE=16", "TILE=8");
    CHECK_REFUSED(run_kwb({"run", "matmul/tiled", "--param", "TILE=8,,16"}), 2, "a value is empty");
    // As of several kernels, one that cannot run costs itself alone.
    CHECK_TELLS(run_kwb({"run", "matmul/tiled", "--param", "TILE=8,7", "--size", "16", "--rounds", "1"}), 1,
                "TILE=8", "correct", "constraint", "cannot be 7");
}

TEST_CASE("an option that may be repeated takes one value: a kernel may follow it") {
    const TempFolder folder;
    folder.write("mine.cl", kernel_source("matmul/01_naive.cl"));
    CHECK_TELLS(run_kwb({"run", "--kernels", folder.path().string(), "mine", "--param", "TILE=8",
                         "matmul/tiled", "--size", "8", "--rounds", "1"}),
                0, "mine", "TILE=8");
}

TEST_CASE("doctor tells what is there: judge, device, cache, linker, isolation") {
    CHECK_TELLS(run_kwb({"doctor"}), 0, "judge and runner", "device pocl:0", " in the catalogue",
                KWB_TEST_CACHE, "linker", "isolation", "Landlock", "seccomp", "All is well");
}

TEST_CASE("doctor says what to do about a cache folder that cannot be used") {
    const Finished told = run_kwb({"doctor"}, {{"KWB_CACHE_DIR", "/dev/null/cache"}});
    CHECK_TELLS(told, 3, "bad ", "/dev/null/cache", "KWB_CACHE_DIR");
}

// Kernel files that fail on the device: verdicts, exit status 1.

TEST_CASE("source that does not compile is shown at its own line, with a caret") {
    const TempFolder folder;
    const std::string source =
        replaced(kernel_source("matmul/01_naive.cl"), "float sum = 0.0f;", "float sum = nothing;");
    const auto file = folder.write("mine.cl", source);
    const auto before = std::count(
        source.begin(), source.begin() + static_cast<std::ptrdiff_t>(source.find("nothing")), '\n');
    const std::string line = std::to_string(before + 1);
    CHECK_TELLS(run_kwb({"run", file.string(), "--size", "16"}), 1, "compile_error",
                file.string() + ":" + line + ":17", "nothing", line + " |     float sum = nothing;\n",
                "   |                 ^");
}

TEST_CASE("an error in an included neighbour is placed in that neighbour") {
    const TempFolder folder;
    folder.write("helper.h", "// a helper\nfloat twice(float x) { return 2 * y; }\n");
    const auto file = folder.write("mine.cl", replaced(kernel_source("matmul/01_naive.cl"), "__kernel",
                                                       "#include \"helper.h\"\n__kernel"));
    CHECK_TELLS(run_kwb({"run", file.string(), "--size", "16"}), 1, "compile_error", "helper.h:2:", "'y'");
}

TEST_CASE("a kernel function that is not there is named beside those that are") {
    const TempFolder folder;
    const auto file =
        folder.write("mine.cl", replaced(kernel_source("matmul/01_naive.cl"), "kernel = \"matmul_naive\"",
                                         "kernel = \"matmul_niave\""));
    CHECK_REFUSED(run_kwb({"run", file.string(), "--size", "16"}), 2, "no kernel function `matmul_niave`",
                  "Did you mean matmul_naive?");
}

TEST_CASE("an argument that the problem does not know is named beside those it knows") {
    const TempFolder folder;
    const auto file = folder.write("mine.cl", replaced(kernel_source("matmul/01_naive.cl"), "const int K) {",
                                                       "const int K, __global float* X) {"));
    CHECK_TELLS(run_kwb({"run", file.string(), "--size", "16"}), 1, "'X' of matmul_naive", "A, B, C, M, N, K",
                "Bind it with args");
}

TEST_CASE("what a kernel prints is shown as its output, not mixed with the table or the JSON") {
    const TempFolder folder;
    const auto file = folder.write(
        "mine.cl",
        replaced(kernel_source("matmul/01_naive.cl"), "float sum = 0.0f;",
                 "if (row == 0 && col == 0) printf(\"hello from %d\\n\", N);\n float sum = 0.0f;"));
    CHECK_TELLS(run_kwb({"check", file.string(), "--size", "5"}), 0, "printed by", "hello from 5");
    const nlohmann::json document = kwb_json({"check", file.string(), "--size", "5", "--json", "-"});
    CHECK_SAYS(document["results"][0]["output"].get<std::string>(), "hello from 5");
}
