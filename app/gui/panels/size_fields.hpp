// How large the problem is: a slider over powers of two, and the exact extents.
#pragma once

#include "gui/panels/choices_edit.hpp"

namespace kwb::gui {

/// Extents that are alike move together with the slider; while `linked` is ticked they are typed together,
/// too. Probes: experiment/size/slider, …/linked, …/<extent's name>, …/bytes.
class SizeFields {
public:
    void draw(ChoicesEdit& edit);

private:
    void draw_slider(ChoicesEdit& edit);
    void draw_extents(ChoicesEdit& edit);
    static void draw_bytes(const DeskState& state, bool beside_tick);

    bool linked_ = true;
};

}  // namespace kwb::gui
