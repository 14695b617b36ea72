// The parts of the history panel: the actions on one past run (compare, export, forget), its row, and its
// description.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/dialogs/modal.hpp"
#include "gui/dialogs/saving.hpp"
#include "history/history.hpp"

namespace kwb::gui {

/// Whether this run is shown. A run and a sweep are shown at the same time, in separate tabs.
bool is_shown(const DeskState& state, const RunSummary& run);
bool is_compared(const DeskState& state, const RunSummary& run);
/// Whether the run is not shown, but one of the same kind is; a sweep must be of the same problem.
bool can_be_compared(const DeskState& state, const RunSummary& run);
/// What comparing would do, or what it requires first.
std::string comparing_hint(const DeskState& state, const RunSummary& run);
/// Compares the shown run with this one, or ends the comparison if it is with this one. No effect if they
/// cannot be compared.
void toggle_comparing(const DeskState& state, const RunSummary& run, Commands& commands);

/// Probes: history/compare, history/export_json, …_csv, …_html, history/forget.
class HistoryMenu {
public:
    /// @param pending  must outlive this object
    explicit HistoryMenu(PendingSave& pending) : pending_(pending) {}

    /// Call once a frame, after the rows.
    void draw(const DeskState& state, std::chrono::system_clock::time_point now, Commands& commands);

    void open_for(const RunSummary& run);
    bool is_open_for(const RunSummary& run) const;
    void ask_to_forget(const RunSummary& run);

private:
    void draw_exports(const RunSummary& run, Commands& commands);

    PendingSave& pending_;
    QuestionDialog question_;
    std::int64_t run_ = 0;  ///< the run of the menu
    bool opens_ = false;
};

/// In pixels; the same for all rows.
float history_row_height();

/// Uses the full width. A click shows the run; hovering or focusing the row shows its buttons.
/// Probes: history/row/<run's id> with …/compare (if there is room), …/more.
void draw_history_row(const DeskState& state, const RunSummary& run,
                      std::chrono::system_clock::time_point now, HistoryMenu& menu, Commands& commands);

/// "14:32" if `when` is on the same local day as `now`, "19 Nov" in the same year, otherwise "19 Nov 2024".
std::string short_time(std::chrono::system_clock::time_point when, std::chrono::system_clock::time_point now);

/// "19 November 2026, 14:32"
std::string long_time(std::chrono::system_clock::time_point when);

/// "tiled" for "matmul/tiled", "my_tiled" for "/home/me/my_tiled.cl".
std::string short_kernel_name(std::string_view kernel);

/// "512"; for a sweep "16 to 512".
std::string sizes_of(const RunSummary& run);

/// "421 µs", the best time of the correct kernels, or "no time"; for a sweep "6 sizes".
std::string outcome_of(const RunSummary& run);
bool has_time(const RunSummary& run);

/// All facts about a run, one per line, for its tooltip.
std::string details_of(const RunSummary& run);

/// The proposed file name: "matmul-512-2026-11-19", "matmul-sweep-16-to-512-2026-11-19".
std::string export_name(const RunSummary& run);

}  // namespace kwb::gui
