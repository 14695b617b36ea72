// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "editor/find.hpp"
#include "support.hpp"

namespace kwb::editor {
namespace {

using test::buffer_with;
using test::lines_of;
using test::marked;

// --- editor/find.hpp ---

std::size_t count(const char* text, const FindQuery& query) {
    return find_all(lines_of(text), query).size();
}

TEST_CASE("occurrences are found in order, without overlap, in columns of code points") {
    const auto found = find_all(lines_of("\xC3\xA9 ab ab\nx\nab"), {"ab", true, false});
    REQUIRE(found.size() == 3);
    CHECK(found[0] == TextRange{{0, 2}, {0, 4}});
    CHECK(found[1] == TextRange{{0, 5}, {0, 7}});
    CHECK(found[2] == TextRange{{2, 0}, {2, 2}});
    CHECK(count("aaaa", {"aa", true, false}) == 2);
    CHECK(find_all(lines_of("x\xC3\xA9\xC3\xA9y"), {"\xC3\xA9y", true, false}).at(0) ==
          TextRange{{0, 2}, {0, 4}});
}

TEST_CASE("case counts only if asked for, whole words need edges that are no word") {
    CHECK(count("Tile TILE tile", {"tile", false, false}) == 3);
    CHECK(count("Tile TILE tile", {"tile", true, false}) == 1);
    CHECK(count("tile tiles _tile tile2 (tile) \xC3\xA9tile", {"tile", true, true}) == 2);
    CHECK(count("aab ab", {"ab", true, true}) == 1);
    CHECK(count("x+=1", {"+=", true, true}) == 1);
}

TEST_CASE("nothing, and a text with a line break, are found nowhere") {
    CHECK(count("a\nb", {"", false, false}) == 0);
    CHECK(count("a\nb", {"a\nb", false, false}) == 0);
}

TEST_CASE("next and previous go round the text and say so") {
    const auto found = find_all(lines_of("a\na\na"), {"a", true, false});
    auto next = next_match(found, {1, 0});
    REQUIRE(next);
    CHECK(next->index == 1);
    CHECK_FALSE(next->wrapped);
    next = next_match(found, {2, 1});
    CHECK(next->index == 0);
    CHECK(next->wrapped);
    auto previous = previous_match(found, {1, 0});
    CHECK(previous->index == 0);
    previous = previous_match(found, {0, 0});
    CHECK(previous->index == 2);
    CHECK(previous->wrapped);
    CHECK_FALSE(next_match({}, {0, 0}));
    CHECK_FALSE(previous_match({}, {0, 0}));
    CHECK(match_at(found, {{1, 0}, {1, 1}}) == 1);
    CHECK_FALSE(match_at(found, {{1, 0}, {1, 0}}));
}

TEST_CASE("replacing one needs it selected and goes on to the next") {
    TextBuffer buffer = buffer_with("|ab ab");
    const FindQuery query{"ab", true, false};
    CHECK_FALSE(replace_one(buffer, query, "xab"));
    CHECK(marked(buffer) == "^ab| ab");
    CHECK(replace_one(buffer, query, "xab"));
    CHECK(marked(buffer) == "xab ^ab|");  // not the occurrence that was just inserted
    CHECK(replace_one(buffer, query, ""));
    CHECK(marked(buffer) == "x^ab| ");
}

TEST_CASE("replacing all is one step of undo and leaves other text alone") {
    TextBuffer buffer = buffer_with(
        "ab, ab;\nc\n\xC3\xA9"
        "ab ab ab|");
    CHECK(replace_all(buffer, {"ab", true, false}, "long") == 5);
    CHECK(buffer.text() == "long, long;\nc\n\xC3\xA9long long long");
    CHECK(buffer.history().undo_count() == 1);
    buffer.undo();
    CHECK(buffer.text() ==
          "ab, ab;\nc\n\xC3\xA9"
          "ab ab ab");
    CHECK(replace_all(buffer, {"none", true, false}, "x") == 0);
    CHECK_FALSE(buffer.is_modified());
    CHECK(replace_all(buffer, {"ab", true, true}, "") == 4);
    CHECK(buffer.text() ==
          ", ;\nc\n\xC3\xA9"
          "ab  ");
}

TEST_CASE("replacing all gives what a search in the whole string gives, for any text") {
    test::Chance chance(11);
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        for (std::size_t i = chance.below(30); i > 0; --i) text += chance.of(std::string("ab \n"));
        std::string needle;
        for (std::size_t i = 1 + chance.below(3); i > 0; --i) needle += chance.of(std::string("ab "));
        std::string expected = text;
        for (std::size_t at = 0; (at = expected.find(needle, at)) != expected.npos; at += 1)
            expected.replace(at, needle.size(), "#");
        TextBuffer buffer;
        buffer.load(text);
        replace_all(buffer, {needle, true, false}, "#");
        CAPTURE(text);
        CAPTURE(needle);
        REQUIRE(buffer.text() == expected);
    }
}

// --- move ---

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
    buffer.move(Motion::Left);  // resets the remembered column
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
    CHECK(buffer.word_at({1, 3}) == TextRange{{1, 0}, {1, 3}});  // at the end of the word
    CHECK(buffer_with("a  b").word_at({0, 2}) == TextRange{{0, 1}, {0, 3}});
    CHECK(buffer_with("").word_at({0, 0}).empty());
}

}  // namespace
}  // namespace kwb::editor
