// SPDX-License-Identifier: Apache-2.0
// Helpers to set up buffers, and random texts.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "editor/columns.hpp"
#include "editor/highlight.hpp"
#include "editor/text_buffer.hpp"

namespace kwb::editor::test {

/// A buffer with this text. `|` marks the caret and `^` the anchor of the selection; both are optional.
inline TextBuffer buffer_with(std::string_view marked) {
    std::string text;
    std::size_t caret = std::string::npos;
    std::size_t anchor = std::string::npos;
    for (const char c : marked) {
        if (c == '|')
            caret = text.size();
        else if (c == '^')
            anchor = text.size();
        else
            text += c;
    }
    TextBuffer buffer;
    buffer.load(text);
    if (caret == std::string::npos) return buffer;
    const Position at = end_of_text({}, std::string_view(text).substr(0, caret));
    buffer.select(
        {anchor == std::string::npos ? at : end_of_text({}, std::string_view(text).substr(0, anchor)), at});
    return buffer;
}

/// The buffer's text with the marks that buffer_with() accepts.
inline std::string marked(const TextBuffer& buffer) {
    const std::string before = buffer.text_in({{0, 0}, buffer.selected().begin});
    const std::string between = buffer.selected_text();
    const std::string after = buffer.text_in({buffer.selected().end, buffer.end()});
    if (!buffer.has_selection()) return before + "|" + after;
    const bool caret_first = buffer.caret() < buffer.anchor();
    return before + (caret_first ? "|" : "^") + between + (caret_first ? "^" : "|") + after;
}

inline std::vector<std::string> lines_of(std::string_view text) {
    TextBuffer buffer;
    buffer.load(text);
    return {buffer.lines().begin(), buffer.lines().end()};
}

/// Reproducible random choices.
class Chance {
public:
    explicit Chance(unsigned seed) : engine_(seed) {}
    /// @return  0 … limit - 1
    std::size_t below(std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(engine_);
    }
    template <class List>
    const auto& of(const List& list) {
        return *(std::begin(list) + static_cast<std::ptrdiff_t>(below(std::size(list))));
    }

private:
    std::mt19937 engine_;
};

inline Position random_position(Chance& chance, const TextBuffer& buffer) {
    const std::size_t line = chance.below(buffer.line_count());
    return {line, chance.below(buffer.line_length(line) + 1)};
}

/// A source of 2,000 lines and about 100 KB, longer than any in practice.
inline std::string long_source() {
    std::string text = "/*+++\ntitle = \"Long\"\n+++*/\n";
    for (std::size_t i = 0; i < 222; ++i) {
        const std::string n = std::to_string(i);
        text += "// Part " + n +
                ": what a comment of the usual length says about it\n"
                "#define TILE_" +
                n +
                " 16  // edge\n"
                "__kernel void part_" +
                n +
                "(__global const float4* restrict in, __global float* out, int size) {\n"
                "    const size_t i = get_global_id(0) * TILE_" +
                n +
                ";\n"
                "    if (i >= (size_t)size) return;\n"
                "    float sum = 0.0f, other = 1.5e-3f;\n"
                "    for (int k = 0; k < 16; ++k) sum = fma(in[i + k].x, other, sum);\n"
                "    out[i] = sum; // done\n"
                "}\n";
    }
    return text;
}

// Highlighting as text: one letter per column, to be compared with the line of source.

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

/// @param state  at the start of the line; updated to the start of the next
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
