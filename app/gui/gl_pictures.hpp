// What OpenGL draws besides the window itself: pictures as textures, and charts as PNG. A context of OpenGL 3
// must be current whenever one of these is used.
#pragma once

#include <cstdint>
#include <map>

#include "gui/chart_export.hpp"
#include "gui/draw_list_canvas.hpp"
#include "gui/look.hpp"

namespace kwb::gui {

class GlTextures : public Textures {
public:
    GlTextures() = default;
    GlTextures(const GlTextures&) = delete;
    GlTextures& operator=(const GlTextures&) = delete;
    ~GlTextures() override;

    ImTextureID texture(const plot::Image& image) override;

    /// Before each frame: those that the last frames did not ask for are given back.
    void begin_frame();

    std::size_t count() const { return kept_.size(); }

private:
    struct Kept {
        unsigned name = 0;
        unsigned long last_used = 0;
    };
    std::map<std::uint64_t, Kept> kept_;  ///< by the picture's key
    unsigned long frame_ = 0;
};

/// A context of OpenGL 3 must be current whenever it is used, within a frame of ImGui or between two. Takes
/// about as long as loading the fonts, for letters are made for the picture's scale.
class GlChartPainter : public ChartPainter {
public:
    explicit GlChartPainter(FontFiles fonts = debian_font_files()) : fonts_(std::move(fonts)) {}

    std::string png(const ChartPicture& picture, float scale) override;

private:
    FontFiles fonts_;
};

}  // namespace kwb::gui
