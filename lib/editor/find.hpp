// Finding and replacing in a text.
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
    std::string needle;           ///< UTF-8; empty or with a line break: found nowhere
    bool case_sensitive = false;  ///< else A to Z equal a to z; other letters must be the same
    bool whole_word = false;      ///< no letter, digit, _ or character beyond ASCII before and after

    friend bool operator==(const FindQuery&, const FindQuery&) = default;
};

/// @return  all occurrences in order, none overlapping another
/// Reads the whole text (100 KB: about 0.1 ms): keep the result until revision() or the query changes.
std::vector<TextRange> find_all(std::span<const std::string> lines, const FindQuery& query);

struct FindStep {
    std::size_t index;  ///< of the occurrence
    TextRange range;
    bool wrapped;  ///< the search went over the end, or the start, of the text
};

/// The first occurrence that begins at or after `from`, else the first of the text.
/// @param found  from find_all(). @return  nothing if it is empty
std::optional<FindStep> next_match(std::span<const TextRange> found, Position from);

/// The last occurrence that ends at or before `from`, else the last of the text.
std::optional<FindStep> previous_match(std::span<const TextRange> found, Position from);

/// The occurrence that is exactly the selection, for "3 of 17".
std::optional<std::size_t> match_at(std::span<const TextRange> found, TextRange selected);

/// If an occurrence is selected, replace it; then select the next one.
/// @return  an occurrence was replaced
bool replace_one(TextBuffer& buffer, const FindQuery& query, std::string_view replacement);

/// Replace every occurrence, as one step of undo. @return  how many
std::size_t replace_all(TextBuffer& buffer, const FindQuery& query, std::string_view replacement);

}  // namespace kwb::editor
