// The runs that were kept: find, show, compare, export, forget.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/dialogs/saving.hpp"
#include "gui/panels/history_menu.hpp"

namespace kwb::gui {

using WallClock = std::function<std::chrono::system_clock::time_point()>;

/// Draws into the room that is left in the current window. A row shows its run when clicked; the mouse on a
/// row, or the keyboard, brings its buttons. Keys in a row: Enter shows it, C compares, E exports, Delete
/// forgets (after a question).
/// Probes: history/filter, history/this_device, history/this_problem, history/count, history/stop_comparing,
/// history/clear, history/kept, and those of the rows and of the menu.
class HistoryPanel {
public:
    /// @param pending  outlives this
    /// @param now      separates today's runs from older ones
    explicit HistoryPanel(PendingSave& pending, WallClock now = std::chrono::system_clock::now);

    void draw(const DeskState& state, Commands& commands);

private:
    void draw_filter(const DeskState& state, Commands& commands);
    void draw_remarks(const DeskState& state, Commands& commands);
    void draw_rows(const DeskState& state, Commands& commands);

    HistoryMenu menu_;
    WallClock now_;
    std::string filter_;         ///< as typed; the state's follows
    bool types_filter_ = false;  ///< the field has the keyboard
};

}  // namespace kwb::gui
