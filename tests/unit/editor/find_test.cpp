#include "editor/find.hpp"

#include <doctest/doctest.h>

#include "support.hpp"

namespace kwb::editor {
namespace {

using test::buffer_with;
using test::lines_of;
using test::marked;

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
    CHECK(marked(buffer) == "xab ^ab|");  // not the one that was just written
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

}  // namespace
}  // namespace kwb::editor
