// SPDX-License-Identifier: Apache-2.0
// A panel or dialog with a sample state, for tests: no desk, no judge, no disk access.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/look.hpp"
#include "gui/stage.hpp"
#include "gui/widgets.hpp"
#include "gui/window.hpp"

namespace kwb::test {

inline DeskState make_state() {
    DeskState state;
    state.revision = 1;
    state.session = std::make_shared<Snapshot>();
    return state;
}

/// Draws `body` in a card that fills the window except the status bar, and `over` on top of it.
class DeskProgram : public gui::Program {
public:
    using Draw = std::function<void(const DeskState&, Commands&)>;

    DeskProgram(DeskState& state, Draw body, Draw over = {})
        : state_(state), body_(std::move(body)), over_(std::move(over)) {}

    /// Called for each command right after the frame, in place of the desk.
    std::function<void(const Command&)> perform;

    Commands commands;  ///< from all frames
    float width = 0;    ///< width of the card, pixels; 0: the window's

    void draw() override {
        Commands now;
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        const float status = gui::look().tokens().status_height;
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(size);
        ImGui::Begin(
            "stage", nullptr,
            ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoMove);
        {
            const float room = size.y - status - gui::look().tokens().gap;
            const gui::Card card("stage/card", {width > 0 ? width : size.x - 24, room});
            if (card.visible && body_) body_(state_, now);
        }
        if (over_) over_(state_, now);
        ImGui::End();
        for (Command& command : now) {
            if (perform) perform(command);
            commands.push_back(std::move(command));
        }
    }

    template <class T>
    std::vector<T> all() const {
        std::vector<T> found;
        for (const Command& command : commands)
            if (const T* one = std::get_if<T>(&command)) found.push_back(*one);
        return found;
    }
    /// @return  the last command of this type, or null
    template <class T>
    const T* last() const {
        for (auto at = commands.rbegin(); at != commands.rend(); ++at)
            if (const T* one = std::get_if<T>(&*at)) return one;
        return nullptr;
    }

private:
    DeskState& state_;
    Draw body_, over_;
};

/// Call `check` for every window size, scale and theme that the layout must support.
template <class Check>
void at_every_size(Stage& stage, const Check& check) {
    for (const float scale : {1.0f, 1.5f})  // in the outer loop, because changing it rebuilds the fonts
        for (const auto& [width, height] : {std::pair{1024, 640}, {1600, 1000}, {2400, 1500}})
            for (const gui::Theme theme : {gui::Theme::Dark, gui::Theme::Light}) {
                stage.resize(width, height);
                stage.look().set_scale(scale);
                stage.look().set_theme(theme);
                check(width, height, scale);
            }
}

}  // namespace kwb::test
