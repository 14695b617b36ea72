#include "gui/arrangement.hpp"

#include <algorithm>

#include "gui/icons.hpp"

namespace kwb::gui {
namespace {

/// Pixels at scale 1: below these three columns, two columns, or two panels above each other are too small.
constexpr float kThreeColumns = 1180;
constexpr float kTwoColumns = 700;
constexpr float kTwoRows = 640;

}  // namespace

std::string_view title_of(Panel panel) {
    constexpr std::string_view kTitles[] = {"Experiment", "Source", "Times", "Correctness", "History"};
    return kTitles[static_cast<std::size_t>(panel)];
}

std::string_view name_of(Panel panel) {
    constexpr std::string_view kNames[] = {"experiment", "source", "times", "correctness", "history"};
    return kNames[static_cast<std::size_t>(panel)];
}

const char* icon_of(Panel panel) {
    constexpr const char* kIcons[] = {kIconChip, kIconCode, kIconBars, kIconGrid, kIconHistory};
    return kIcons[static_cast<std::size_t>(panel)];
}

Action focus_action(Panel panel) {
    return static_cast<Action>(static_cast<int>(Action::GoToExperiment) + static_cast<int>(panel));
}

bool Area::has(Panel panel) const {
    return std::find(panels.begin(), panels.end(), panel) != panels.end();
}

Arrangement arrange(float width, float height, const std::array<bool, kPanels>& shown) {
    using enum Panel;
    Arrangement all;
    if (width >= kThreeColumns && height >= kTwoRows)
        all = {{{"left", {Experiment}}},
               {{"top", {Source}}, {"bottom", {Times}}},
               {{"right", {Correctness, History}}}};
    else if (width >= kThreeColumns)
        all = {{{"left", {Experiment}}}, {{"middle", {Source, Times}}}, {{"right", {Correctness, History}}}};
    else if (width >= kTwoColumns)
        all = {{{"left", {Experiment}}}, {{"main", {Source, Times, Correctness, History}}}};
    else
        all = {{{"only", {Experiment, Source, Times, Correctness, History}}}};
    for (auto& column : all) {
        for (Area& area : column)
            std::erase_if(area.panels, [&](Panel panel) { return !shown[static_cast<std::size_t>(panel)]; });
        std::erase_if(column, [](const Area& area) { return area.panels.empty(); });
    }
    std::erase_if(all, [](const auto& column) { return column.empty(); });
    return all;
}

}  // namespace kwb::gui
