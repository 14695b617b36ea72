// SPDX-License-Identifier: Apache-2.0
#include "editor/find.hpp"

#include <algorithm>
#include <cstdint>

#include "base/text.hpp"
#include "editor/columns.hpp"

namespace kwb::editor {
namespace {

/// The text to search for in each line; empty: nothing matches.
std::string needle_of(const FindQuery& query) {
    const std::string needle = clean_text(query.needle).text;
    if (needle.find('\n') != std::string::npos) return "";
    return query.case_sensitive ? needle : to_lower(needle);
}

/// Whether [begin, end) is a whole word. If it begins or ends with punctuation, any character may precede or
/// follow there.
bool stands_alone(std::string_view line, std::size_t begin, std::size_t end) {
    const auto is_word = [](char c) { return char_class(c) == CharClass::Word; };
    const bool joined_left = begin > 0 && is_word(line[begin - 1]) && is_word(line[begin]);
    const bool joined_right = end < line.size() && is_word(line[end]) && is_word(line[end - 1]);
    return !joined_left && !joined_right;
}

/// Call found(byte) for each match in a line, from left to right.
/// @param needle  needle_of(query)
template <class Found>
void for_each_match(std::string_view line, const FindQuery& query, const std::string& needle, Found found) {
    if (needle.empty()) return;
    const std::string lowered = query.case_sensitive ? "" : to_lower(line);
    const std::string_view hay = query.case_sensitive ? line : lowered;
    for (std::size_t at = hay.find(needle); at != hay.npos;) {
        const bool taken = !query.whole_word || stands_alone(line, at, at + needle.size());
        if (taken) found(at);
        at = hay.find(needle, at + (taken ? needle.size() : 1));
    }
}

}  // namespace

std::vector<TextRange> find_all(std::span<const std::string> lines, const FindQuery& query) {
    std::vector<TextRange> found;
    const std::string needle = needle_of(query);
    const std::size_t width = count_code_points(needle);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::size_t byte = 0;
        std::size_t column = 0;
        for_each_match(lines[i], query, needle, [&](std::size_t at) {
            column += count_code_points(std::string_view(lines[i]).substr(byte, at - byte));
            byte = at;
            found.push_back({{i, column}, {i, column + width}});
        });
    }
    return found;
}

std::optional<FindStep> next_match(std::span<const TextRange> found, Position from) {
    if (found.empty()) return std::nullopt;
    const auto next = std::partition_point(found.begin(), found.end(),
                                           [&](const TextRange& range) { return range.begin < from; });
    if (next == found.end()) return FindStep{0, found.front(), true};
    return FindStep{static_cast<std::size_t>(next - found.begin()), *next, false};
}

std::optional<FindStep> previous_match(std::span<const TextRange> found, Position from) {
    if (found.empty()) return std::nullopt;
    const auto after = std::partition_point(found.begin(), found.end(),
                                            [&](const TextRange& range) { return range.end <= from; });
    if (after == found.begin()) return FindStep{found.size() - 1, found.back(), true};
    return FindStep{static_cast<std::size_t>(after - found.begin()) - 1, *(after - 1), false};
}

std::optional<std::size_t> match_at(std::span<const TextRange> found, TextRange selected) {
    const auto step = next_match(found, selected.begin);
    if (!step || step->wrapped || step->range != selected) return std::nullopt;
    return step->index;
}

bool replace_one(TextBuffer& buffer, const FindQuery& query, std::string_view replacement) {
    std::vector<TextRange> found = find_all(buffer.lines(), query);
    const bool replaces = buffer.has_selection() && match_at(found, buffer.selected()).has_value();
    if (replaces) {
        buffer.replace(buffer.selected(), replacement);
        found = find_all(buffer.lines(), query);
    }
    const auto next = next_match(found, buffer.has_selection() ? buffer.selected().end : buffer.caret());
    if (next) buffer.select({next->range.begin, next->range.end});
    return replaces;
}

std::size_t replace_all(TextBuffer& buffer, const FindQuery& query, std::string_view replacement) {
    const std::string clean = clean_text(replacement).text;
    const std::string needle = needle_of(query);
    std::size_t count = 0;
    std::vector<TextBuffer::Replacement> parts;
    for (std::size_t i = 0; i < buffer.line_count(); ++i) {
        const std::string& line = buffer.line(i);
        // Replace all matches of a line as one part, from the first match to the last.
        std::string text;
        std::size_t first = line.size();
        std::size_t end = 0;
        for_each_match(line, query, needle, [&](std::size_t at) {
            if (first == line.size())
                first = at;
            else
                text.append(line, end, at - end);
            text += clean;
            end = at + needle.size();
            ++count;
        });
        if (first == line.size()) continue;
        parts.push_back(
            {{{i, column_of_byte(line, first)}, {i, column_of_byte(line, end)}}, std::move(text)});
    }
    buffer.replace_all(parts);
    return count;
}

}  // namespace kwb::editor
