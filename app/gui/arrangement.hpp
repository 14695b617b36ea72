// SPDX-License-Identifier: Apache-2.0
// Arrangement of the panels (side by side if there is room, otherwise in tabs), the splitters between them,
// and the layouts that the user saves.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "desk/window_settings.hpp"
#include "gui/imgui_compat.hpp"
#include "gui/keys.hpp"

namespace kwb::gui {

enum class Panel { Experiment, Source, Times, Correctness, History, Xray, Tune, Learn, Reasons };
inline constexpr std::size_t kPanels = 9;
inline constexpr std::array<Panel, kPanels> kAllPanels = {Panel::Experiment,  Panel::Source,  Panel::Times,
                                                          Panel::Correctness, Panel::History, Panel::Xray,
                                                          Panel::Tune,        Panel::Learn,   Panel::Reasons};

struct PanelWords {
    std::string_view title;  ///< "Experiment", …: for tabs and menus
    std::string_view name;   ///< "experiment", …: for probes and settings
    const char* icon;
};
const PanelWords& words_of(Panel panel);
inline std::string_view title_of(Panel panel) {
    return words_of(panel).title;
}
inline std::string name_of(Panel panel) {
    return std::string(words_of(panel).name);
}
/// The shortcut that brings the panel to the front and gives it keyboard focus.
Action focus_action(Panel panel);

/// Panels that share an area; more than one are shown as tabs.
struct Area {
    std::string_view name;   ///< in settings and probes
    std::string_view title;  ///< where it is, for menus: "Left"
    std::vector<Panel> panels;
    bool has(Panel panel) const { return std::find(panels.begin(), panels.end(), panel) != panels.end(); }
};

/// Columns from left to right, each with its areas from top to bottom; none is empty.
using Arrangement = std::vector<std::vector<Area>>;

/// @param width, height  available size in pixels at scale 1, because legibility decides
/// @param shown  indexed by Panel: panels that the user has not hidden
/// @param places  by place_key(): the names of the areas to which the user has moved panels; areas that
///                this size does not have are ignored
Arrangement arrange(float width, float height, const std::array<bool, kPanels>& shown,
                    const NamedList<std::string>& places = {});

/// All areas of a window of this size, with their default panels.
std::vector<Area> areas_of(float width, float height);

/// The name of a panel's place in the settings. Each form of the window (four columns, three, …) has its own.
std::string place_key(float width, float height, Panel panel);

/// For an audience: only source, times, reasons, X-ray and correctness; side by side if there is room. While
/// a lesson is taught, its text stands first.
Arrangement arrange_to_present(float width, bool teaches);

struct SplitterOptions {
    bool upright = true;    ///< a vertical bar between left and right; otherwise a horizontal one
    float room = 0;         ///< size of both parts and the bar in pixels
    float least_first = 0;  ///< minimum size of the first part in pixels, without the bar
    float least_second = 0;
    double default_share = 0.5;  ///< position after a double click
};

struct SplitterMove {
    bool moved = false;     ///< it moved in this frame
    bool finished = false;  ///< it was released: the position should be saved
};

/// A splitter that can be dragged over `rect`. With keyboard focus, arrow keys move it by a fiftieth of the
/// room.
/// @param share  position of the bar's centre as a fraction of the room; changed in place, respecting the
///               minimum sizes
SplitterMove splitter(std::string_view id, const ImRect& rect, double& share, const SplitterOptions& options);

/// `share` clamped to respect the minimum sizes; the first part has priority if both do not fit.
double hold_share(double share, const SplitterOptions& options);

/// The current layout of the panels: which are shown, where, how large, and which tab is in front.
PanelLayout layout_of(const Settings& settings);

/// @param layout  {}: the standard one
void apply_layout(Settings& settings, const PanelLayout& layout);

}  // namespace kwb::gui
