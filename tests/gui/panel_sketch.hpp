// SPDX-License-Identifier: Apache-2.0
// A single panel, with a record of the commands that it gave.
#pragma once

#include <optional>
#include <utility>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/look.hpp"
#include "gui/widgets.hpp"
#include "gui/window.hpp"

namespace kwb::test {

/// Draws the panel in a card with this share of the window, as in the workbench.
template <class Panel>
class PanelSketch : public gui::Program {
public:
    PanelSketch(Panel& panel, DeskState initial, ImVec2 share = {1, 1})
        : state(std::move(initial)), panel_(panel), share_(share) {}

    void draw() override {
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(size);
        ImGui::Begin("sketch", nullptr, ImGuiWindowFlags_NoDecoration);
        {
            const gui::Card card("card", {share_.x * size.x - 24, share_.y * size.y - 24});
            if (card.visible) panel_.draw(state, commands);
        }
        ImGui::End();
    }

    /// The last command of this type, or nullopt.
    template <class Kind>
    std::optional<Kind> last() const {
        for (auto at = commands.rbegin(); at != commands.rend(); ++at)
            if (const Kind* found = std::get_if<Kind>(&*at)) return *found;
        return std::nullopt;
    }

    DeskState state;
    Commands commands;

private:
    Panel& panel_;
    ImVec2 share_;
};

}  // namespace kwb::test
