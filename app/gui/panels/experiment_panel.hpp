// SPDX-License-Identifier: Apache-2.0
// The experiment to run: device, problem, kernels, size, and thoroughness.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/dialogs/saving.hpp"
#include "gui/fields.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {

/// The rows of kernels between frames.
struct KernelRows {
    std::optional<std::size_t> open;     ///< the row whose details are shown
    std::optional<std::size_t> dragged;  ///< the row being moved by the mouse
    std::optional<std::size_t> target;   ///< where it would be dropped
    std::size_t count = 0;               ///< of rows in the last frame
    std::string problem;                 ///< in the last frame
};

/// State that the parts of the panel share while a frame is drawn.
struct ChoicesEdit {
    const DeskState& state;
    Experiment& choices;  ///< a copy of the state's, edited by the user
    Commands& commands;
    Typing& typing;
    std::string& kernel_filter;  ///< typed in the open list of kernels; only one is open at a time
    bool& links_extents;         ///< typing one extent changes all
    KernelRows& rows;
    PendingSave& pending;
    Hovered& hovered;
};

/// The choices: the setting and Run in the heading bar, the kernels and everything else in a panel.
class ExperimentPanel {
public:
    /// @param pending, hovered  must outlive this object
    ExperimentPanel(PendingSave& pending, Hovered& hovered) : pending_(pending), hovered_(hovered) {}

    /// Run, Stop, live, progress, device, problem, size and Export, in one line.
    /// @param room  in pixels, at least bar_width()
    void draw_bar(const DeskState& state, Commands& commands, float room);
    /// For an audience: Run or Stop, and the size.
    void draw_short_bar(const DeskState& state, Commands& commands);
    /// Minimum width of the bar without progress and Export, in pixels.
    static float bar_width();

    /// Draws into the remaining space of the current window; the kernels scroll, the sweep stays below them.
    void draw(const DeskState& state, Commands& commands);

    /// Call after both, or whichever was drawn in this frame.
    void end_frame() { typing_.end_frame(); }

    /// If a field is being edited, its text is accepted in the next frame, as with Enter.
    bool finish_typing() { return typing_.finish(); }
    /// @return  false if a field has invalid text; that field gets keyboard focus
    bool may_run();
    /// Whether the refused text is in the heading bar.
    bool refuses_setting() const { return typing_.holds("experiment/size/"); }
    /// Why a field's text was refused: a sentence that names the field; null if none was.
    const std::string* refusal() const { return typing_.refusal(); }

private:
    /// Sends what `draw` changes in a copy of the choices.
    void edit(const DeskState& state, Commands& commands, const std::function<void(ChoicesEdit&)>& draw);
    void draw_panel(ChoicesEdit& edit);

    PendingSave& pending_;
    Hovered& hovered_;
    Typing typing_;
    std::string kernel_filter_;
    bool links_extents_ = true;
    KernelRows rows_;
    float bar_height_ = 0;  ///< of the last frame, pixels
};

// experiment_kernels.cpp

/// The rows of all contestants: the colour in the charts, name, work-group, parameters, verdict. A click
/// shows the details of one, dragging changes the order.
void draw_contestants(ChoicesEdit& edit);

/// The colour slot of each contestant: that of its result in the charts; for the others one that no result
/// has.
std::vector<std::size_t> color_slots(const DeskState& state);

enum class Picking { One, Several };

/// The list for choosing among the kernels of the problem, and those whose problem is unknown, with a filter
/// field: the content of an open combo box or popup. Enter chooses the kernel of exactly the name that was
/// typed, otherwise the first that matches the filter, and closes the list; a click closes it unless several
/// can be picked.
/// @param chosen  the names of the kernels that are chosen already
/// @return  the name of the kernel that was clicked or entered in this frame
std::optional<std::string> pick_kernel(ChoicesEdit& edit, const std::string& id,
                                       const std::vector<std::string>& chosen, Picking picking);

// kernel_row.cpp

/// The row of contestant `index`, and below it its fields if it is open.
/// @param color  its slot among the colours of charts
void draw_kernel_row(ChoicesEdit& edit, std::size_t index, std::size_t color);

/// Moves a contestant to another place; the baseline and the open row stay the same kernels.
void move_contestant(Experiment& choices, KernelRows& rows, std::size_t from, std::size_t to);

/// A contestant with an obstacle, in a word: "incomplete", "unreadable" or "does not fit".
std::string misfit_word(const Preview::Contestant& shown);

// own_kernel_form.cpp

/// The form of a file that does not define its launch: the guesses, and fields to correct them, which
/// correspond to the options of `kwb run`.
/// @param kernel  as in Experiment::Contestant
void draw_own_form(ChoicesEdit& edit, const std::string& id, const std::string& kernel,
                   const Preview::Contestant& shown);

// run_bar.cpp

/// Run, Stop, live and progress.
/// @param progress  room for the progress in pixels; 0: it is not drawn
void draw_run_controls(ChoicesEdit& edit, float progress);
/// Run, or Stop while something is running.
void draw_run_button(ChoicesEdit& edit);
/// Their minimum width without progress, in pixels.
float run_controls_width();

/// How Export is shown, depending on the room.
enum class ExportAs { Words, Icon, Nothing };

/// The choice of a form in which the results are exported.
void draw_export(ChoicesEdit& edit, ExportAs shown);
/// In pixels; 0 for Nothing.
float export_width(ExportAs shown);

/// The sweep's button and its first and last size.
void draw_sweep(ChoicesEdit& edit);

/// Why nothing can run; null if a run is possible.
const std::string* obstacle_of(const ChoicesEdit& edit);

// experiment_setting.cpp

struct SettingWidths {
    float device = 0, problem = 0, size = 0;  ///< in pixels
};

/// Device, problem and size in one line.
void draw_setting(ChoicesEdit& edit, const SettingWidths& widths);

/// Only the size, as wide as its words.
void draw_size_alone(ChoicesEdit& edit);

// run_bar.cpp

/// "Timing tiled (2 of 3), 12 rounds: 3.21 ms (3.18 – 3.26)": the progress; empty if nothing is running.
std::string progress_words(const DeskState& state);

}  // namespace kwb::gui
