#include "report/text_layout.hpp"

#include <doctest/doctest.h>

#include "unit/report/lines.hpp"

using namespace kwb;

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
