#include <doctest/doctest.h>

#include "support.hpp"

namespace kwb::editor {
namespace {

using test::buffer_with;
using test::marked;

std::string after(const char* text, Motion motion, Selecting selecting = Selecting::No,
                  std::size_t page = 20) {
    TextBuffer buffer = buffer_with(text);
    buffer.move(motion, selecting, page);
    return marked(buffer);
}

TEST_CASE("left and right go over line ends and stop at the text's ends") {
    CHECK(after("a\n|b", Motion::Left) == "a|\nb");
    CHECK(after("a|\nb", Motion::Right) == "a\n|b");
    CHECK(after("|a", Motion::Left) == "|a");
    CHECK(after("a|", Motion::Right) == "a|");
    CHECK(after("\xC3\xA9|", Motion::Left) == "|\xC3\xA9");
}

TEST_CASE("left and right leave a selection at its side, selecting goes on from the caret") {
    CHECK(after("a^bc|d", Motion::Left) == "a|bcd");
    CHECK(after("a|bc^d", Motion::Right) == "abc|d");
    CHECK(after("a^bc|d", Motion::Left, Selecting::Yes) == "a^b|cd");
    CHECK(after("ab|cd", Motion::LineStart, Selecting::Yes) == "|ab^cd");
}

TEST_CASE("word motions stop at the starts of words and of punctuation") {
    CHECK(after("|get_id(0)", Motion::WordRight) == "get_id|(0)");
    CHECK(after("a  |b", Motion::WordLeft) == "|a  b");
    CHECK(after("|a  b", Motion::WordRight) == "a  |b");
    CHECK(after("a|\n  b", Motion::WordRight) == "a\n|  b");
    CHECK(after("a\n|b", Motion::WordLeft) == "a|\nb");
    CHECK(after("x na\xC3\xAFve|", Motion::WordLeft) == "x |na\xC3\xAFve");
}

TEST_CASE("the line's start is its text first, then column 0") {
    CHECK(after("    ab|c", Motion::LineStart) == "    |abc");
    CHECK(after("    |abc", Motion::LineStart) == "|    abc");
    CHECK(after("|    abc", Motion::LineStart) == "    |abc");
    CHECK(after("a|b\nc", Motion::LineEnd) == "ab|\nc");
}

TEST_CASE("up and down keep their column over shorter lines") {
    TextBuffer buffer = buffer_with("long line\nx\nanother o|ne");
    buffer.move(Motion::Up);
    CHECK(marked(buffer) == "long line\nx|\nanother one");
    buffer.move(Motion::Up);
    CHECK(marked(buffer) == "long line|\nx\nanother one");
    buffer.move(Motion::Down);
    buffer.move(Motion::Down);
    CHECK(marked(buffer) == "long line\nx\nanother o|ne");
    buffer.move(Motion::Up);
    buffer.move(Motion::Left);  // forgets the column
    buffer.move(Motion::Down);
    CHECK(marked(buffer) == "long line\nx\n|another one");
}

TEST_CASE("up from the first line and down from the last go to the text's ends") {
    CHECK(after("a|b\nc", Motion::Up) == "|ab\nc");
    CHECK(after("ab\nc|d", Motion::Down) == "ab\ncd|");
    CHECK(after("ab\nc|d", Motion::TextStart) == "|ab\ncd");
    CHECK(after("a|b\ncd", Motion::TextEnd) == "ab\ncd|");
}

TEST_CASE("pages move by the lines that the caller shows") {
    CHECK(after("0\n1\n2\n3|\n4", Motion::PageUp, Selecting::No, 2) == "0\n1|\n2\n3\n4");
    CHECK(after("0\n1|\n2\n3\n4", Motion::PageDown, Selecting::Yes, 2) == "0\n1^\n2\n3|\n4");
    CHECK(after("0\n1|\n2", Motion::PageDown, Selecting::No, 50) == "0\n1\n2|");
}

TEST_CASE("all, a line and a word can be selected") {
    TextBuffer buffer = buffer_with("one\ntwo three|\nfour");
    buffer.select_word();
    CHECK(marked(buffer) == "one\ntwo ^three|\nfour");
    buffer.select_line();
    CHECK(marked(buffer) == "one\n^two three\n|four");
    buffer.select_all();
    CHECK(marked(buffer) == "^one\ntwo three\nfour|");
    buffer.set_caret({2, 1});
    buffer.select_line();
    CHECK(marked(buffer) == "one\ntwo three\n^four|");
    CHECK(buffer.word_at({1, 3}) == TextRange{{1, 0}, {1, 3}});  // at its end
    CHECK(buffer_with("a  b").word_at({0, 2}) == TextRange{{0, 1}, {0, 3}});
    CHECK(buffer_with("").word_at({0, 0}).empty());
}

}  // namespace
}  // namespace kwb::editor
