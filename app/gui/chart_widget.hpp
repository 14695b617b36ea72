// SPDX-License-Identifier: Apache-2.0
// A chart in a panel: hovering, mouse wheel, dragging, keyboard, and a menu.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "desk/command.hpp"
#include "gui/dialogs/saving.hpp"
#include "gui/imgui_compat.hpp"
#include "gui/widgets.hpp"
#include "plot/draw.hpp"
#include "plot/layout.hpp"

namespace kwb::gui {

/// A chart as shown to the user.
struct ChartPicture {
    plot::Chart chart;
    plot::ChartView view;
    plot::Size size{720, 420};  ///< at scale 1
    bool dark = false;
};

/// Renders a chart as the bytes of a PNG file; empty if that failed.
using PaintPng = std::function<std::string(const ChartPicture&)>;

/// Puts the bytes of a PNG file into the desktop's clipboard.
/// @return  why that failed, a sentence; empty if it did not
using CopyPng = std::function<std::string(std::string)>;

enum class PictureForm { Svg, Png };

/// Exports charts to files and to the clipboard. The window has one.
class ChartExports {
public:
    /// @param pending  must outlive this object
    /// @param paint    empty: PNG is not offered
    /// @param copy     empty: pictures are not copied
    explicit ChartExports(PendingSave& pending, PaintPng paint = {}, CopyPng copy = {})
        : pending_(&pending), paint_(std::move(paint)), copy_(std::move(copy)) {}

    bool can_paint() const { return paint_ != nullptr; }
    bool can_copy() const { return paint_ != nullptr && copy_ != nullptr; }

    /// Puts the picture into the clipboard, as PNG. If that fails, a notice gives the reason.
    void copy(const ChartPicture& picture, Commands& commands);

    /// Renders the picture immediately, because a run may continue while the user chooses a file; then asks
    /// for the destination.
    /// @param name  proposed file name without extension
    void ask(const ChartPicture& picture, PictureForm form, std::string_view name, Commands& commands);

private:
    PendingSave* pending_;
    PaintPng paint_;
    CopyPng copy_;
};

/// Converts any text to a file name: letters, digits and single hyphens; "chart" if nothing is left.
std::string file_name_of(std::string_view text);

struct ChartOptions {
    ImVec2 size = {0, 0};   ///< in pixels; 0: all available space
    bool notes = true;      ///< false: the notes are shown elsewhere; a saved picture has them anyway
    std::string file_name;  ///< proposed name when it is saved, without extension
    /// Changed by a tick in the corner: whether the axis of the values is logarithmic; null: there is no
    /// tick.
    bool* logarithmic = nullptr;
    Hovered* hovered =
        nullptr;  ///< lights up series of its kernel, and learns which is pointed at; may be null
    /// Adds lines to the tooltip of the mark under the pointer; may be empty.
    std::function<void(const plot::Hover&, std::vector<std::string>&)> tell_more;
};

/// Keeps the view (zoom, hidden series) of one chart while its data changes. It also caches the layout as
/// long as data, view, size and scale stay the same, so that most frames only draw.
///
/// Ctrl and the wheel zoom at the pointer, the wheel without Ctrl scrolls the panel; dragging pans, a double
/// click shows everything, a click on a legend entry toggles its series, pointing at a kernel lights it up; a
/// right click, or the button in the corner, opens the menu. With keyboard focus: + and - zoom, Home shows
/// everything, arrows pan a zoomed chart (otherwise they move to the next widget).
class ChartWidget {
public:
    /// @param id  unique in the window, "times/chart"
    /// @param chart_key  must change with the chart or its data: the cached layout depends on it
    void draw(std::string_view id, const plot::Chart& chart, std::uint64_t chart_key,
              const ChartOptions& options, ChartExports& exports, Commands& commands);

    const plot::ChartView& view() const { return view_; }
    /// Resets the zoom, when the next data is about something else.
    void fit() { view_.fit(); }
    /// The layout of the last frame.
    const plot::ChartLayout& layout() const { return layout_; }
    /// Number of layouts computed, for tests.
    unsigned long layouts_made() const { return layouts_made_; }

private:
    struct LaidOut {
        std::uint64_t chart_key = 0;
        plot::Frame frame;
        plot::ChartView view;
        friend bool operator==(const LaidOut&, const LaidOut&) = default;
    };
    /// @param corner_px  width of the controls in the upper right corner
    void lay_out(const plot::Chart& chart, std::uint64_t chart_key, bool notes, float corner_px,
                 const plot::Canvas& canvas);
    void act_on_pointer(plot::Point at, bool hovered, bool held, bool clicked);
    void act_on_keys();
    void draw_menu(const std::string& id, const plot::Chart& chart, const ChartOptions& options,
                   ChartExports& exports, Commands& commands);

    plot::ChartView view_;
    plot::ChartLayout layout_;
    std::optional<LaidOut> laid_out_;
    unsigned long layouts_made_ = 0;
    ImVec2 size_ = {0, 0};  ///< size in the last frame, pixels
    bool drags_ = false;    ///< the pointer has moved since the button was pressed
};

}  // namespace kwb::gui
