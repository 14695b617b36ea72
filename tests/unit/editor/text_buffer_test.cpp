// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "editor/columns.hpp"
#include "editor/text_buffer.hpp"
#include "support.hpp"

namespace kwb::editor {
namespace {

using test::buffer_with;
using test::marked;

// --- text buffer ---

TEST_CASE("an empty buffer has one empty line and takes text") {
    TextBuffer buffer;
    CHECK(buffer.line_count() == 1);
    CHECK(buffer.text().empty());
    buffer.type("x");
    CHECK(marked(buffer) == "x|");
}

TEST_CASE("a file is saved with the line ends and the last line break that it had") {
    for (const char* file :
         {"", "a", "a\n", "a\nb", "a\r\nb\r\n", "a\r\nb", "\n\n", "\ta\t = 1;\t\n \tb\n"}) {
        CAPTURE(file);
        TextBuffer buffer;
        buffer.load(file);
        CHECK(buffer.file_text() == file);
        CHECK(buffer.lines().back().empty() ==
              (std::string_view(file).empty() || std::string_view(file).ends_with('\n')));
    }
    TextBuffer buffer;
    buffer.load("a\r\nb\r\n");
    buffer.set_caret({1, 1});
    buffer.new_line();
    CHECK(buffer.file_text() == "a\r\nb\r\n\r\n");
    CHECK(buffer.text() == "a\nb\n\n");
}

TEST_CASE("loading says what was changed, forgets undo, and puts the caret at the start") {
    TextBuffer buffer = buffer_with("old|");
    buffer.type("x");
    const CleanText notes = buffer.load("\tnew\xFF");
    CHECK(notes.replaced_bytes == 1);
    CHECK_FALSE(buffer.can_undo());
    CHECK_FALSE(buffer.is_modified());
    CHECK(buffer.caret() == Position{0, 0});
}

TEST_CASE("typing replaces the selection, over lines too") {
    TextBuffer buffer = buffer_with("on^e\ntw|o");
    buffer.type("X");
    CHECK(marked(buffer) == "onX|o");
    buffer.type("\xC3\xA9\ty\r\nz");
    CHECK(marked(buffer) == "onX\xC3\xA9\ty\nz|o");
}

TEST_CASE("backspace takes a code point, a step of indentation or a line break; delete what follows") {
    TextBuffer buffer = buffer_with("a\xC3\xA9|\n");
    buffer.backspace();
    CHECK(marked(buffer) == "a|\n");
    buffer = buffer_with("a\n      |x");
    buffer.backspace();
    CHECK(marked(buffer) == "a\n    |x");
    buffer.backspace();
    buffer.backspace();
    CHECK(marked(buffer) == "a|x");
    buffer.erase_forward();
    CHECK(marked(buffer) == "a|");
    buffer.erase_forward();
    CHECK(marked(buffer) == "a|");
    buffer = buffer_with("x  |y");
    buffer.backspace();
    CHECK(marked(buffer) == "x |y");
    buffer = buffer_with("|x");
    buffer.backspace();
    CHECK_FALSE(buffer.can_undo());
}

TEST_CASE("words are erased to either side") {
    TextBuffer buffer = buffer_with("alpha beta|, gamma");
    buffer.erase_word_left();
    CHECK(marked(buffer) == "alpha |, gamma");
    buffer.erase_word_right();
    CHECK(marked(buffer) == "alpha |gamma");
}

TEST_CASE("a new line is indented as the one before, deeper after an opening brace") {
    TextBuffer buffer = buffer_with("    if (x) {|");
    buffer.new_line();
    CHECK(marked(buffer) == "    if (x) {\n        |");
    buffer.type("y;");
    buffer.new_line();
    CHECK(marked(buffer) == "    if (x) {\n        y;\n        |");
    buffer.type("}");
    CHECK(marked(buffer) == "    if (x) {\n        y;\n    }|");
    buffer = buffer_with("f() {|}");
    buffer.new_line();
    CHECK(marked(buffer) == "f() {\n    |\n}");
    buffer = buffer_with("  a|b");
    buffer.new_line();
    CHECK(marked(buffer) == "  a\n  |b");
    buffer = buffer_with("{\n    |\n}");
    buffer.new_line();
    CHECK(marked(buffer) == "{\n\n    |\n}");  // no trailing spaces are left
}

TEST_CASE("a closing brace goes to its partner's indentation only on a blank line") {
    TextBuffer buffer = buffer_with("    {\n        a[0] = b|");
    buffer.type("}");
    CHECK(marked(buffer) == "    {\n        a[0] = b}|");
    buffer = buffer_with("x {\n    y {\n    }\n    |");
    buffer.type("}");
    CHECK(marked(buffer) == "x {\n    y {\n    }\n}|");
    buffer = buffer_with("no brace\n    |");
    buffer.type("}");
    CHECK(marked(buffer) == "no brace\n    }|");
}

TEST_CASE("copy and cut take the selection, else the whole line") {
    TextBuffer buffer = buffer_with("one\nt^wo\nth|ree\nfour");
    CHECK(buffer.copy() == "wo\nth");
    CHECK(buffer.cut() == "wo\nth");
    CHECK(marked(buffer) == "one\nt|ree\nfour");
    CHECK(buffer.cut() == "tree\n");
    CHECK(marked(buffer) == "one\nf|our");
    buffer.paste("a\tb\r\n");
    CHECK(marked(buffer) == "one\nfa\tb\n|our");
}

TEST_CASE("places beyond the text are put at its end") {
    TextBuffer buffer = buffer_with("one\ntwo");
    CHECK(buffer.clamp({0, 99}) == Position{0, 3});
    CHECK(buffer.clamp({99, 1}) == Position{1, 3});
    CHECK(buffer.text_in({{0, 2}, {9, 9}}) == "e\ntwo");
    buffer.replace({{1, 1}, {7, 7}}, "X");
    CHECK(marked(buffer) == "one\ntX|");
}

TEST_CASE("several replacements are one step and the caret stays with its text") {
    TextBuffer buffer = buffer_with("aa bb c|c");
    const TextBuffer::Replacement parts[] = {{{{0, 0}, {0, 2}}, "long"}, {{{0, 3}, {0, 5}}, ""}};
    buffer.replace_all(parts);
    CHECK(marked(buffer) == "long  c|c");
    buffer.undo();
    CHECK(marked(buffer) == "aa bb c|c");
    const TextBuffer::Replacement wrong[] = {{{{0, 3}, {0, 5}}, ""}, {{{0, 0}, {0, 4}}, "x"}};
    CHECK_THROWS_AS(buffer.replace_all(wrong), ContractError);
}

TEST_CASE("the text from disk replaces only what differs and keeps the caret with its line") {
    TextBuffer buffer = buffer_with("one\ntwo\nthr|ee\nfour\n");
    buffer.replace_from_disk("zero\none\nthree\nFOUR\nfive\n");
    CHECK(marked(buffer) == "zero\none\nthr|ee\nFOUR\nfive\n");
    CHECK_FALSE(buffer.is_modified());
    buffer.undo();
    CHECK(marked(buffer) == "one\ntwo\nthr|ee\nfour\n");
    CHECK(buffer.is_modified());
    buffer.redo();
    CHECK_FALSE(buffer.is_modified());

    const auto revision = buffer.revision();
    buffer.replace_from_disk("zero\r\none\r\nthree\r\nFOUR\r\nfive\r\n");
    CHECK(buffer.revision() == revision);  // only the line ends differ
    CHECK(buffer.has_crlf());
}

TEST_CASE("a line put before the caret's line on disk moves the caret along, at column 0, too") {
    TextBuffer buffer = buffer_with("a\n|b\n");
    buffer.replace_from_disk("a\nnew\nb\n");
    CHECK(marked(buffer) == "a\nnew\n|b\n");
    buffer.replace_from_disk("");
    CHECK(marked(buffer) == "|");
    buffer.replace_from_disk("x");
    CHECK(buffer.text() == "x");
}

TEST_CASE("the revision grows with each change and not with the caret") {
    TextBuffer buffer = buffer_with("ab|c");
    const auto before = buffer.revision();
    buffer.move(Motion::Left);
    buffer.select_all();
    CHECK(buffer.revision() == before);
    buffer.type("x");
    const auto typed = buffer.revision();
    CHECK(typed > before);
    buffer.undo();
    CHECK(buffer.revision() > typed);
}

TEST_CASE("changes since a revision are told as one range of lines, as long as they are remembered") {
    TextBuffer buffer = buffer_with("a\nb\nc\nd\ne|");
    const auto start = buffer.revision();
    CHECK(buffer.changes_since(start) == LineChange{});
    buffer.replace({{3, 0}, {3, 1}}, "x\ny");
    CHECK(buffer.changes_since(start) == LineChange{3, 1, 2});
    buffer.replace({{0, 1}, {2, 0}}, "");
    CHECK(buffer.changes_since(start) == LineChange{0, 4, 3});
    CHECK_FALSE(buffer.changes_since(buffer.revision() + 1));
    for (int i = 0; i < 1000; ++i) buffer.type("x");
    CHECK_FALSE(buffer.changes_since(start));
    const auto typed = buffer.revision();
    buffer.load("new");
    CHECK_FALSE(buffer.changes_since(typed));
}

TEST_CASE("the longest line is counted in code points and follows edits") {
    TextBuffer buffer = buffer_with("\xC3\xA9\xC3\xA9\nabc|\n");
    CHECK(buffer.longest_line() == 3);
    buffer.type("d");
    CHECK(buffer.longest_line() == 4);
}

// --- utf8 ---

TEST_CASE("line ends of any system become line breaks, and the most frequent one is remembered") {
    const CleanText windows = clean_text("a\r\nb\r\nc\n");
    CHECK(windows.text == "a\nb\nc\n");
    CHECK(windows.crlf);
    CHECK(windows.mixed_line_ends);
    CHECK_FALSE(clean_text("a\r\nb\nc\n").crlf);
    CHECK_FALSE(clean_text("a\r\nb\r\n").mixed_line_ends);
    CHECK(clean_text("a\rb").text == "a\nb");
}

TEST_CASE("bytes that are no UTF-8, and NUL, become U+FFFD") {
    const CleanText clean = clean_text(std::string_view("\ta\xFF\xC3(\0b\xC3\xA9", 9));
    CHECK(clean.text ==
          "\ta\xEF\xBF\xBD\xEF\xBF\xBD(\xEF\xBF\xBD"
          "b\xC3\xA9");
    CHECK(clean.replaced_bytes == 3);
    CHECK(clean_text("plain\n").text == "plain\n");
}

TEST_CASE("columns count code points, offsets bytes") {
    const std::string_view line = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";  // a é € 😀 z
    CHECK(count_code_points(line) == 5);
    const std::size_t bytes[] = {0, 1, 3, 6, 10, 11};
    for (std::size_t column = 0; column <= 5; ++column) {
        CHECK(byte_of_column(line, column) == bytes[column]);
        CHECK(column_of_byte(line, bytes[column]) == column);
    }
    CHECK(byte_of_column(line, 99) == line.size());
}

TEST_CASE("the place behind a text counts its line breaks and the code points after the last") {
    CHECK(end_of_text({2, 3}, "") == Position{2, 3});
    CHECK(end_of_text({2, 3}, "\xC3\xA9x") == Position{2, 5});
    CHECK(end_of_text({2, 3}, "ab\ncd\nxyz") == Position{4, 3});
    CHECK(end_of_text({2, 3}, "\n") == Position{3, 0});
}

}  // namespace
}  // namespace kwb::editor
