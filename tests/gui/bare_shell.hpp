// SPDX-License-Identifier: Apache-2.0
// The frame of the window with nothing but a card and the button for the other theme.
#pragma once

#include <string>

#include "gui/shell.hpp"

namespace kwb::test {

class BareShell : public gui::Shell {
public:
    using Shell::Shell;

protected:
    void draw_body() override {
        const gui::Card card("start", {0, 0});
        if (card.visible)
            gui::empty_state("start/empty", gui::kIconChip, "Nothing has run yet",
                             "Open a kernel with Ctrl+O or drag a .cl file onto the window, then press F5 to "
                             "time and check it.");
    }
    void draw_tools(float room) override {
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - theme_button_width());
        draw_theme_button();
    }
    float tools_width() const override { return theme_button_width(); }
    std::string status() const override { return "Ready"; }
};

}  // namespace kwb::test
