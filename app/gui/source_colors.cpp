#include "gui/source_colors.hpp"

#include <algorithm>

namespace kwb::gui {

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
