// SPDX-License-Identifier: Apache-2.0
// An ImGui context with the workbench's fonts, colours, spacing and probes. All sizes and colours derive from
// one table of distances and two palettes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "desk/window_settings.hpp"
#include "editor/highlight.hpp"
#include "gui/fonts.hpp"
#include "gui/imgui_compat.hpp"
#include "gui/probe.hpp"
#include "gui/tab_order.hpp"
#include "plot/canvas.hpp"

namespace kwb::gui {

/// The texture of a cell picture, valid for this frame; sampled with nearest neighbour, so that cells have
/// sharp borders.
using TextureOf = std::function<ImTextureID(const plot::Image&)>;

using kwb::Theme;

/// 0xRRGGBB and an opacity.
struct Color {
    std::uint32_t rgb = 0;
    float alpha = 1;

    ImVec4 vec() const;
    ImU32 u32() const;
    constexpr Color with_alpha(float share) const { return {rgb, share}; }
};

/// Text colours (`text`, `text_muted`, `danger`, `undefined`, `warning`, `success`, `accent_text`) have a
/// contrast of at least 4.5 : 1 on every surface and tint, `on_accent` on all three accents: WCAG 2.1,
/// success criterion 1.4.3 (AA).
struct Palette {
    Color window;   ///< window background
    Color surface;  ///< cards and panels
    Color raised;   ///< controls: fields, secondary buttons
    Color raised_hovered;
    Color raised_active;
    Color popup;
    Color border;  ///< around cards; decoration only
    Color text;
    Color text_muted;
    Color text_disabled;  ///< exempt from the contrast requirement, but still readable
    Color accent;         ///< the primary button, check marks, sliders
    Color accent_hovered;
    Color accent_active;
    Color on_accent;    ///< text on accent
    Color accent_text;  ///< links, selected tabs
    Color selection;    ///< background of selected text and rows
    Color danger;
    Color danger_tint;  ///< opaque background of a message of this kind
    Color undefined;    ///< a result that OpenCL does not define
    Color undefined_tint;
    Color warning;
    Color warning_tint;
    Color success;
    Color success_tint;
    Color focus_ring;  ///< 3 : 1 on every surface (criterion 1.4.11)
    Color highlight;   ///< background of lines and words that belong to the item under the pointer
    /// By editor::SpanKind. Comments and errors, which a word's text does not reveal, differ from everything
    /// else also with protanopia, deuteranopia and tritanopia.
    std::array<std::uint32_t, static_cast<std::size_t>(editor::SpanKind::FrontComment) + 1> source{};
};

const Palette& palette(Theme theme);

/// Distances in pixels at scale 1; visible distances are multiples of 4.
struct Tokens {
    float hair = 4;           ///< between an icon and a number
    float gap_small = 8;      ///< between related controls
    float gap = 12;           ///< padding of cards, between groups
    float gap_large = 20;     ///< between sections
    float rounding = 6;       ///< controls
    float rounding_card = 8;  ///< cards and windows
    float border = 1;
    float control_padding_x = 8;
    float control_padding_y = 7;  ///< with a line of text of 14, a control is 28 high
    float heading_height = 52;
    float status_height = 32;
    float scrollbar = 12;
    float grip = 12;  ///< minimum size of a draggable element
    float icon_gap = 8;
};

/// Every length multiplied by `scale`, rounded to whole pixels, at least 1.
Tokens scaled(const Tokens& tokens, float scale);

/// A new ImGui style from a palette and scaled tokens.
ImGuiStyle make_style(Theme theme, const Tokens& tokens);

inline constexpr float kLeastScale = 0.75f;
inline constexpr float kMostScale = 2.5f;

struct LookOptions {
    FontFiles fonts = debian_font_files();
    Theme theme = Theme::Dark;
    float scale = 1;          ///< chosen by the user, kLeastScale … kMostScale
    float content_scale = 1;  ///< the monitor's
    bool probes = false;
};

/// Owns the context. Changes take effect in apply(), which the loop calls between frames.
class Look {
public:
    /// Creates the context, makes it current and loads the fonts.
    explicit Look(const LookOptions& options = {});
    Look(const Look&) = delete;
    Look& operator=(const Look&) = delete;
    ~Look() { ImGui::DestroyContext(context_); }

    const Palette& colors() const { return gui::palette(theme_); }
    const Tokens& tokens() const { return tokens_; }
    const Fonts& fonts() const { return fonts_; }
    Probes& probes() { return probes_; }
    TabOrder& tab_order() { return tab_order_; }

    TextureOf texture_of;  ///< set by the renderer; empty if nothing is rendered

    Theme theme() const { return theme_; }
    void set_theme(Theme theme);

    /// The user's scale, kLeastScale … kMostScale.
    float scale() const { return scale_; }
    /// Clamped to the allowed range; NaN becomes 1.
    void set_scale(float scale);
    /// Moves to the next step up (+1) or down (-1) of 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.25, 2.5.
    void step_scale(int direction);
    void set_content_scale(float scale);
    /// Pixels per token pixel: the user's scale times the monitor's.
    float pixels() const { return scale_ * content_scale_; }

    /// Where the answer is on the screen, which no tooltip covers; of the last frame that drew it.
    const ImRect& answer() const { return answer_; }
    void set_answer(const ImRect& rect) { answer_ = rect; }

    /// Requests another frame, for content that changes without input. Call while a frame is drawn.
    void want_frame() { wants_frame_ = true; }
    /// Call once after each frame: returns whether another one was requested, and resets the request.
    bool take_frame_request() { return std::exchange(wants_frame_, false); }

    /// Applies the requested changes.
    /// @return  true if the fonts were reloaded, so that their texture must be rebuilt
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
    ImRect answer_;
    Tokens tokens_;
    Fonts fonts_;
    Probes probes_;
    TabOrder tab_order_;
};

/// The look of the current context. @throws ContractError  if it was not created by a Look
Look& look();

inline const Palette& colors() {
    return look().colors();
}
inline const Tokens& tokens() {
    return look().tokens();
}
inline const Fonts& fonts() {
    return look().fonts();
}

}  // namespace kwb::gui
