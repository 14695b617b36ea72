// What is to be run: device, problem, kernels, size, and how thoroughly.
#pragma once

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/panels/choices_edit.hpp"
#include "gui/panels/size_fields.hpp"

namespace kwb::gui {

/// Draws into the room that is left in the current window; what is chosen scrolls, Run stays below it.
/// Probes: experiment/device (…/option/<id>, …/driver/<number>), …/facts/<number>, …/no_device,
/// …/find_devices, …/driver_failure/<number>, experiment/problem (…/option/<name>), experiment/contestants,
/// experiment/add (…/filter, …/option/<name>), experiment/open, experiment/seed, experiment/budget,
/// experiment/pages, and those of its parts.
class ExperimentPanel {
public:
    void draw(const DeskState& state, Commands& commands);

    /// If a field is being edited, its text is taken in the next frame, as Enter would.
    bool finish_typing() { return typing_.finish(); }
    /// @return  false: a field holds what cannot be taken; it gets the keyboard
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
