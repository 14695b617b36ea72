// SPDX-License-Identifier: Apache-2.0
#include "report/tables.hpp"

#include <doctest/doctest.h>

#include "unit/report/sample.hpp"

using namespace kwb;

namespace {

std::vector<KernelResult> everything() {
    KernelResult expected = sample::wrong();
    expected.kernel = "matmul/lesson";
    expected.expected = Expectation{{Verdict::Wrong}, "the edge is not guarded"};
    return {sample::naive(),    sample::tiled(),   sample::wrong(),
            sample::rejected(), sample::crashed(), expected};
}

std::string cell_line(const KernelResult& result) {
    return split_lines(results_table({result}, {true, false, 200}))[1];
}

}  // namespace

TEST_CASE("the table of a naive and a tiled kernel") {
    CHECK(
        results_table({sample::naive(), sample::tiled()}, {true, false, 100}) ==
        "kernel                  build  1st run  median (95 % interval)  GFLOP/s  speed-up         verdict\n"
        "matmul/naive          98.7 ms  45.1 ms  12.3 ms (12.1 – 12.6)      21.8  -                correct\n"
        "matmul/tiled TILE=16   130 ms  40.0 ms  2.41 ms (2.35 – 2.46)       111  5.1 (4.9 – 5.3)  correct\n"
        "\n"
        "Intervals: 95 % of the median, within this run (drift between runs is larger). Speed-up: against\n"
        "matmul/naive (above 1: faster), by ratios within each round.\n");
}

TEST_CASE("60 columns keep the speed-up, and the foot speaks only of what is shown") {
    const std::vector<KernelResult> both = {sample::naive(), sample::tiled()};
    CHECK(results_table(both, {true, false, 60}) ==
          "kernel                median   speed-up         verdict\n"
          "matmul/naive          12.3 ms  -                correct\n"
          "matmul/tiled TILE=16  2.41 ms  5.1 (4.9 – 5.3)  correct\n"
          "\n"
          "Speed-up: against matmul/naive (above 1: faster), by ratios\n"
          "within each round, with a 95 % interval.\n");
    for (unsigned width = 30; width <= 160; ++width) {
        const std::string text = results_table(both, {true, false, width});
        const std::string table = text.substr(0, text.find("\n\n"));
        const std::string foot = text.substr(table.size());
        CAPTURE(width);
        CHECK((table.find("speed-up") == std::string::npos) == (foot.find("Speed-up:") == std::string::npos));
        CHECK((table.find("interval)") == std::string::npos) ==
              (foot.find("Intervals:") == std::string::npos));
    }
}

TEST_CASE("a wide terminal shows everything, bars beside the times") {
    CHECK(table_lines(results_table({sample::naive(), sample::tiled()}, {true, false, 140})) ==
          std::vector<std::string>{
              "kernel                  build  1st run  median (95 % interval)            GFLOP/s   GB/s  "
              "speed-up                       verdict",
              "matmul/naive          98.7 ms  45.1 ms  12.3 ms (12.1 – 12.6)   ████████     21.8  0.256  "
              "-                              correct",
              "matmul/tiled TILE=16   130 ms  40.0 ms  2.41 ms (2.35 – 2.46)   █▋            111   1.30  "
              "5.1 (4.9 – 5.3) times as fast  correct"});
}

TEST_CASE("every table line fits every width from 40 columns, and no verdict is cut") {
    for (const bool unicode : {false, true})
        for (const bool colour : {false, true})
            for (unsigned width = 40; width <= 160; ++width) {
                const std::string text = results_table(everything(), {unicode, colour, width});
                const auto lines = table_lines(text);
                REQUIRE(lines.size() == 7);
                CAPTURE(width);
                CHECK(widest(lines) <= width);
                CHECK(lines[1].find("correct") != std::string::npos);
                CHECK(lines[5].find("kernel_crashed") != std::string::npos);
                CHECK(lines[6].find("wrong, as expected") != std::string::npos);
            }
}

TEST_CASE(
    "columns go in order of their worth; a name is cut before the last figures, and to 16 columns only") {
    const std::vector<std::string> order = {"GB/s",     "build",    "1st run", "GFLOP/s",
                                            "interval", "speed-up", "median"};
    for (unsigned width = 160; width >= 30; --width) {
        const auto lines = table_lines(results_table(everything(), {true, false, width}));
        CAPTURE(width);
        bool gone = true;  // until the first remaining column
        for (const std::string& column : order) {
            const bool shown = lines[0].find(column) != std::string::npos;
            CHECK((shown || gone));
            gone = gone && !shown;
        }
        const bool has_interval = lines[0].find("interval") != std::string::npos;
        const bool name_cut = lines[3].find("matmul/unguarded TILE=16") == std::string::npos;
        CHECK((!name_cut || !has_interval));
        const bool name_short = lines[3].find("matmul/unguarde") == std::string::npos;
        CHECK((!name_short || gone));
    }
}

TEST_CASE("a long name gives way to the speed-up and the median") {
    KernelResult slow = sample::naive();
    KernelResult fast = sample::tiled();
    fast.kernel = "a/kernel/with/a/very/long/name";
    const auto lines = table_lines(results_table({slow, fast}, {true, false, 60}));
    CHECK(widest(lines) <= 60);
    CHECK_MESSAGE(lines[0].find("speed-up") != std::string::npos, lines[0]);
    CHECK(lines[2].find("2.41 ms") != std::string::npos);
    CHECK(lines[2].find("5.1 (4.9 – 5.3)") != std::string::npos);
    CHECK(lines[2].find("a/kernel/with/a/") == 0);
}

TEST_CASE("without Unicode there is only ASCII, and no bar") {
    CHECK(is_ascii(results_table(everything(), {false, false, 150})));
}

TEST_CASE("without colour there is no escape sequence, whatever the kernel prints") {
    KernelResult result = sample::naive();
    result.output = "\x1B[31mred\n";
    result.kernel = "\x1B]0;title\x07.cl";
    result.warnings = {remark("odd \x1B[0m")};
    CHECK(results_table({result}, {true, false, 100}).find('\x1B') == std::string::npos);
}

TEST_CASE("what was not measured is a dash") {
    const std::string line = cell_line(sample::rejected());
    CHECK(line.starts_with("mine.cl  "));
    CHECK(occurrences(line, "-") == 5);
    CHECK(line.ends_with("compile_error"));
}

TEST_CASE("the list of wrong elements repeats nothing that the reason says") {
    KernelResult result = sample::wrong();
    result.reason = "17 of 64 elements of C are wrong; the first is C[16][0]: expected 12, got nan";
    result.finding = Finding{.code = FindingCode::WrongElements};
    std::string text = results_table({result}, {true, false, 100});
    CHECK(occurrences(text, "C[16][0]") == 1);
    CHECK(text.find("  next wrong elements:\n    C[16][1]: expected -3.5, got 1e+30\n") != std::string::npos);
    result.first_wrong.resize(1);
    text = results_table({result}, {true, false, 100});
    CHECK(text.find("wrong elements:") == std::string::npos);
}

TEST_CASE("elements that were never written are not shown as numbers") {
    KernelResult result = sample::wrong();
    result.first_wrong[1].got = result.first_wrong[0].got;
    result.reason =
        "2 of 64 elements of C were never written (the first is C[16][0], expected 12 with integer inputs)";
    result.finding = Finding{.code = FindingCode::NeverWritten};
    const std::string text = results_table({result}, {true, false, 100});
    CHECK(text.find("nan") == std::string::npos);
    CHECK(text.find("C[16][1]") == std::string::npos);
}

TEST_CASE("a not-a-number has no sign") {
    KernelResult result = sample::wrong();
    result.first_wrong[0].got = std::copysign(std::numeric_limits<double>::quiet_NaN(), -1.0);
    CHECK(results_table({result}).find("got nan") != std::string::npos);
}

TEST_CASE("an interval of the ratio that includes 1 is no difference") {
    KernelResult result = sample::tiled();
    result.speedup->interval = Interval{0.97, 1.02};
    CHECK(cell_line(result).find("no difference seen") != std::string::npos);
    CHECK(cell_line(result).find("times as fast") == std::string::npos);
}

TEST_CASE("a wrong result is followed by its reason and its first wrong elements") {
    const std::string text = results_table({sample::wrong()}, {true, false, 100});
    CHECK(text.find("\n\nmatmul/unguarded TILE=16: wrong\n"
                    "  17 elements of C differ from the reference.\n"
                    "  first wrong elements:\n"
                    "    C[16][0]: expected 12, got nan\n"
                    "    C[16][1]: expected -3.5, got 1e+30\n") != std::string::npos);
}

TEST_CASE("an expected failure says so; why only if that is asked for") {
    CHECK(results_table(everything(), {true, false, 100})
              .find("  expected to be wrong; --explain says why\n") != std::string::npos);
    const std::string text = results_table(everything(), {true, false, 100, true});
    CHECK(text.find("matmul/lesson TILE=16: wrong, as expected\n"
                    "  expected to be wrong: the edge is not guarded\n") != std::string::npos);
}

TEST_CASE("a correct result that should have been wrong is told") {
    KernelResult result = sample::naive();
    result.expected = Expectation{{Verdict::Wrong, Verdict::OutOfBounds}, "the edge is not guarded"};
    const std::string text = results_table({result}, {true, false, 140, true});
    CHECK(text.find("correct, not as expected\n") != std::string::npos);
    CHECK(text.find("expected to be wrong or out_of_bounds: the edge is not guarded") != std::string::npos);
}

TEST_CASE("rejected source keeps its line and caret, and is not told twice") {
    const std::string text = results_table({sample::rejected()}, {true, false, 60});
    CHECK(text.find("      3 |     C[i] = acc;\n        |            ^\n") != std::string::npos);
    CHECK(occurrences(text, "undeclared identifier") == 1);
    CHECK(text.find("mine.cl:2:9: warning: unused variable 'j'") != std::string::npos);
}

TEST_CASE("a log that nobody understood is shown from its end") {
    KernelResult result = sample::rejected();
    result.diagnostics.clear();
    result.log.clear();
    for (int i = 1; i <= 20; ++i) result.log += "line " + std::to_string(i) + "\n";
    const std::string text = results_table({result}, {true, false, 100});
    CHECK(text.find("  the compiler said (last 8 lines):\n    line 13\n") != std::string::npos);
    CHECK(text.find("line 12\n") == std::string::npos);
    CHECK(text.find("    line 20\n") != std::string::npos);
}

TEST_CASE("a warning of several kernels is told once, with all of them") {
    KernelResult a = sample::naive();
    KernelResult b = sample::tiled();
    a.warnings = {remark("the times are noisy"), remark("the times drift")};
    b.warnings = {remark("the times are noisy")};
    b.hints = {{12, "the barrier stands inside a condition"}};
    const std::string text = results_table({a, b}, {true, false, 140});
    CHECK(
        text.ends_with("\n\nhint: kernels/matmul/02_tiled.cl:12: the barrier stands inside a condition\n"
                       "warning: matmul/naive and matmul/tiled TILE=16: the times are noisy\n"
                       "warning: matmul/naive: the times drift\n"));
}

TEST_CASE("hints point at file and line, the same sentence once with all places") {
    KernelResult a = sample::naive();
    a.hints = {{9, "A barrier stands inside a branch. Move it out."}, {14, "Recursion is not allowed."}};
    KernelResult b = sample::tiled();
    b.hints = {{30, "A barrier stands inside a branch. Move it out."}, {0, "It has no barrier."}};
    const std::string text = results_table({a, a, b}, {true, false, 160});
    CHECK(
        text.ends_with("\n\nhint: kernels/matmul/01_naive.cl:9 and kernels/matmul/02_tiled.cl:30: A barrier "
                       "stands inside a branch. Move it out.\n"
                       "hint: kernels/matmul/01_naive.cl:14: Recursion is not allowed.\n"
                       "hint: kernels/matmul/02_tiled.cl: It has no barrier.\n"));
}

TEST_CASE("what was cut from the output is counted even where its last line is not shown") {
    KernelResult result = sample::naive();
    for (int i = 0; i < 30; ++i) result.output += "more\n";
    result.output += "[… 33488896 more bytes of output were not kept]\n";
    CHECK(results_table({result}).ends_with(
        "  … and 10 more lines, 50 bytes (--json has what was kept)\n"
        "  matmul/naive: [… 33488896 more bytes of output were not kept]\n"));
    result.output = "a\n[… 5 more bytes of output were not kept]\n";
    CHECK(results_table({result}).ends_with("  a\n  [… 5 more bytes of output were not kept]\n"));
}

TEST_CASE("one huge line is cut at a letter, and what is not shown is counted in bytes") {
    KernelResult result = sample::naive();
    result.output = std::string(2047, 'a') + "µ" + std::string(60'000, 'b') + "\n";
    const std::string text = results_table({result});
    CHECK(text.ends_with("printed by matmul/naive:\n  " + std::string(2047, 'a') +
                         "…\n  … and 58.6 KiB more (all of it with --json)\n"));
    result.output += "next\n[… 1 more byte of output was not kept]\n";
    CHECK(
        results_table({result}).ends_with("a…\n  … and 1 more line, 58.6 KiB (--json has what was kept)\n"
                                          "  matmul/naive: [… 1 more byte of output was not kept]\n"));
    result.output = std::string(4000, '\n') + "end";
    CHECK(widest(split_lines(results_table({result}))) < 120);
}

TEST_CASE("the caps hold for all kernels together, whatever they print") {
    std::vector<KernelResult> results(8, sample::naive());
    for (std::size_t i = 0; i < results.size(); ++i) {
        results[i].kernel = "k" + std::to_string(i);
        for (int line = 0; line < 7; ++line) results[i].output += std::string(211, 'x') + "\n";
    }
    const std::string text = results_table(results);
    CHECK(occurrences(text, "x") <= 2048);
    CHECK(occurrences(text, "x") > 2048 - 212);
    CHECK(text.ends_with(" (all of it with --json)\n"));
}

TEST_CASE("what a kernel printed is shown, long output cut") {
    KernelResult result = sample::naive();
    result.output = "hello\nworld\n";
    CHECK(results_table({result}).ends_with("\n\nprinted by matmul/naive:\n  hello\n  world\n"));
    for (int i = 0; i < 19; ++i) result.output += "more\n";
    CHECK(
        results_table({result}).ends_with("  more\n  … and 1 more line, 5 bytes (all of it with --json)\n"));
    for (int i = 0; i < 79; ++i) result.output += "more\n";
    const std::string text = results_table({result, sample::naive()});
    CHECK(text.ends_with("  more\n  … and 80 more lines, 400 bytes (all of it with --json)\n"));
    CHECK(occurrences(text, "  more\n") == 18);
    KernelResult other = result;
    other.kernel = "matmul/other";
    const std::string both = results_table({result, other});
    CHECK(both.ends_with("  … and 180 more lines, 902 bytes (all of it with --json)\n"));
    CHECK(occurrences(both, "  more\n") == 18);
}

TEST_CASE("sizes and devices are columns only where they differ") {
    KernelResult other = sample::naive();
    other.size = {{"M", 1}, {"N", 7}, {"K", 3}};
    CHECK(results_table({sample::naive(), other}).find("M=1 N=7 K=3") != std::string::npos);
    CHECK(results_table({sample::naive()}).find("512") == std::string::npos);
    other = sample::naive();
    other.kernel = "cpu:blas";
    other.device = "cpu";
    CHECK(results_table({sample::naive(), other}).find("pocl:0") == std::string::npos);
    other.kernel = "matmul/naive";
    CHECK(results_table({sample::naive(), other}).find("pocl:0") != std::string::npos);
}

TEST_CASE("no results, no table") {
    CHECK(results_table({}) == "");
}
