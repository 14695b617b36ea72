// OpenGL resources other than the window: textures of pictures, and charts rendered to PNG. An OpenGL 3
// context must be current during every call.
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

    /// Call before each frame; deletes textures that the last frames did not use.
    void begin_frame();

    std::size_t count() const { return kept_.size(); }

private:
    struct Kept {
        unsigned name = 0;
        unsigned long last_used = 0;
    };
    std::map<std::uint64_t, Kept> kept_;  ///< by picture key
    unsigned long frame_ = 0;
};

/// An OpenGL 3 context must be current during each call, within an ImGui frame or between two. A call takes
/// about as long as loading the fonts, because glyphs are rasterized for the picture's scale.
class GlChartPainter : public ChartPainter {
public:
    explicit GlChartPainter(FontFiles fonts = debian_font_files()) : fonts_(std::move(fonts)) {}

    std::string png(const ChartPicture& picture, float scale) override;

private:
    FontFiles fonts_;
};

}  // namespace kwb::gui
