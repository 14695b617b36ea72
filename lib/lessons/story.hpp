// SPDX-License-Identifier: Apache-2.0
// A lesson's text as blocks that can be laid out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lessons/lesson.hpp"

namespace kwb {

/// A piece of text in one look.
struct StorySpan {
    enum class Look { Plain, Strong, Code };
    std::string words;
    Look look = Look::Plain;
    std::string term = {};  ///< Term::word that it is a form of; empty: none

    friend bool operator==(const StorySpan&, const StorySpan&) = default;
};

struct StoryBlock {
    enum class Kind { Heading, Paragraph, Item, Code };
    Kind kind = Kind::Paragraph;
    std::vector<StorySpan> spans = {};  ///< of a heading, paragraph or item
    std::string lead = {};              ///< of an item: "•", "1."
    /// Lines of code, a table or a text picture, to show in a monospaced font without wrapping.
    std::vector<std::string> lines = {};
};

/// The Markdown that lessons use: headings with #, paragraphs, items with * and 1., indented and fenced code,
/// tables, `code` and *emphasis*.
/// @param glossary  the first mention of each of its terms is marked, except in headings
std::vector<StoryBlock> story_blocks(std::string_view story, const std::vector<Term>& glossary);

}  // namespace kwb
