// SPDX-License-Identifier: Apache-2.0
// A lesson's story as blocks.
#include "lessons/story.hpp"

#include <doctest/doctest.h>

#include <numeric>

using namespace kwb;
using Kind = StoryBlock::Kind;
using Look = StorySpan::Look;

namespace {

std::vector<Kind> kinds_of(const std::vector<StoryBlock>& blocks) {
    std::vector<Kind> kinds;
    for (const StoryBlock& block : blocks) kinds.push_back(block.kind);
    return kinds;
}

std::vector<StorySpan> spans_of(const std::string& text, const std::vector<Term>& glossary = {}) {
    return story_blocks(text, glossary).at(0).spans;
}

}  // namespace

TEST_CASE("lines of a paragraph or an item are joined; blank lines, headings and items end them") {
    const auto blocks =
        story_blocks("# Title\none\ntwo\n\nthree:\n1. first\n   goes on\n2. second\n* dot\n", {});
    CHECK(kinds_of(blocks) ==
          std::vector{Kind::Heading, Kind::Paragraph, Kind::Paragraph, Kind::Item, Kind::Item, Kind::Item});
    CHECK(blocks[0].spans == std::vector<StorySpan>{{"Title"}});
    CHECK(blocks[1].spans == std::vector<StorySpan>{{"one two"}});
    CHECK(blocks[3].spans == std::vector<StorySpan>{{"first goes on"}});
    CHECK(blocks[3].lead == "1.");
    CHECK(blocks[4].lead == "2.");
    CHECK(blocks[5].lead == "\u2022");
}

TEST_CASE("indented lines, fences and tables keep their columns") {
    const auto blocks = story_blocks(
        "text\n\n    +--+\n\n      |\n\n```c\nint* p = a * b * c;\n# no heading\n```\n| a | long name "
        "|\n|---|---|\n| `x` | é |\nmore",
        {});
    CHECK(kinds_of(blocks) ==
          std::vector{Kind::Paragraph, Kind::Code, Kind::Code, Kind::Code, Kind::Paragraph});
    CHECK(blocks[1].lines == std::vector<std::string>{"+--+", "", "  |"});
    CHECK(blocks[2].lines == std::vector<std::string>{"int* p = a * b * c;", "# no heading"});
    CHECK(blocks[3].lines == std::vector<std::string>{"a   long name", "x   é"});
}

TEST_CASE("code and emphasis; a sign alone is itself") {
    CHECK(spans_of("use `a[i * N]` for *tiling*, 2 * 3 * 4") ==
          std::vector<StorySpan>{{"use "},
                                 {"a[i * N]", Look::Code},
                                 {" for "},
                                 {"tiling", Look::Strong},
                                 {", 2 "},
                                 {"* 3 "},
                                 {"* 4"}});
    CHECK(spans_of("a ` b") == std::vector<StorySpan>{{"a "}, {"` b"}});
}

TEST_CASE("the first mention of a term is marked, the longest, whole words, also in the plural") {
    const std::vector<Term> glossary = {{"memory", ""}, {"local memory", ""}, {"tile", ""}};
    CHECK(spans_of("Local memory holds tiles of memory; a tile is no reptile.", glossary) ==
          std::vector<StorySpan>{{"Local memory", Look::Plain, "local memory"},
                                 {" holds "},
                                 {"tiles", Look::Plain, "tile"},
                                 {" of "},
                                 {"memory", Look::Plain, "memory"},
                                 {"; a tile is no reptile."}});
    const auto blocks = story_blocks("# Tiles\na *tile*\n\nanother tile", glossary);
    CHECK(blocks[0].spans == std::vector<StorySpan>{{"Tiles"}});
    CHECK(blocks[1].spans[1] == StorySpan{"tile", Look::Strong, "tile"});
    CHECK(blocks[2].spans == std::vector<StorySpan>{{"another tile"}});
}
