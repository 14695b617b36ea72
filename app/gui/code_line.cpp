// SPDX-License-Identifier: Apache-2.0
#include "gui/code_line.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "editor/columns.hpp"

namespace kwb::gui {
namespace {

bool continues(char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char byte) { return static_cast<unsigned char>(byte) < 0x80; });
}

std::size_t end_of_character(std::string_view text, std::size_t at) {
    ++at;
    while (at < text.size() && continues(text[at])) ++at;
    return at;
}

/// Scans a line once; columns must be requested in ascending order.
class Columns {
public:
    explicit Columns(std::string_view line) : line_(line) {}
    std::size_t byte_of(std::size_t column) {
        while (column_ < column && byte_ < line_.size()) {
            byte_ = end_of_character(line_, byte_);
            ++column_;
        }
        return byte_;
    }

private:
    std::string_view line_;
    std::size_t byte_ = 0;
    std::size_t column_ = 0;
};

}  // namespace

CodeGrid code_grid() {
    ImFont& font = *fonts().mono;
    const float size = compat::size_of(font);
    CodeGrid grid;
    // A whole number of pixels keeps columns sharp and aligned.
    constexpr char kSample[] = "0";
    const float width = compat::text_size(font, size, kSample, kSample + 1).x;
    grid.advance = std::max(1.0f, std::round(width));
    grid.is_exact = grid.advance == width;
    grid.line_height = std::round(size * 1.3f);
    grid.text_top = std::round((grid.line_height - size) / 2);
    return grid;
}

void draw_code_line(ImDrawList& list, ImVec2 at, const CodeGrid& grid, std::string_view line,
                    std::span<const editor::Span> spans, VisibleColumns visible) {
    if (line.find('\t') != std::string_view::npos) {
        std::vector<editor::Span> moved(spans.begin(), spans.end());
        for (editor::Span& span : moved) {
            span.begin = static_cast<decltype(span.begin)>(editor::cell_of_column(line, span.begin));
            span.end = static_cast<decltype(span.end)>(editor::cell_of_column(line, span.end));
        }
        return draw_code_line(list, at, grid, editor::without_tabs(line), moved, visible);
    }
    ImFont* font = fonts().mono;
    const float size = compat::size_of(*font);
    const Theme theme = look().theme();
    Columns columns(line);
    for (const editor::Span& span : spans) {
        if (span.end <= visible.first) continue;
        if (span.begin >= visible.last) break;
        const std::size_t first = std::max<std::size_t>(span.begin, visible.first);
        const std::size_t last = std::min<std::size_t>(span.end, visible.last);
        const std::size_t begin = columns.byte_of(first), end = columns.byte_of(last);
        const std::string_view words = line.substr(begin, end - begin);
        const ImU32 color = source_color(span.kind, theme).u32();
        const float y = at.y + grid.text_top;
        if (grid.is_exact && is_ascii(words)) {
            list.AddText(font, size, {at.x + static_cast<float>(first) * grid.advance, y}, color,
                         words.data(), words.data() + words.size());
            continue;
        }
        // With the font's own advance, characters would drift from their columns.
        std::size_t column = first;
        for (std::size_t from = 0; from < words.size(); ++column) {
            const std::size_t to = end_of_character(words, from);
            if (words[from] != ' ')
                list.AddText(font, size, {at.x + static_cast<float>(column) * grid.advance, y}, color,
                             words.data() + from, words.data() + to);
            from = to;
        }
    }
}

void draw_line_number(ImDrawList& list, ImVec2 right, const CodeGrid& grid, std::size_t number, ImU32 color) {
    const std::string digits = std::to_string(number);
    ImFont* font = fonts().mono;
    list.AddText(font, compat::size_of(*font),
                 {right.x - number_width(grid, number, 1), right.y + grid.text_top}, color, digits.c_str());
}

float number_width(const CodeGrid& grid, std::size_t most, std::size_t least) {
    return to_float(std::max(least, std::to_string(most).size())) * grid.advance;
}

using editor::SpanKind;

Color source_color(SpanKind kind, Theme theme) {
    return {palette(theme).source[static_cast<std::size_t>(kind)]};
}

Color stripe_color(std::size_t line) {
    return line % 2 == 0 ? colors().text_muted : colors().border;
}

Color mark_color(LineMark::Kind kind) {
    const Color by_kind[] = {colors().danger, colors().warning, colors().text_muted, colors().accent_text};
    return by_kind[static_cast<std::size_t>(kind)];
}

const char* mark_name(LineMark::Kind kind) {
    constexpr const char* kNames[] = {"Error", "Warning", "Note", "Hint"};
    return kNames[static_cast<std::size_t>(kind)];
}

bool is_worse(LineMark::Kind one, LineMark::Kind other) {
    constexpr int kWeights[] = {3, 2, 0, 1};
    return kWeights[static_cast<std::size_t>(one)] > kWeights[static_cast<std::size_t>(other)];
}

void draw_mark_sign(ImDrawList& list, ImVec2 center, float radius_px, LineMark::Kind kind, ImU32 color) {
    const auto [x, y] = center;
    const float r = radius_px;
    switch (kind) {
        case LineMark::Kind::Error:
            list.AddCircleFilled(center, r, color);
            break;
        case LineMark::Kind::Warning:
            list.AddTriangleFilled({x, y - r}, {x + r * 1.1f, y + r * 0.9f}, {x - r * 1.1f, y + r * 0.9f},
                                   color);
            break;
        case LineMark::Kind::Hint:
            list.AddQuadFilled({x, y - r * 1.15f}, {x + r * 1.15f, y}, {x, y + r * 1.15f}, {x - r * 1.15f, y},
                               color);
            break;
        case LineMark::Kind::Note:
            list.AddCircle(center, r * 0.8f, color, 0, r * 0.4f);
            break;
    }
}

}  // namespace kwb::gui
