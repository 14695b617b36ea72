#include "gui/stage.hpp"

#include <utility>

#include "gui/imgui_compat.hpp"
#include "gui/keys.hpp"

namespace kwb::test {
namespace {

gui::LookOptions with_probes(gui::LookOptions options) {
    options.probes = true;
    return options;
}

}  // namespace

WindowlessStage::WindowlessStage(int width, int height, gui::LookOptions options)
    : look_(with_probes(std::move(options))), width_(width), height_(height) {
    gui::install_key_map();
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    build_fonts();
}

void WindowlessStage::build_fonts() {
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
}

void WindowlessStage::resize(int width, int height) {
    width_ = width;
    height_ = height;
}

void WindowlessStage::draw(gui::Program& program) {
    if (look_.apply()) build_fonts();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
    io.DeltaTime = 1.0f / 60;
    look_.probes().begin_frame();
    ImGui::NewFrame();
    program.draw();
    ImGui::Render();
}

}  // namespace kwb::test
