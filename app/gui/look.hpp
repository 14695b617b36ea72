// An ImGui context with the workbench's fonts, colours, distances and probes.
#pragma once

#include <utility>

#include "gui/fonts.hpp"
#include "gui/probe.hpp"
#include "gui/tab_order.hpp"
#include "gui/textures.hpp"
#include "gui/theme.hpp"

namespace kwb::gui {

inline constexpr float kLeastScale = 0.75f;
inline constexpr float kMostScale = 2.5f;

struct LookOptions {
    FontFiles fonts = debian_font_files();
    Theme theme = Theme::Dark;
    float scale = 1;          ///< the person's wish, kLeastScale … kMostScale
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

    /// Null where nothing is rendered; whoever renders sets it, and outlives this.
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

    /// Said while a frame is drawn: what it shows goes on moving without the person's doing.
    void want_frame() { wants_frame_ = true; }
    /// Asked once after each frame.
    bool take_frame_wish() { return std::exchange(wants_frame_, false); }

    /// Make wished changes real.
    /// @return  true if the fonts were loaded anew, so that their picture has to be made anew
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
