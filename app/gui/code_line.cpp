#include "gui/code_line.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "editor/columns.hpp"
#include "gui/look.hpp"

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
    ImFont& font = *look().fonts().mono;
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
    ImFont* font = look().fonts().mono;
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
    char digits[24];
    const char* end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
    ImFont* font = look().fonts().mono;
    const float width = static_cast<float>(end - digits) * grid.advance;
    list.AddText(font, compat::size_of(*font), {right.x - width, right.y + grid.text_top}, color, digits,
                 end);
}

int digits_of(std::size_t number) {
    int digits = 1;
    for (; number >= 10; number /= 10) ++digits;
    return digits;
}

using editor::SpanKind;

namespace {

struct SpanColors {
    Color dark, light;
};

SpanColors colors_of(SpanKind kind) {
    switch (kind) {
        case SpanKind::Keyword:
            return {{0xd3a0f7}, {0x7a1fa2}};
        case SpanKind::Type:
        case SpanKind::FrontKey:
            return {{0x74d3c8}, {0x05605a}};
        case SpanKind::Qualifier:
            return {{0xf4a883}, {0x9a3a08}};
        case SpanKind::Builtin:
            return {{0x8ab4ff}, {0x1450b8}};
        case SpanKind::Macro:
            return {{0xe8cf8a}, {0x6f4e00}};
        case SpanKind::Preprocessor:
            return {{0xe394d2}, {0x8a1c7c}};
        case SpanKind::Number:
        case SpanKind::FrontNumber:
            return {{0xf0b866}, {0x7f4600}};
        case SpanKind::String:
        case SpanKind::Character:
        case SpanKind::FrontString:
            return {{0xa3d98c}, {0x1c6427}};
        case SpanKind::Comment:
        case SpanKind::FrontComment:
        case SpanKind::FrontMark:
            return {{0x9aa1b1}, {0x566073}};
        case SpanKind::Operator:
            return {{0xc3c9d6}, {0x3a4256}};
        case SpanKind::Error:
            return {{0xff8e9a}, {0xa8132f}};
        case SpanKind::Identifier:
            break;
    }
    return {{0xe6e8ee}, {0x1b2030}};
}

}  // namespace

Color source_color(SpanKind kind, Theme theme) {
    const SpanColors colors = colors_of(kind);
    return theme == Theme::Dark ? colors.dark : colors.light;
}

Color mark_color(LineMark::Kind kind, const Palette& colors) {
    switch (kind) {
        case LineMark::Kind::Error:
            return colors.danger;
        case LineMark::Kind::Warning:
            return colors.warning;
        case LineMark::Kind::Hint:
            return colors.accent_text;
        case LineMark::Kind::Note:
            break;
    }
    return colors.text_muted;
}

Color highlight_color(Theme theme) {
    return theme == Theme::Dark ? Color{0xf5c063, 0.28f} : Color{0xf5b81f, 0.40f};
}

const char* mark_name(LineMark::Kind kind) {
    switch (kind) {
        case LineMark::Kind::Error:
            return "Error";
        case LineMark::Kind::Warning:
            return "Warning";
        case LineMark::Kind::Hint:
            return "Hint";
        case LineMark::Kind::Note:
            break;
    }
    return "Note";
}

bool is_worse(LineMark::Kind one, LineMark::Kind other) {
    const auto rank = [](LineMark::Kind kind) {
        constexpr LineMark::Kind kByWeight[] = {LineMark::Kind::Note, LineMark::Kind::Hint,
                                                LineMark::Kind::Warning, LineMark::Kind::Error};
        return std::find(std::begin(kByWeight), std::end(kByWeight), kind) - std::begin(kByWeight);
    };
    return rank(one) > rank(other);
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
