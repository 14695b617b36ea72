// How the window looks: one table of distances and two palettes, everything else is made of them.
#pragma once

#include <cstdint>

#include "gui/imgui_compat.hpp"

namespace kwb::gui {

enum class Theme { Dark, Light };

/// 0xRRGGBB and how much of it covers what is below.
struct Color {
    std::uint32_t rgb = 0;
    float alpha = 1;

    ImVec4 vec() const;
    ImU32 u32() const;
    constexpr Color with_alpha(float share) const { return {rgb, share}; }
};

/// Texts (`text`, `text_muted`, `danger`, `warning`, `success`, `accent_text`) reach a contrast of 4.5 : 1 on
/// every surface and on the tints, `on_accent` on all three accents: WCAG 2.1, success criterion 1.4.3 (AA).
struct Palette {
    Color window;   ///< behind everything
    Color surface;  ///< cards and panels
    Color raised;   ///< controls: fields, buttons that are not the main one
    Color raised_hovered;
    Color raised_active;
    Color popup;
    Color border;  ///< around cards; decoration only
    Color text;
    Color text_muted;
    Color text_disabled;  ///< exempt from contrast rules, but still to be read
    Color accent;         ///< the one main button, ticks, sliders
    Color accent_hovered;
    Color accent_active;
    Color on_accent;    ///< text upon accent
    Color accent_text;  ///< links, chosen tabs
    Color selection;    ///< behind selected text and rows
    Color danger;
    Color danger_tint;  ///< surface of a message of this kind, opaque
    Color warning;
    Color warning_tint;
    Color success;
    Color success_tint;
    Color focus_ring;  ///< 3 : 1 on every surface (criterion 1.4.11)
};

const Palette& palette(Theme theme);

/// Distances in pixels at scale 1. A multiple of 4 wherever the eye compares.
struct Tokens {
    float hair = 4;           ///< between an icon and a number
    float gap_small = 8;      ///< between controls that belong together
    float gap = 12;           ///< padding of cards, between groups
    float gap_large = 20;     ///< between sections
    float rounding = 6;       ///< controls
    float rounding_card = 8;  ///< cards and windows
    float border = 1;
    float control_padding_x = 10;
    float control_padding_y = 7;
    float heading_height = 52;
    float status_height = 32;
    float scrollbar = 12;
    float grip = 12;  ///< smallest thing to grab
    float icon_gap = 8;
};

/// Every length times `scale`, rounded to whole pixels, at least 1.
Tokens scaled(const Tokens& tokens, float scale);

/// A fresh ImGui style made of a palette and tokens that are already scaled.
ImGuiStyle make_style(Theme theme, const Tokens& tokens);

/// (L1 + 0.05) / (L2 + 0.05) of the relative luminances, 1 … 21; alpha is not looked at.
/// Source: WCAG 2.1, "contrast ratio" and "relative luminance".
double contrast_ratio(Color one, Color other);

}  // namespace kwb::gui
