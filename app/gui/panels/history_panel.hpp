// The runs that were kept: find, show, compare, export, forget.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/dialogs/pending_save.hpp"
#include "gui/dialogs/question_dialog.hpp"

namespace kwb::gui {

using WallClock = std::function<std::chrono::system_clock::time_point()>;

/// Draws into the room that is left in the current window. A row shows its run when clicked; the mouse on a
/// row, or the keyboard, brings its buttons. Keys in a row: Enter shows it, C compares, E exports, Delete
/// forgets (after a question).
/// Probes: history/filter, history/this_device, history/this_problem, history/count, history/stop_comparing,
/// history/clear, history/kept, history/row/<run's id> with …/compare (where there is room), …/more; the
/// menu's history/compare, history/export_json, …_csv, …_html, history/forget.
class HistoryPanel {
public:
    /// @param pending  outlives this
    /// @param now      tells today's runs from older ones
    explicit HistoryPanel(PendingSave& pending, WallClock now = std::chrono::system_clock::now);

    void draw(const DeskState& state, Commands& commands);

private:
    void draw_filter(const DeskState& state, Commands& commands);
    void draw_remarks(const DeskState& state, Commands& commands);
    void draw_rows(const DeskState& state, Commands& commands);
    void draw_row(const DeskState& state, const RunSummary& run, Commands& commands);
    void draw_compare_button(const DeskState& state, const RunSummary& run, Commands& commands);
    void draw_menu(const DeskState& state, Commands& commands);
    void open_menu(const RunSummary& run);
    void toggle_comparing(const DeskState& state, const RunSummary& run, Commands& commands);
    void ask_to_forget(const RunSummary& run);

    PendingSave& pending_;
    WallClock now_;
    QuestionDialog question_;
    std::string filter_;         ///< as typed; the state's follows
    bool types_filter_ = false;  ///< the field has the keyboard
    std::int64_t menu_run_ = 0;  ///< that the menu is about
    bool opens_menu_ = false;
};

/// "14:32" if `when` is of the same local day as `now`, "19 Nov" of the same year, else "19 Nov 2024".
std::string short_time(std::chrono::system_clock::time_point when, std::chrono::system_clock::time_point now);

/// "matmul/tiled" and "/home/me/my_tiled.cl": "tiled", "my_tiled".
std::string short_kernel_name(std::string_view kernel);

}  // namespace kwb::gui
