// The stored runs: find, show, compare, export, forget.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/dialogs/saving.hpp"
#include "gui/panels/history_parts.hpp"

namespace kwb::gui {

using WallClock = std::function<std::chrono::system_clock::time_point()>;

/// Draws into the remaining space of the current window. A click on a row shows its run; hovering or focusing
/// a row shows its buttons. Keys in a row: Enter shows it, C compares, E exports, Delete forgets it (after a
/// question).
/// Probes: history/filter, history/this_device, history/this_problem, history/count, history/stop_comparing,
/// history/clear, history/kept, and those of the rows and of the menu.
class HistoryPanel {
public:
    /// @param pending  must outlive this object
    /// @param now      separates today's runs from older ones
    explicit HistoryPanel(PendingSave& pending, WallClock now = std::chrono::system_clock::now);

    void draw(const DeskState& state, Commands& commands);

private:
    void draw_filter(const DeskState& state, Commands& commands);
    void draw_remarks(const DeskState& state, Commands& commands);
    void draw_rows(const DeskState& state, Commands& commands);

    HistoryMenu menu_;
    WallClock now_;
    std::string filter_;         ///< as typed; the state's filter follows it
    bool types_filter_ = false;  ///< the field has keyboard focus
};

}  // namespace kwb::gui
