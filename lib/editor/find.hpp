// SPDX-License-Identifier: Apache-2.0
// Find and replace.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "editor/text_buffer.hpp"

namespace kwb::editor {

struct FindQuery {
    std::string needle;           ///< UTF-8; if empty or with a line break, there are no matches
    bool case_sensitive = false;  ///< false: A to Z match a to z; other letters must be identical
    bool whole_word = false;      ///< no letter, digit, _ or non-ASCII character before and after the match

    friend bool operator==(const FindQuery&, const FindQuery&) = default;
};

/// @return  all matches in order, without overlaps
/// Searches the whole text (100 KB: about 0.1 ms), so cache the result until revision() or the query changes.
std::vector<TextRange> find_all(std::span<const std::string> lines, const FindQuery& query);

struct FindStep {
    std::size_t index;  ///< index of the match
    TextRange range;
    bool wrapped;  ///< the search continued from the other end of the text
};

/// The first match that begins at or after `from`, or else the first in the text.
/// @param found  from find_all(). @return  empty if there are no matches
std::optional<FindStep> next_match(std::span<const TextRange> found, Position from);

/// The last match that ends at or before `from`, or else the last in the text.
std::optional<FindStep> previous_match(std::span<const TextRange> found, Position from);

/// Index of the match that equals the selection, for "3 of 17".
std::optional<std::size_t> match_at(std::span<const TextRange> found, TextRange selected);

/// If a match is selected, replace it; then select the next match.
/// @return  whether a match was replaced
bool replace_one(TextBuffer& buffer, const FindQuery& query, std::string_view replacement);

/// Replace every match, as one undo step. @return  the number of replacements
std::size_t replace_all(TextBuffer& buffer, const FindQuery& query, std::string_view replacement);

}  // namespace kwb::editor
