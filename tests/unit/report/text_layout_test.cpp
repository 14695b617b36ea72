// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/text.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"
#include "unit/report/sample.hpp"

using namespace kwb;

// --- report/text_layout.hpp ---

TEST_CASE("display width counts columns, not bytes") {
    CHECK(display_width("abc") == 3);
    CHECK(display_width("12 µs – 3") == 9);
    CHECK(display_width("e\xCC\x81") == 1);  // e and a combining acute accent
    CHECK(display_width("核") == 2);
    CHECK(display_width("\x1B[31mred\x1B[0m") == 3);
}

TEST_CASE("a shortened text fits and says that it was cut") {
    CHECK(shorten("matmul/tiled", 12, true) == "matmul/tiled");
    CHECK(shorten("matmul/tiled", 8, true) == "matmul/…");
    CHECK(shorten("matmul/tiled", 8, false) == "matmul/~");
    CHECK(shorten("核核核", 4, true) == "核…");
    CHECK(shorten("abc", 0, true) == "");
}

TEST_CASE("foreign text cannot steer the terminal") {
    CHECK(printable("a\x1B[2Jb\tc\nd\r\ne\x07") == "a?[2Jb\tc\nd\ne?");
    CHECK(printable("\xC2\x9B"
                    "31m") == "?31m");
    CHECK(printable("\xFFz") == "\xEF\xBF\xBDz");
    CHECK(printable("µ – 核") == "µ – 核");
    CHECK(printable_line("a\x1B[2Jb\tc\nd\r\ne") == "a?[2Jb?c?d??e");
    CHECK(printable("x\r") == "x?");
}

TEST_CASE("characters that cannot be seen are spelled out") {
    CHECK(printable("a\u202Eb\u2066c\u200Bd\uFEFFe\u2028f") ==
          "a<U+202E>b<U+2066>c<U+200B>d<U+FEFF>e<U+2028>f");
    CHECK(printable("\U000E0041") == "<U+E0041>");
}

TEST_CASE("layout makes its texts printable, and the way to the terminal lets colours alone pass") {
    TableOptions colours;
    colours.colour = true;
    const std::string hostile = "a\x1B[2J\nkwb: b";
    Grid grid;
    grid.add_column("kernel", Align::Left, {{hostile}});
    CHECK(grid.render({}) == "kernel\na?[2J?kwb: b\n");
    CHECK(paragraph("a\x1B]0;x\x07", 80) == "a?]0;x?\n");
    CHECK(paint("\x1B[2J", Tone::Bad, colours) == "\x1B[31m?[2J\x1B[0m");
    CHECK(printable_painted("\x1B[2J" + paint("ok", Tone::Good, colours) + "\x1B[3\x1B]\u202E") ==
          "?[2J\x1B[32mok\x1B[0m?[3?]<U+202E>");
    // Only the codes of paint(): 8 hides text, and 30 may be the background's colour.
    CHECK(printable_painted("\x1B[8ma\x1B[30mb\x1B[mc\x1B[1;8md" + paint("e", Tone::Faint, colours)) ==
          "?[8ma?[30mb?[mc?[1;8md\x1B[2me\x1B[0m");
}

TEST_CASE("wrapped lines fit the width and keep every word in order") {
    const std::string text = "one two three four five six seven eight nine ten eleven twelve";
    for (std::size_t width = 8; width < 80; ++width) {
        const auto lines = wrap(text, width, 2);
        CHECK(widest(lines) <= width);
        std::string joined;
        for (const std::string& line : lines) joined += std::string(trim(line)) + " ";
        CHECK(joined == text + " ");
    }
}

TEST_CASE("Chinese breaks between its letters, and not before its punctuation") {
    const std::string text = "每个工作项计算 C 的一个元素\uFF0C它的编号是 get_global_id(0)。";
    for (std::size_t width = 20; width < 60; ++width) {
        const auto lines = wrap(text, width);
        CHECK(widest(lines) <= width + 2);  // punctuation stays with its word
        std::string joined;
        for (const std::string& line : lines) {
            CHECK_FALSE(line.starts_with("。"));
            CHECK_FALSE(line.starts_with("\uFF0C"));
            joined += line;
        }
        const auto without_blanks = [](std::string words) { return std::erase(words, ' '), words; };
        CHECK(without_blanks(joined) == without_blanks(text));
    }
}

TEST_CASE("lines that show source are never broken") {
    const std::string source =
        "   12 | float sum = a_rather_long_line(of, source, that, is, wide);\n      |      ^";
    const auto lines = wrap("too wide a sentence to stay in one piece\n" + source, 20);
    REQUIRE(lines.size() > 3);
    CHECK(lines[lines.size() - 2] + "\n" + lines.back() == source);
}

TEST_CASE("colour appears only where it is allowed") {
    TableOptions options;
    CHECK(paint("x", Tone::Bad, options) == "x");
    options.colour = true;
    CHECK(paint("x", Tone::Bad, options) == "\x1B[31mx\x1B[0m");
    CHECK(paint("x", Tone::Plain, options) == "x");
}

TEST_CASE("signs beyond ASCII have plain stand-ins, used only where they are needed") {
    const std::string text = "C = A · B, 3 × 4 µs – or so …";
    CHECK(plain_signs(text, {true, false, 80}) == text);
    CHECK(plain_signs(text, {false, false, 80}) == "C = A * B, 3 x 4 us - or so ...");
}

// --- grids ---

namespace {

Grid small_grid() {
    Grid grid;
    grid.add_column("name", Align::Left, {{"a"}, {"longer"}});
    grid.add_column("time", Align::Right, {{"1 µs"}, {"12345 ms"}});
    grid.add_column("", Align::Left, {{"██"}, {""}});
    return grid;
}

}  // namespace

TEST_CASE("columns line up, and lines have no blanks at their end") {
    CHECK(small_grid().render({}) ==
          "name        time\n"
          "a           1 µs  ██\n"
          "longer  12345 ms\n");
    CHECK(small_grid().width() == 20);
}

TEST_CASE("colour does not move a column") {
    Grid plain;
    Grid coloured;
    for (Grid* grid : {&plain, &coloured}) {
        grid->add_column("verdict", Align::Right, {{"wrong", grid == &plain ? Tone::Plain : Tone::Bad}});
        grid->add_column("x", Align::Left, {{"y"}});
    }
    const TableOptions colour{true, true, 80};
    CHECK(coloured.render({}) == plain.render({}));
    CHECK(display_width(split_lines(coloured.render(colour))[1]) ==
          display_width(split_lines(plain.render({}))[1]));
}

TEST_CASE("the first column gives way, down to its least width") {
    Grid grid = small_grid();
    grid.fit_first_column(18, 3, true);
    CHECK(grid.width() == 18);
    grid.fit_first_column(5, 3, true);
    CHECK(grid.width() == 17);
    CHECK(grid.render({}).find("lo…") != std::string::npos);
}

TEST_CASE("a column with another number of cells is refused") {
    Grid grid = small_grid();
    CHECK_THROWS_AS(grid.add_column("short", Align::Left, {{"alone"}}), ContractError);
}

// --- report/numbers.hpp ---

TEST_CASE("numbers have three significant digits, also where rounding carries") {
    CHECK(format_digits(0) == "0");
    CHECK(format_digits(12.34) == "12.3");
    CHECK(format_digits(0.045612) == "0.0456");
    CHECK(format_digits(1) == "1.00");
    CHECK(format_digits(9.999) == "10.0");
    CHECK(format_digits(99.96) == "100");
    CHECK(format_digits(12345.6) == "12346");
    CHECK(format_digits(-2.5) == "-2.50");
    CHECK(format_digits(3.2e-9) == "3.20e-09");
    CHECK(format_digits(std::nan("")) == "nan");
    CHECK(format_digits(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("a time is told in the unit in which it is at least 1") {
    CHECK(format_time_ms(12.3) == "12.3 ms");
    CHECK(format_time_ms(0.4561) == "456 µs");
    CHECK(format_time_ms(0.00008) == "80.0 ns");
    CHECK(format_time_ms(1200) == "1.20 s");
    CHECK(format_time_ms(75300) == "75.3 s");
    CHECK(format_time_ms(0) == "0 ms");
    CHECK(format_time_ms(0.99996) == "1.00 ms");
    CHECK(format_time_ms(999.6) == "1.00 s");
}

TEST_CASE("an interval shares the unit and the decimals of its value") {
    CHECK(format_time_ms(12.3, Interval{12.1, 12.6}) == "12.3 ms (12.1 – 12.6)");
    CHECK(format_time_ms(1.001, Interval{0.98, 1.2}) == "1.00 ms (0.98 – 1.20)");
    CHECK(format_time_ms(0.89, Interval{0.88, 0.91}) == "890 µs (880 – 910)");
}

TEST_CASE("a speed-up is never a bare ratio") {
    CHECK(format_speedup({"a", 5.1, Interval{4.9, 5.3}}, Wording::Full) == "5.1 (4.9 – 5.3)");
    CHECK(format_speedup({"a", 5.1, Interval{4.9, 5.3}}, Wording::Short) == "5.1 (4.9 – 5.3)");
    CHECK(format_speedup({"a", 1.01, Interval{0.99, 1.03}}, Wording::Full) == "no difference seen");
    CHECK(format_speedup({"a", 1.0, Interval{1.0, 1.0}}, Wording::Full) == "no difference seen");
    CHECK(format_speedup({"a", 1.01, Interval{0.93, 1.12}}, Wording::Full) == "too noisy to compare");
    CHECK(format_speedup({"a", 5.1, std::nullopt}, Wording::Full) == "too few rounds for an interval");
}

TEST_CASE("a change between runs has a sign and no interval") {
    CHECK(format_change(112, 100) == "+12 %");
    CHECK(format_change(70, 100) == "\u221230 %");
    CHECK(format_change(100.2, 100) == "± 0 %");
}

TEST_CASE("a narrow interval that excludes 1 is not rounded onto it") {
    CHECK(format_speedup({"a", 1.02, Interval{1.01, 1.03}}, Wording::Short) == "1.02 (1.01 – 1.03)");
    CHECK(format_speedup({"a", 0.996, Interval{0.995, 0.998}}, Wording::Short) == "0.996 (0.995 – 0.998)");
    CHECK(format_speedup({"a", 301.2, Interval{298.8, 303.1}}, Wording::Short) == "301 (298 – 304)");
}

TEST_CASE("an interval that excludes 1 never prints 1, and is rounded outward") {
    CHECK(format_speedup({"a", 0.84, Interval{0.71, 0.98}}, Wording::Full) == "0.8 (0.7 – 0.98)");
    CHECK(format_speedup({"a", 1.3, Interval{1.004, 1.62}}, Wording::Short) == "1.3 (1.004 – 1.7)");
    CHECK(format_speedup({"a", 1.394, Interval{1.007, 1.860}}, Wording::Short) == "1.4 (1.007 – 1.9)");
    CHECK(format_speedup({"a", 1.03, Interval{1.01, 1.3}}, Wording::Short) == "1.03 (1.01 – 1.30)");
    CHECK(format_speedup({"a", 1.00004, Interval{1.00001, 1.00007}}, Wording::Short) ==
          "1.00004 (1.00001 – 1.00007)");
    CHECK(format_speedup({"a", 5.13, Interval{4.91, 5.37}}, Wording::Short) == "5.1 (4.9 – 5.4)");
}

TEST_CASE("no difference is told in the same words everywhere") {
    const Speedup same{"a", 1.01, Interval{0.99, 1.03}};
    CHECK(format_speedup(same, Wording::Short) == "no difference seen");
    CHECK(format_speedup(same, Wording::Full) == "no difference seen");
}

TEST_CASE("a bar is as wide as its share, and any share above 0 shows") {
    CHECK(bar(1, 8) == "████████");
    CHECK(bar(0.5, 8) == "████");
    CHECK(bar(1e-9, 8) == "▏");
    CHECK(bar(0, 8) == "");
    CHECK(bar(7, 8) == "████████");
    for (int i = 1; i <= 64; ++i) {
        const std::size_t full = static_cast<std::size_t>(i) / 8 + (i % 8 != 0 ? 1 : 0);
        CHECK(display_width(bar(i / 64.0, 8)) == full);
    }
}

TEST_CASE("an error is told as share of its bound") {
    CHECK(format_error_share(0.0123) == "1.23 % of bound");
    CHECK(format_error_share(12.4) == "12.4 × the bound");
    CHECK(format_error_share(std::nan("")) == "-");
}

// --- short labels ---

namespace {

using Labels = std::vector<std::string>;

LabelParts part(const std::string& kernel, const std::string& local = "16x16",
                const NamedList<std::string>& params = {}) {
    return {kernel, params, local};
}

}  // namespace

TEST_CASE("different kernels are named by the last part of their names") {
    CHECK(make_labels({part("matmul/naive"), part("/home/she/mine.cl"), part("cpu:blas", "")}) ==
          Labels{"naive", "mine", "cpu:blas"});
    CHECK(make_labels(std::vector<LabelParts>{}).empty());
}

TEST_CASE("kernels of one name get as much of their folders as tells them apart") {
    CHECK(make_labels({part("matmul/tiled"), part("/home/she/tiled.cl"), part("/home/he/tiled.cl")}) ==
          Labels{"matmul/tiled", "she/tiled", "he/tiled"});
}

TEST_CASE(
    "a kernel that stands there twice is named with its work-group, or with the parameters that differ") {
    CHECK(make_labels({part("matmul/naive", "8x8"), part("matmul/naive", "16x16")}) ==
          Labels{"naive 8x8", "naive 16x16"});
    CHECK(make_labels({part("a/t", "8x8", {{"PAD", "0"}, {"X", "1"}}),
                       part("a/t", "8x8", {{"PAD", "1"}, {"X", "1"}})}) == Labels{"t PAD=0", "t PAD=1"});
    CHECK(make_labels({part("a/t", "8x8", {{"PAD", "0"}}), part("a/t", "8x8", {{"PAD", "1"}}),
                       part("a/t", "auto", {{"PAD", "0"}})}) ==
          Labels{"t 8x8 PAD=0", "t 8x8 PAD=1", "t auto PAD=0"});
}

TEST_CASE("on several devices each kernel is followed by its own") {
    LabelParts here = part("matmul/tiled"), there = here, smaller = part("matmul/tiled", "8x8");
    here.device = smaller.device = "pocl:0";
    there.device = "nvidia:0";
    CHECK(make_labels({here, there, part("cpu:blas", "")}) ==
          Labels{"tiled on pocl:0", "tiled on nvidia:0", "cpu:blas"});
    CHECK(make_labels({here, smaller, there}) ==
          Labels{"tiled 16x16 on pocl:0", "tiled 8x8 on pocl:0", "tiled on nvidia:0"});
    CHECK(make_labels({here, part("cpu:blas", "")}) == Labels{"tiled", "cpu:blas"});
}

TEST_CASE("identical contestants are numbered") {
    CHECK(make_labels({part("a/t"), part("a/t"), part("a/u")}) == Labels{"t", "t (2)", "u"});
}

TEST_CASE("results of a past run get labels from what they ran with") {
    KernelResult small, large;
    small.kernel = large.kernel = "matmul/tiled";
    small.params = {{"TILE", std::int64_t{8}}};
    large.params = {{"TILE", std::int64_t{32}}};
    small.launches = {{"k", {64, 64}, {8, 8}, {}}};
    large.launches = {{"k", {64, 64}, {32, 32}, {}}};
    CHECK(make_labels(std::vector{small, large}) == Labels{"tiled 8x8", "tiled 32x32"});
}
