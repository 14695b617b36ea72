// Saving a chart to a file: SVG from plot, PNG from a painter.
#pragma once

#include <string>
#include <string_view>

#include "desk/command.hpp"
#include "gui/dialogs/saving.hpp"
#include "plot/chart.hpp"
#include "plot/geometry.hpp"
#include "plot/layout.hpp"

namespace kwb::gui {

/// A chart as shown to the user.
struct ChartPicture {
    plot::Chart chart;
    plot::ChartView view;
    plot::Size size{720, 420};  ///< at scale 1
    bool dark = false;
};

/// Renders charts as PNG; needs an OpenGL context.
class ChartPainter {
public:
    virtual ~ChartPainter() = default;

    /// @param scale  pixels of the picture per unit of its size, 0.5 … 4; text is rasterized at that scale
    /// @return  the bytes of a PNG file; empty if rendering failed
    virtual std::string png(const ChartPicture& picture, float scale) = 0;
};

enum class PictureForm { Svg, Png };

/// Exports charts to files. The window has one.
class ChartExports {
public:
    /// @param pending  must outlive this object
    /// @param painter  null: PNG is not offered
    explicit ChartExports(PendingSave& pending, ChartPainter* painter = nullptr)
        : pending_(pending), painter_(painter) {}

    bool can_paint() const { return painter_ != nullptr; }

    /// Renders the picture immediately, because a run may continue while the user chooses a file; then asks
    /// for the destination.
    /// @param name  proposed file name without extension
    void ask(const ChartPicture& picture, PictureForm form, std::string_view name, Commands& commands);

private:
    PendingSave& pending_;
    ChartPainter* painter_;
};

/// Converts any text to a file name: letters, digits and single hyphens; "chart" if nothing is left.
std::string file_name_of(std::string_view text);

}  // namespace kwb::gui
