// Where the panels are: side by side where there is room, behind each other where there is little.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gui/key_table.hpp"

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

/// @param width, height  of the room in pixels at scale 1: what is legible counts, not what is fine
/// @param shown          by Panel: those that the person has not hidden
Arrangement arrange(float width, float height, const std::array<bool, kPanels>& shown);

}  // namespace kwb::gui
