// An ImGui context with the workbench's fonts, colours, distances and probes: one table of distances and two
// palettes, everything else is made of them.
#pragma once

#include <cstdint>
#include <utility>

#include "gui/fonts.hpp"
#include "gui/imgui_compat.hpp"
#include "gui/probe.hpp"
#include "gui/tab_order.hpp"

namespace kwb::gui {

class Textures;

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
    Color window;   ///< the ground of everything
    Color surface;  ///< cards and panels
    Color raised;   ///< controls: fields, buttons that are not the main one
    Color raised_hovered;
    Color raised_active;
    Color popup;
    Color border;  ///< around cards; decoration only
    Color text;
    Color text_muted;
    Color text_disabled;  ///< exempt from contrast rules, but still readable
    Color accent;         ///< the one main button, ticks, sliders
    Color accent_hovered;
    Color accent_active;
    Color on_accent;    ///< text upon accent
    Color accent_text;  ///< links, chosen tabs
    Color selection;    ///< the ground of selected text and rows
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

inline constexpr float kLeastScale = 0.75f;
inline constexpr float kMostScale = 2.5f;

struct LookOptions {
    FontFiles fonts = debian_font_files();
    Theme theme = Theme::Dark;
    float scale = 1;          ///< chosen by the person, kLeastScale … kMostScale
    float content_scale = 1;  ///< the monitor's
    bool probes = false;
};

/// Owns the context. Changes wait until apply(), which the loop calls between frames.
class Look {
public:
    /// Creates the context, makes it current and loads the fonts.
    explicit Look(const LookOptions& options = {});
    Look(const Look&) = delete;
    Look& operator=(const Look&) = delete;
    ~Look();

    const Palette& colors() const { return gui::palette(theme_); }
    const Tokens& tokens() const { return tokens_; }
    const Fonts& fonts() const { return fonts_; }
    Probes& probes() { return probes_; }
    TabOrder& tab_order() { return tab_order_; }

    /// Null where nothing is rendered. The renderer sets it, and outlives this.
    Textures* textures() const { return textures_; }
    void set_textures(Textures* textures) { textures_ = textures; }

    Theme theme() const { return theme_; }
    void set_theme(Theme theme);

    /// What the person chose, kLeastScale … kMostScale.
    float scale() const { return scale_; }
    /// Clamped to what is allowed; NaN is 1.
    void set_scale(float scale);
    /// The next step up (+1) or down (-1) of 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.25, 2.5.
    void step_scale(int direction);
    void set_content_scale(float scale);
    /// Pixels of one token pixel: the person's scale times the monitor's.
    float pixels() const { return scale_ * content_scale_; }

    /// Call while a frame is drawn whose content moves on without input.
    void want_frame() { wants_frame_ = true; }
    /// Call once after each frame: was another one wanted?
    bool take_frame_wish() { return std::exchange(wants_frame_, false); }

    /// Apply the requested changes.
    /// @return  true if the fonts were reloaded, so that their texture has to be rebuilt
    bool apply();

private:
    FontFiles files_;
    ImGuiContext* context_ = nullptr;
    Theme theme_;
    float scale_;
    float content_scale_;
    bool style_changed_ = true;
    bool fonts_changed_ = true;
    bool wants_frame_ = false;
    Tokens tokens_;
    Fonts fonts_;
    Probes probes_;
    TabOrder tab_order_;
    Textures* textures_ = nullptr;
};

/// The look of the current context. @throws ContractError if no Look made it
Look& look();

}  // namespace kwb::gui
