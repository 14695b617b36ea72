// SPDX-License-Identifier: Apache-2.0
// Wrong kernels (tests/bugs): from the first wrong element, a few commands of kwb debug lead to the line that
// is the cause.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/kwb.hpp"

namespace kwb::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCommands = 5;

/// A wrong kernel: its line that ends with "// cause" is wrong, "// repair" is what it should be, and each
/// "// $" is a command.
struct Bug {
    explicit Bug(const fs::path& path) : lines(split_lines(read_file(path))) {
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i].starts_with("// $ ")) commands.push_back(lines[i].substr(5));
            if (lines[i].starts_with("// repair ")) repair = lines[i].substr(10);
            if (lines[i].ends_with("// cause")) cause = i;
        }
    }

    /// The line as the debugger shows it.
    std::string shown(std::string_view mark) const {
        return fmt::format("{:>5} {} {}", cause + 1, mark, lines[cause]);
    }

    std::vector<std::string> lines;
    std::vector<std::string> commands;
    std::string repair;
    std::size_t cause = 0;
};

std::vector<fs::path> bugs() {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(KWB_BUGS))
        if (entry.path().extension() == ".cl") found.push_back(entry.path());
    std::ranges::sort(found);
    REQUIRE(found.size() >= 20);
    return found;
}

}  // namespace

TEST_CASE("five commands lead from a wrong element to the line that is the cause") {
    for (const fs::path& path : bugs()) {
        const Bug bug(path);
        Args args{"debug", path.string(), "--wrong"};
        for (const std::string& command : bug.commands)
            for (const std::string& word : {std::string("--command"), command}) args.push_back(word);
        const Finished finished = run_kwb(args);
        INFO(path.string(), "\n", finished.out, finished.err);
        CHECK(finished.exit_code == 0);
        CHECK(bug.commands.size() <= kMostCommands);
        const bool is_shown = finished.out.find(bug.shown("→")) != std::string::npos ||
                              finished.out.find(bug.shown(" ")) != std::string::npos;
        CHECK(is_shown);
    }
}

TEST_CASE("what a wrong element needs by the problem's definition, and was not read for it") {
    const auto wrong = [](const std::string& file) {
        return run_kwb({"debug", std::string(KWB_BUGS) + "/" + file, "--wrong", "--command", "quit"});
    };
    CHECK_TELLS(
        wrong("student_tile_loop.cl"), 0,
        "C[0][0] needs A[0][0 … 15] and B[0 … 15][0]. What was computed for it never read A[0][15] and "
        "B[15][0].");
    CHECK_TELLS(wrong("student_swapped_index.cl"), 0,
                "What was computed for it never read B[1 … 7][0], but B[0][1 … 7].");
    CHECK_TELLS(wrong("subtle_macro.cl"), 0, "Y[1][2] needs X[0][2], [1][1], [1][3], [2][2].",
                "never read X[2][2].");
    CHECK_TELLS(wrong("student_wrong_stride.cl"), 0, "never read image[1][1], but image[0][128].");
    CHECK(wrong("subtle_shadowed.cl")
              .out.find("Y[64] needs X[0 … 64]. What was computed for it never read "
                        "X[0 … 63].") != std::string::npos);
    // It reads everything, in an expression of several lines.
    const TempFolder folder;
    const std::string stencil =
        folder
            .write("lines.cl", replaced(kernel_source("stencil/02_tiled.cl"), "block[ly + 2][lx + 1]",
                                        "2 * block[ly + 2][lx + 1]"))
            .string();
    const Finished finished = run_kwb({"debug", stencil, "--wrong", "--size", "16", "--command", "quit"});
    CHECK_SAYS(finished.out, "is wrong at size");
    CHECK(finished.out.find("never read") == std::string::npos);
    CHECK(finished.out.find("twice") == std::string::npos);
    // A tile that is loaded again, and a product that is added again.
    const std::string tiles = read_file(fs::path(KWB_BUGS) / "student_tile_loop.cl");
    const std::string again = folder
                                  .write("again.cl", replaced(replaced(tiles, "k < 15; ++k)", "k < 16; ++k)"),
                                                              "A[row * K + k0 + lx]", "A[row * K + lx]"))
                                  .string();
    CHECK_TELLS(run_kwb({"debug", again, "--wrong", "--size", "32", "--command", "quit"}), 0,
                "What was computed for it read A[0][0 … 15] twice, and never read A[0][16 … 31].");
    const std::string first =
        folder
            .write("first.cl", replaced(kernel_source("matmul/01_naive.cl"), "float sum = 0.0f;",
                                        "float sum = A[(size_t)row * K] * B[col];"))
            .string();
    CHECK_TELLS(run_kwb({"debug", first, "--wrong", "--size", "16", "--command", "quit"}), 0,
                "C[0][0] needs A[0][0 … 7] and B[0 … 7][0]. What was computed for it read A[0][0] and "
                "B[0][0] twice.");
}

TEST_CASE("once the cause is repaired, nothing is wrong") {
    const TempFolder folder;
    for (const fs::path& path : bugs()) {
        Bug bug(path);
        const std::string indent =
            bug.lines[bug.cause].substr(0, bug.lines[bug.cause].find_first_not_of(' '));
        bug.lines[bug.cause] = indent + bug.repair;
        const std::string file = folder.write(path.filename().string(), join(bug.lines, "\n")).string();
        const Finished finished = run_kwb({"debug", file, "--wrong", "--size", "64"});
        INFO(path.string(), "\n", finished.out, finished.err);
        CHECK(finished.exit_code == 0);
        CHECK(finished.out.find("As X-ray runs the kernel, all elements are right at ") == 0);
        CHECK(finished.out.find("but OpenCL C does not promise that") == std::string::npos);
    }
}

}  // namespace kwb::test
