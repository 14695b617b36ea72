// Where the panels are, side by side where there is room and in tabs where there is little, and the bars
// between them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gui/imgui_compat.hpp"
#include "gui/keys.hpp"

namespace kwb::gui {

enum class Panel { Experiment, Source, Times, Correctness, History };
inline constexpr std::size_t kPanels = 5;
inline constexpr std::array<Panel, kPanels> kAllPanels = {Panel::Experiment, Panel::Source, Panel::Times,
                                                          Panel::Correctness, Panel::History};

/// "Experiment", …: on tabs and in menus.
std::string_view title_of(Panel panel);
/// "experiment", …: in probes and settings.
std::string_view name_of(Panel panel);
const char* icon_of(Panel panel);
/// The key that brings it to the front and gives it the keyboard.
Action focus_action(Panel panel);

/// Panels that share a place; with more than one there are tabs.
struct Area {
    std::string_view name;
    std::vector<Panel> panels;
    bool has(Panel panel) const;
};

/// Columns from the left, areas of a column from above; none of them is empty.
using Arrangement = std::vector<std::vector<Area>>;

/// @param width, height  of the room in pixels at scale 1, because what matters is what is legible
/// @param shown          by Panel: those that the person has not hidden
Arrangement arrange(float width, float height, const std::array<bool, kPanels>& shown);

struct SplitterOptions {
    bool upright = true;    ///< between left and right; else between above and below
    float room = 0;         ///< of both parts and the bar, pixels
    float least_first = 0;  ///< pixels of the first part, the bar not counted
    float least_second = 0;
    double default_share = 0.5;  ///< where a double click puts it
};

struct SplitterMove {
    bool moved = false;     ///< in this frame
    bool finished = false;  ///< it was released: worth keeping
};

/// Draggable over `rect`; with the keyboard on it, arrow keys move it by a fiftieth of the room.
/// @param share  of the room, at the bar's middle; changed in place, within what the least sizes allow
SplitterMove splitter(std::string_view id, const ImRect& rect, double& share, const SplitterOptions& options);

/// `share` within what the least sizes allow; the first part wins where both do not fit.
double hold_share(double share, const SplitterOptions& options);

}  // namespace kwb::gui
