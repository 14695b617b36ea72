// The experiment to run: device, problem, kernels, size, and thoroughness.
#pragma once

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/panels/experiment_parts.hpp"

namespace kwb::gui {

/// Draws into the remaining space of the current window; the choices scroll, Run stays below them.
/// Probes: experiment/device (…/option/<id>, …/driver/<number>), …/facts/<number>, …/no_device,
/// …/find_devices, …/driver_failure/<number>, experiment/problem (…/option/<name>), experiment/contestants,
/// experiment/add (…/filter, …/option/<name>), experiment/open, experiment/seed, experiment/budget,
/// experiment/pages, and those of its parts.
class ExperimentPanel {
public:
    void draw(const DeskState& state, Commands& commands);

    /// If a field is being edited, its text is accepted in the next frame, as with Enter.
    bool finish_typing() { return typing_.finish(); }
    /// @return  false if a field has invalid text; that field gets keyboard focus
    bool may_run();

private:
    void draw_choices(ChoicesEdit& edit);
    void draw_device(ChoicesEdit& edit);
    void draw_device_list(ChoicesEdit& edit, const DeviceList& list);
    void draw_problem(ChoicesEdit& edit);
    void draw_contestants(ChoicesEdit& edit);
    void draw_thoroughness(ChoicesEdit& edit);

    KernelPicker picker_;
    Typing typing_;
    SizeFields size_;
    float bar_height_ = 0;  ///< of the last frame, pixels
};

}  // namespace kwb::gui
