// Pairs of (), [] and {}.
#pragma once

#include <optional>

#include "editor/highlight.hpp"
#include "editor/text_buffer.hpp"

namespace kwb::editor {

struct BracketPair {
    Position at;                    ///< of the bracket beside the caret
    std::optional<Position> match;  ///< nothing: it has no partner
};

/// The bracket right of `position`, else left of it, and its partner. Brackets in comments, texts and
/// preprocessor messages count for nothing. Costs a walk to the partner: at most one through the whole text.
/// @param highlighter  up to date with `buffer`
/// @return  nothing if no bracket is there
std::optional<BracketPair> find_bracket_pair(const TextBuffer& buffer, const Highlighter& highlighter,
                                             Position position);

}  // namespace kwb::editor
