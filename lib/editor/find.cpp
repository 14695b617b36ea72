#include "editor/find.hpp"

#include <algorithm>
#include <cstdint>

#include "base/text.hpp"
#include "editor/columns.hpp"

namespace kwb::editor {
namespace {

/// Finds one search text in many lines.
class Searcher {
public:
    explicit Searcher(const FindQuery& query) : query_(query), needle_(clean_text(query.needle).text) {
        if (!query.case_sensitive) needle_ = to_lower(needle_);
        if (needle_.find('\n') != std::string::npos) needle_.clear();
    }

    /// Call found(byte) for each match in a line, from left to right.
    template <class Found>
    void each_in(std::string_view line, Found found) const {
        if (needle_.empty()) return;
        const std::string lowered = query_.case_sensitive ? "" : to_lower(line);
        const std::string_view hay = query_.case_sensitive ? line : lowered;
        for (std::size_t at = hay.find(needle_); at != hay.npos;) {
            const bool taken = !query_.whole_word || stands_alone(line, at);
            if (taken) found(at);
            at = hay.find(needle_, at + (taken ? needle_.size() : 1));
        }
    }

    std::size_t size() const { return needle_.size(); }

private:
    /// Whether the match is a whole word. If the search text begins or ends with punctuation, any character
    /// may precede or follow there.
    bool stands_alone(std::string_view line, std::size_t at) const {
        const auto is_word = [](char c) { return char_class(c) == CharClass::Word; };
        const std::size_t end = at + needle_.size();
        const bool joined_left = at > 0 && is_word(line[at - 1]) && is_word(line[at]);
        const bool joined_right = end < line.size() && is_word(line[end]) && is_word(line[end - 1]);
        return !joined_left && !joined_right;
    }

    FindQuery query_;
    std::string needle_;  ///< empty: nothing matches
};

}  // namespace

std::vector<TextRange> find_all(std::span<const std::string> lines, const FindQuery& query) {
    std::vector<TextRange> found;
    const Searcher searcher(query);
    const std::size_t width = count_code_points(clean_text(query.needle).text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::size_t byte = 0;
        std::size_t column = 0;
        searcher.each_in(lines[i], [&](std::size_t at) {
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
    const Searcher searcher(query);
    std::size_t count = 0;
    std::vector<TextBuffer::Replacement> parts;
    for (std::size_t i = 0; i < buffer.line_count(); ++i) {
        const std::string& line = buffer.line(i);
        // Replace all matches of a line as one part, from the first match to the last.
        std::string text;
        std::size_t first = line.size();
        std::size_t end = 0;
        searcher.each_in(line, [&](std::size_t at) {
            if (first == line.size())
                first = at;
            else
                text.append(line, end, at - end);
            text += clean;
            end = at + searcher.size();
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
