#include <doctest/doctest.h>

#include "editor/highlight.hpp"
#include "support.hpp"

namespace kwb::editor {
namespace {

std::optional<BracketPair> pair_at_caret(const char* marked) {
    const TextBuffer buffer = test::buffer_with(marked);
    Highlighter highlighter;
    highlighter.update(buffer);
    return find_bracket_pair(buffer, highlighter, buffer.caret());
}

TEST_CASE("a bracket right or left of the caret finds its partner, over lines and both ways") {
    auto pair = pair_at_caret("f|((a)[1])\n");
    REQUIRE(pair);
    CHECK(pair->at == Position{0, 1});
    CHECK(pair->match == Position{0, 8});
    pair = pair_at_caret("{\n  {\n  }\n}|");
    REQUIRE(pair);
    CHECK(pair->at == Position{3, 0});
    CHECK(pair->match == Position{0, 0});
    pair = pair_at_caret("|{ a[i] = \"}\"; // }\n}");
    REQUIRE(pair);
    CHECK(pair->match == Position{1, 0});
    CHECK(pair_at_caret("(a) |(b) (c)")->match == Position{0, 6});
    CHECK(pair_at_caret("(a) (b)| (c)")->match == Position{0, 4});
}

TEST_CASE("a bracket without partner says so; other places have no bracket") {
    const auto lone = pair_at_caret("|( [)]\n(");
    REQUIRE(lone);
    CHECK(lone->match == Position{0, 3});
    const auto open = pair_at_caret("|{ ( ) \n");
    REQUIRE(open);
    CHECK_FALSE(open->match);
    const auto close = pair_at_caret("( )\n}|");
    REQUIRE(close);
    CHECK_FALSE(close->match);
    CHECK_FALSE(pair_at_caret("a| (b)"));
    CHECK_FALSE(pair_at_caret("// |(b)"));
    CHECK_FALSE(pair_at_caret("|"));
}

TEST_CASE("brackets of the front matter pair among themselves") {
    const auto pair = pair_at_caret("/*+++\na = |[1, [2]]  # ]\n+++*/\n]");
    REQUIRE(pair);
    CHECK(pair->match == Position{1, 11});
}

}  // namespace
}  // namespace kwb::editor
