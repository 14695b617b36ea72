// What the dialogs have in common.
#pragma once

#include "gui/imgui_compat.hpp"

namespace kwb::gui {

/// A modal popup in the middle of the window: `Modal modal("files", size); if (modal.visible) …`.
/// It is open as long as one is made in each frame, from the same place of the program.
class Modal {
public:
    /// @param size  pixels, cut to the window's; height 0: as high as what is in it
    Modal(const char* id, ImVec2 size);
    Modal(const Modal&) = delete;
    Modal& operator=(const Modal&) = delete;
    ~Modal();

    /// The last frame in which it is drawn.
    static void close() { ImGui::CloseCurrentPopup(); }

    const bool visible;
};

/// Is any dialog in front of the window? Then keys of the window are not for it.
bool modal_is_open();

}  // namespace kwb::gui
