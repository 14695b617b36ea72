// SPDX-License-Identifier: Apache-2.0
// A program drawn by a function, for tests of widgets and drawing.
#pragma once

#include <functional>
#include <utility>

#include "gui/look.hpp"
#include "gui/window.hpp"

namespace kwb::test {

class Sketch : public gui::Program {
public:
    explicit Sketch(std::function<void()> body) : body_(std::move(body)) {}
    void draw() override {
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
        ImGui::Begin("sketch", nullptr, ImGuiWindowFlags_NoDecoration);
        body_();
        ImGui::End();
    }

private:
    std::function<void()> body_;
};

}  // namespace kwb::test
