// SPDX-License-Identifier: Apache-2.0
// The stored runs: find, show, compare, export, forget.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/dialogs/modal.hpp"
#include "gui/dialogs/saving.hpp"
#include "store/history.hpp"

namespace kwb::gui {

using Moment = std::chrono::system_clock::time_point;
using WallClock = std::function<Moment()>;

/// The actions on one past run: compare, export, forget.
class HistoryMenu {
public:
    /// @param pending  must outlive this object
    explicit HistoryMenu(PendingSave& pending) : pending_(pending) {}

    /// Call once a frame, after the rows.
    void draw(const DeskState& state, Moment now, Commands& commands);

    void open_for(const RunSummary& run);
    bool is_open_for(const RunSummary& run) const;
    void ask_to_forget(const RunSummary& run);

private:
    PendingSave& pending_;
    QuestionDialog question_;
    std::int64_t run_ = 0;  ///< the run of the menu
    bool opens_ = false;
};

/// Draws into the remaining space of the current window. A click on a row shows its run; hovering or focusing
/// a row shows its buttons. Keys in a row: Enter shows it, C compares, E exports, Delete forgets it (after a
/// question).
class HistoryPanel {
public:
    /// @param pending  must outlive this object
    /// @param now      separates today's runs from older ones
    explicit HistoryPanel(PendingSave& pending, WallClock now = std::chrono::system_clock::now)
        : menu_(pending), now_(std::move(now)) {}

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

/// What can be done with a past run, as far as comparing goes.
struct Comparing {
    bool shown = false;     ///< a run and a sweep are shown at the same time, in separate tabs
    bool compared = false;  ///< the shown run is compared with this one
    bool possible = false;  ///< something of the same kind is shown, a sweep of the same problem
    std::string hint;       ///< what comparing would do, or what it requires first
};
Comparing comparing(const DeskState& state, const RunSummary& run);
/// Compares the shown run with this one, or ends the comparison if it is with this one. No effect if they
/// cannot be compared.
void toggle_comparing(const DeskState& state, const RunSummary& run, Commands& commands);

// history_row.cpp

/// In pixels; the same for all rows.
float history_row_height();

/// Uses the full width. A click shows the run; hovering or focusing the row shows its buttons.
void draw_history_row(const DeskState& state, const RunSummary& run, Moment now, HistoryMenu& menu,
                      Commands& commands);

/// "14:32" if `when` is on the same local day as `now`, "19 Nov" in the same year, otherwise "19 Nov 2024".
std::string short_time(Moment when, Moment now);

/// "512"; for a sweep "16 to 512".
std::string sizes_of(const RunSummary& run);

}  // namespace kwb::gui
