// Charts as PNG, rendered by OpenGL beside the window.
#pragma once

#include "gui/chart_export.hpp"
#include "gui/look.hpp"

namespace kwb::gui {

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
