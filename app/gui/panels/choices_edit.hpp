// What the parts of the experiment panel share while a frame is drawn.
#pragma once

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/fields.hpp"
#include "gui/panels/kernel_picker.hpp"

namespace kwb::gui {

struct ChoicesEdit {
    const DeskState& state;
    Choices& choices;  ///< a copy of the state's, changed by the person
    Commands& commands;
    KernelPicker& picker;
    Typing& typing;
};

}  // namespace kwb::gui
