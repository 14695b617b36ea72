// SPDX-License-Identifier: Apache-2.0
// A scene for tests of the experiment panel: sample states, without a window.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gui/desk_stage.hpp"
#include "gui/gui_driver.hpp"
#include "gui/panels/experiment_panel.hpp"
#include "model/request.hpp"

namespace kwb::test {

using namespace kwb::gui;

inline DeviceInfo make_device(const std::string& id, const std::string& name) {
    DeviceInfo device;
    device.id = id;
    device.name = name;
    device.platform = "Portable Computing Language";
    device.compute_units = 8;
    device.max_work_group_size = 4096;
    device.local_mem_bytes = 512u << 10;
    device.global_mem_bytes = std::uint64_t{16} << 30;
    device.max_alloc_bytes = std::uint64_t{4} << 30;
    return device;
}

inline Preview::Contestant preview_of(const std::string& label) {
    Preview::Contestant preview;
    preview.label = label;
    preview.title = "Title of " + label;
    preview.locals = {"16x16", "8x8", "auto"};
    preview.geometry = "32 \u00d7 32 work-groups of 16 \u00d7 16";
    return preview;
}

/// Two kernels on one device. Commands that change the choices take effect immediately, as with a desk.
struct ExperimentScene {
    DeskState state = make_state();
    std::shared_ptr<Snapshot> session = std::make_shared<Snapshot>();
    PendingSave pending;
    Hovered hovered;
    ExperimentPanel panel{pending, hovered};
    DeskProgram program{state, [this](const DeskState& s, Commands& c) {
                            panel.draw_bar(s, c, ImGui::GetContentRegionAvail().x);
                            panel.draw(s, c);
                            panel.end_frame();
                        }};
    WindowlessStage stage{1500, 1000};
    GuiDriver driver{stage, program};

    ExperimentScene() {
        session->devices =
            DeviceList{{make_device("pocl:0", "pthread-EPYC"), make_device("pocl:1", "other")}, {}};
        state.session = session;
        state.device = &session->devices->devices.front();
        state.problems = {
            {"matmul", "Matrix multiplication", {{"float", "matmul"}, {"double", "matmul:double"}}},
            {"copy", "Copying"}};
        state.kernels = {{"matmul/naive", "One work-item an element", "matmul", "", "", true},
                         {"matmul/tiled", "Blocks in local memory", "matmul", "", "", true},
                         {"matmul/broken", "", "matmul", "line 3: there is no title", "", true},
                         {"copy/plain", "One float a work-item", "copy", "", "", true},
                         {kHostBlasName, "The CPU's BLAS library", "", "", "", true}};
        state.choices.problem = "matmul";
        state.choices.sizes = {{"M", 512}, {"N", 512}, {"K", 512}};
        state.choices.contestants = {{"matmul/naive", {}, ""}, {"matmul/tiled", {}, ""}};
        state.preview.contestants = {preview_of("naive"), preview_of("tiled")};
        state.preview.contestants[1].params = {{"TILE", {"16", "8", "32"}, "16"}};
        state.preview.device_bytes = 3u << 20;
        program.perform = [this](const Command& command) {
            if (const auto* edit = std::get_if<command::Edit>(&command)) {
                edit->change(state.choices);
                state.preview.contestants.resize(state.choices.contestants.size(), preview_of("other"));
                ++state.revision;
            }
        };
        driver.settle();
    }
    const Experiment& choices() const { return state.choices; }
    /// The fields of the size are in a popup.
    void open_size() {
        if (!driver.has("experiment/size/slider")) driver.click("experiment/size");
    }
    /// Closes an open popup.
    void press_outside() {
        inject_pointer(20, 960);
        driver.pump();
        for (const bool down : {true, false}) {
            inject_button(0, down);
            driver.pump();
        }
        driver.settle();
    }
    void open_row(std::size_t index) { driver.click("experiment/contestant/" + std::to_string(index)); }
    void type_into(const std::string& id, const std::string& text) {
        if (id.starts_with("experiment/size/")) open_size();
        driver.click(id);
        driver.key(ctrl(Key::A));
        driver.key(plain(Key::Delete));
        driver.type(text);
        driver.key(plain(Key::Enter));
        driver.settle();
    }
    void keep_obstacle(std::size_t contestant, const std::string& sentence) {
        state.preview.contestants[contestant].obstacle = sentence;
        driver.settle();
    }
};

}  // namespace kwb::test
