// The experiment to run: device, problem, kernels, size, and thoroughness.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/fields.hpp"

namespace kwb::gui {

/// What the parts of the panel share while a frame is drawn.
struct ChoicesEdit {
    const DeskState& state;
    Choices& choices;  ///< a copy of the state's, edited by the user
    Commands& commands;
    Typing& typing;
    std::string& kernel_filter;  ///< typed in the open list of kernels; only one is open at a time
    bool& links_extents;         ///< typing one extent changes all
};

/// Draws into the remaining space of the current window; the choices scroll, Run stays below them.
class ExperimentPanel {
public:
    void draw(const DeskState& state, Commands& commands);

    /// If a field is being edited, its text is accepted in the next frame, as with Enter.
    bool finish_typing() { return typing_.finish(); }
    /// @return  false if a field has invalid text; that field gets keyboard focus
    bool may_run();

private:
    Typing typing_;
    std::string kernel_filter_;
    bool links_extents_ = true;
    float bar_height_ = 0;  ///< of the last frame, pixels
};

// experiment_kernels.cpp

/// One contestant: its colour in the charts, kernel, work-group and parameters, the resulting launch, errors.
/// @param index  index into state.choices.contestants
void draw_contestant(ChoicesEdit& edit, std::size_t index);

/// The list for choosing a kernel, with a filter field: the content of an open combo box or popup. Shows the
/// kernels of `problem` and those whose problem is unknown; if `problem` is empty, all kernels. Enter chooses
/// the kernel of exactly the name that was typed, otherwise the first that matches the filter.
/// @return  the name of the kernel chosen in this frame; the list then closes
std::optional<std::string> pick_kernel(ChoicesEdit& edit, const std::string& id, std::string_view problem,
                                       std::string_view chosen);

// run_bar.cpp

/// Run, Stop, progress, sweep and live.
void draw_run_bar(ChoicesEdit& edit);

/// "Timing tiled, 12 rounds: 3.21 ms (3.18 – 3.26)": the progress; empty if nothing is running.
std::string progress_words(const DeskState& state);

}  // namespace kwb::gui
