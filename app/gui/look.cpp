// SPDX-License-Identifier: Apache-2.0
#include "gui/look.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/error.hpp"
#include "plot/palette.hpp"

namespace kwb::gui {
namespace {

constexpr float kSteps[] = {0.75f, 0.9f, 1, 1.1f, 1.25f, 1.5f, 1.75f, 2, 2.25f, 2.5f};

}  // namespace

Look::Look(const LookOptions& options)
    : files_(options.fonts), theme_(options.theme), scale_(1), content_scale_(1) {
    set_scale(options.scale);
    set_content_scale(options.content_scale);
    probes_.set_enabled(options.probes);
    context_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.UserData = this;
    io.IniFilename = nullptr;  // the layout is stored with the other settings
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigInputTextCursorBlink = false;  // a blinking caret would require continuous frames
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    apply();
}

void Look::set_theme(Theme theme) {
    style_changed_ = style_changed_ || theme != theme_;
    theme_ = theme;
}

void Look::set_scale(float scale) {
    const float allowed = std::isnan(scale) ? 1 : std::clamp(scale, kLeastScale, kMostScale);
    fonts_changed_ = fonts_changed_ || allowed != scale_;
    scale_ = allowed;
}

void Look::step_scale(int direction) {
    constexpr float kSlack = 0.01f;
    if (direction > 0) {
        const auto* above =
            std::find_if(std::begin(kSteps), std::end(kSteps), [&](float s) { return s > scale_ + kSlack; });
        if (above != std::end(kSteps)) set_scale(*above);
    } else if (direction < 0) {
        const auto below = std::find_if(std::rbegin(kSteps), std::rend(kSteps),
                                        [&](float s) { return s < scale_ - kSlack; });
        if (below != std::rend(kSteps)) set_scale(*below);
    }
}

void Look::set_content_scale(float scale) {
    const float allowed = std::isnan(scale) ? 1 : std::clamp(scale, 0.75f, 2.4f);
    fonts_changed_ = fonts_changed_ || allowed != content_scale_;
    content_scale_ = allowed;
}

bool Look::apply() {
    const bool fonts_too = fonts_changed_;
    if (fonts_too || style_changed_) {
        tokens_ = scaled(Tokens{}, pixels());
        ImGui::GetStyle() = make_style(theme_, tokens_);
    }
    if (fonts_too) fonts_ = load_fonts(files_, pixels());
    fonts_changed_ = style_changed_ = false;
    return fonts_too;
}

Look& look() {
    expects(ImGui::GetCurrentContext() != nullptr && ImGui::GetIO().UserData != nullptr,
            "look: the current context has none");
    return *static_cast<Look*>(ImGui::GetIO().UserData);
}

std::string with_icon(const char* icon, std::string_view label) {
    if (!look().fonts().has_icons) return std::string(label);
    return std::string(icon) + "  " + std::string(label);
}

namespace {

constexpr struct {
    Color Palette::*color;
    Color dark, light;
} kColors[] = {{&Palette::window, {0x12141a}, {0xeceff4}},
               {&Palette::surface, {0x191c24}, {0xffffff}},
               {&Palette::raised, {0x272b36}, {0xdfe4ec}},
               {&Palette::raised_hovered, {0x313644}, {0xd3dae5}},
               {&Palette::raised_active, {0x3b4152}, {0xc6cfdc}},
               {&Palette::popup, {0x20242e}, {0xffffff}},
               {&Palette::border, {0x2d323e}, {0xcfd6e1}},
               {&Palette::text, {0xe6e8ee}, {0x1b2030}},
               {&Palette::text_muted, {0xa3a9b8}, {0x4d5668}},
               {&Palette::text_disabled, {0x6f7687}, {0x7d8699}},
               {&Palette::accent, {0x2563d9}, {0x1d5fd6}},
               {&Palette::accent_hovered, {0x2f6be0}, {0x2a68da}},
               {&Palette::accent_active, {0x1d55c0}, {0x174fb5}},
               {&Palette::on_accent, {0xffffff}, {0xffffff}},
               {&Palette::selection, {0x1f3c6e}, {0xc5dafb}},
               {&Palette::danger_tint, {0x3a1f28}, {0xfde8eb}},
               {&Palette::undefined_tint, {0x2f2240}, {0xf3e6fb}},
               {&Palette::warning_tint, {0x352b18}, {0xfdf1d8}},
               {&Palette::success_tint, {0x173026}, {0xe0f5ea}},
               {&Palette::focus_ring, {0x6ea4ff}, {0x1d5fd6}},
               {&Palette::highlight, {0xf5c063, 0.28f}, {0xf5b81f, 0.40f}}};
constexpr decltype(Palette::source) kDarkSource = {
    0xe6e8ee, 0xd3a0f7, 0x75d4c9, 0xf6aa85, 0x8ab4ff, 0xe8cf8a, 0xe899d9, 0xf0b866, 0xa3d98c,
    0xa3d98c, 0x959bab, 0xc3c9d6, 0xff8e9a, 0x959bab, 0x75d4c9, 0xa3d98c, 0xf0b866, 0x959bab};
constexpr decltype(Palette::source) kLightSource = {
    0x1b2030, 0x7a1fa2, 0x0d5e56, 0x9a3a08, 0x1450b8, 0x755200, 0x88197c, 0x7f4600, 0x0f602d,
    0x0f602d, 0x5d677d, 0x3a4256, 0xa8132f, 0x5d677d, 0x0d5e56, 0x0f602d, 0x7f4600, 0x5d677d};

/// Colours with a meaning are those of charts.
Palette make_palette(Theme theme) {
    const bool is_dark = theme == Theme::Dark;
    const plot::Theme& chart = is_dark ? plot::dark_theme() : plot::light_theme();
    const auto from = [](plot::Color color) {
        return Color{static_cast<std::uint32_t>(color.r << 16 | color.g << 8 | color.b)};
    };
    Palette palette;
    for (const auto& [color, dark, light] : kColors) palette.*color = is_dark ? dark : light;
    palette.source = is_dark ? kDarkSource : kLightSource;
    palette.accent_text = from(chart.accent);
    palette.danger = from(chart.bad);
    palette.undefined = from(chart.undefined);
    palette.warning = from(chart.warning);
    palette.success = from(chart.good);
    return palette;
}

}  // namespace

ImVec4 Color::vec() const {
    const auto channel = [this](int shift) { return static_cast<float>(rgb >> shift & 0xff) / 255.0f; };
    return {channel(16), channel(8), channel(0), alpha};
}

ImU32 Color::u32() const {
    return IM_COL32(rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff,
                    static_cast<int>(std::lround(std::clamp(alpha, 0.0f, 1.0f) * 255)));
}

const Palette& palette(Theme theme) {
    static const Palette dark = make_palette(Theme::Dark), light = make_palette(Theme::Light);
    return theme == Theme::Dark ? dark : light;
}

Tokens scaled(const Tokens& tokens, float scale) {
    Tokens result = tokens;
    for (float Tokens::*length :
         {&Tokens::hair, &Tokens::gap_small, &Tokens::gap, &Tokens::gap_large, &Tokens::rounding,
          &Tokens::rounding_card, &Tokens::border, &Tokens::control_padding_x, &Tokens::control_padding_y,
          &Tokens::heading_height, &Tokens::status_height, &Tokens::scrollbar, &Tokens::grip,
          &Tokens::icon_gap})
        result.*length = std::max(1.0f, std::round(tokens.*length * scale));
    return result;
}

ImGuiStyle make_style(Theme theme, const Tokens& tokens) {
    ImGuiStyle style;
    style.WindowPadding = {tokens.gap, tokens.gap};
    style.FramePadding = {tokens.control_padding_x, tokens.control_padding_y};
    style.CellPadding = {tokens.gap_small, tokens.hair};
    style.ItemSpacing = {tokens.gap_small, tokens.gap_small};
    style.ItemInnerSpacing = {tokens.gap_small, tokens.hair};
    style.IndentSpacing = tokens.gap_large;
    style.ScrollbarSize = tokens.scrollbar;
    style.GrabMinSize = tokens.grip;
    style.WindowRounding = style.ChildRounding = style.PopupRounding = tokens.rounding_card;
    style.FrameRounding = style.GrabRounding = tokens.rounding;
    style.ScrollbarRounding = tokens.scrollbar / 2;
    style.WindowBorderSize = style.ChildBorderSize = style.PopupBorderSize = tokens.border;
    style.FrameBorderSize = 0;
    style.DisplaySafeAreaPadding = {tokens.gap_small, tokens.gap_small};

    const Palette& colors = palette(theme);
    const std::pair<int, Color> assigned[] = {
        {ImGuiCol_Text, colors.text},
        {ImGuiCol_TextDisabled, colors.text_disabled},
        {ImGuiCol_WindowBg, colors.window},
        {ImGuiCol_ChildBg, colors.surface},
        {ImGuiCol_PopupBg, colors.popup},
        {ImGuiCol_Border, colors.border},
        {ImGuiCol_BorderShadow, colors.border.with_alpha(0)},
        {ImGuiCol_FrameBg, colors.raised},
        {ImGuiCol_FrameBgHovered, colors.raised_hovered},
        {ImGuiCol_FrameBgActive, colors.raised_active},
        {ImGuiCol_ScrollbarBg, colors.surface.with_alpha(0)},
        {ImGuiCol_ScrollbarGrab, colors.text_disabled.with_alpha(0.55f)},
        {ImGuiCol_ScrollbarGrabHovered, colors.text_disabled.with_alpha(0.8f)},
        {ImGuiCol_ScrollbarGrabActive, colors.text_disabled},
        {ImGuiCol_CheckMark, colors.accent_text},
        {ImGuiCol_SliderGrab, colors.accent},
        {ImGuiCol_SliderGrabActive, colors.accent_hovered},
        {ImGuiCol_Button, colors.raised},
        {ImGuiCol_ButtonHovered, colors.raised_hovered},
        {ImGuiCol_ButtonActive, colors.raised_active},
        {ImGuiCol_Header, colors.selection},
        {ImGuiCol_HeaderHovered, colors.raised_hovered},
        {ImGuiCol_HeaderActive, colors.raised_active},
        {ImGuiCol_Separator, colors.border},
        {ImGuiCol_SeparatorHovered, colors.focus_ring},
        {ImGuiCol_SeparatorActive, colors.focus_ring},
        {ImGuiCol_TableHeaderBg, colors.surface},
        {ImGuiCol_TableBorderStrong, colors.border},
        {ImGuiCol_TableBorderLight, colors.border},
        {ImGuiCol_TextSelectedBg, colors.selection},
        {compat::kColFocusRing, colors.focus_ring},
        {ImGuiCol_ModalWindowDimBg, Color{0x000000, theme == Theme::Dark ? 0.55f : 0.35f}},
    };
    for (const auto& [index, color] : assigned) style.Colors[index] = color.vec();
    return style;
}

}  // namespace kwb::gui
