// What can be done with one past run: compare, export, forget.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/dialogs/modal.hpp"
#include "gui/dialogs/saving.hpp"

namespace kwb::gui {

/// Is this run the one shown? A run and a sweep are shown at the same time, in separate tabs.
bool is_shown(const DeskState& state, const RunSummary& run);
bool is_compared(const DeskState& state, const RunSummary& run);
/// Not the one shown, but something of its kind is; a sweep, of the same problem.
bool can_be_compared(const DeskState& state, const RunSummary& run);
/// What comparing would do, or what it needs first.
std::string comparing_hint(const DeskState& state, const RunSummary& run);
/// Compare the shown run with this one, or with none if it is the one; nothing where that makes no sense.
void toggle_comparing(const DeskState& state, const RunSummary& run, Commands& commands);

/// Probes: history/compare, history/export_json, …_csv, …_html, history/forget.
class HistoryMenu {
public:
    /// @param pending  outlives this
    explicit HistoryMenu(PendingSave& pending) : pending_(pending) {}

    /// Once a frame, after the rows.
    void draw(const DeskState& state, std::chrono::system_clock::time_point now, Commands& commands);

    void open_for(const RunSummary& run);
    bool is_open_for(const RunSummary& run) const;
    void ask_to_forget(const RunSummary& run);

private:
    void draw_exports(const RunSummary& run, Commands& commands);

    PendingSave& pending_;
    QuestionDialog question_;
    std::int64_t run_ = 0;  ///< that the menu is about
    bool opens_ = false;
};

}  // namespace kwb::gui
