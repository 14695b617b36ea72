// Keeping a chart as a file: SVG from plot, PNG from whoever can render.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "desk/command.hpp"
#include "plot/chart.hpp"
#include "plot/geometry.hpp"
#include "plot/view.hpp"

namespace kwb::gui {

/// A chart as a person sees it: a copy, because a run goes on while the file dialog is open.
struct ChartPicture {
    plot::Chart chart;
    plot::ChartView view;
    plot::Size size{720, 420};  ///< at scale 1
    bool dark = false;
};

/// Renders charts where there is something to render with.
class ChartPainter {
public:
    virtual ~ChartPainter() = default;

    /// @param scale  pixels of the picture for one of its size, 0.5 … 4; letters are made for it
    /// @return  the bytes of a PNG file; empty if it could not be rendered
    virtual std::string png(const ChartPicture& picture, float scale) = 0;
};

enum class PictureForm { Svg, Png };

/// What is to be written as soon as a person has chosen a file. One for the window: panels ask, and who shows
/// the file dialog finishes it.
class ChartExports {
public:
    /// @param painter  null: PNG is not offered
    explicit ChartExports(ChartPainter* painter = nullptr) : painter_(painter) {}

    bool can_paint() const { return painter_ != nullptr; }

    /// Remember the picture and open the file dialog.
    /// @param name  proposed, without extension
    void ask(ChartPicture picture, PictureForm form, std::string_view name, Commands& commands);

    /// Is this dialog the one that was opened for a picture? Then its end is finish().
    bool is_for(const FolderListing& dialog) const;

    /// A file was chosen: make the bytes and have them written. Without a picture that waits nothing happens.
    /// Closing is the dialog's affair. The extension is added where it is missing.
    void finish(std::filesystem::path path, Commands& commands);

private:
    struct Waiting {
        ChartPicture picture;
        PictureForm form;
    };
    ChartPainter* painter_;
    std::optional<Waiting> waiting_;
};

/// ".svg", ".png"
std::string extension(PictureForm form);

/// A name for a file made of any text: letters, digits and single hyphens, "chart" if nothing is left.
std::string file_name_of(std::string_view text);

}  // namespace kwb::gui
