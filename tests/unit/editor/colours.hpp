// Colours as text: one letter a column, below the line that it belongs to.
#pragma once

#include <string>
#include <string_view>

#include "editor/columns.hpp"
#include "editor/highlight.hpp"

namespace kwb::editor::test {

/// i identifier, k keyword, t type, q qualifier, b built-in, m macro, p preprocessor, n number, s string,
/// c character, / comment, o operator, e error; M mark, K key, S string, N number, C comment of front matter.
inline std::string letters(std::string_view line, std::span<const Span> spans) {
    constexpr std::string_view kLetters = "iktqbmpnsc/oeMKSNC";
    std::string out(count_code_points(line), ' ');
    for (const Span& span : spans)
        for (std::size_t column = span.begin; column < span.end; ++column)
            out.at(column) = kLetters[static_cast<std::size_t>(span.kind)];
    return out;
}

/// @param state  changed to that of the next line
inline std::string colours(std::string_view line, LexState& state) {
    std::vector<Span> spans;
    state = highlight_line(line, state, spans);
    return letters(line, spans);
}

inline std::string colours(std::string_view line) {
    LexState state;
    return colours(line, state);
}

}  // namespace kwb::editor::test
