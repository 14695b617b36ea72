// Saving a chart as a file: SVG from plot, PNG from a painter.
#pragma once

#include <string>
#include <string_view>

#include "desk/command.hpp"
#include "gui/dialogs/saving.hpp"
#include "plot/chart.hpp"
#include "plot/geometry.hpp"
#include "plot/view.hpp"

namespace kwb::gui {

/// A chart as a person sees it.
struct ChartPicture {
    plot::Chart chart;
    plot::ChartView view;
    plot::Size size{720, 420};  ///< at scale 1
    bool dark = false;
};

/// Renders charts as PNG, where there is an OpenGL context.
class ChartPainter {
public:
    virtual ~ChartPainter() = default;

    /// @param scale  pixels of the picture for one of its size, 0.5 … 4; letters are made for it
    /// @return  the bytes of a PNG file; empty if it could not be rendered
    virtual std::string png(const ChartPicture& picture, float scale) = 0;
};

enum class PictureForm { Svg, Png };

/// Makes files of charts. One for the window.
class ChartExports {
public:
    /// @param pending  outlives this
    /// @param painter  null: PNG is not offered
    explicit ChartExports(PendingSave& pending, ChartPainter* painter = nullptr)
        : pending_(pending), painter_(painter) {}

    bool can_paint() const { return painter_ != nullptr; }

    /// Make the picture as it is now, for a run goes on while the person chooses a file, and ask where to.
    /// @param name  proposed, without extension
    void ask(const ChartPicture& picture, PictureForm form, std::string_view name, Commands& commands);

private:
    PendingSave& pending_;
    ChartPainter* painter_;
};

/// A name for a file made of any text: letters, digits and single hyphens, "chart" if nothing is left.
std::string file_name_of(std::string_view text);

}  // namespace kwb::gui
