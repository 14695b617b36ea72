// SPDX-License-Identifier: Apache-2.0
#include "gui/workspace_scene.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "desk/window_settings.hpp"
#include "gui/stage.hpp"

namespace kwb::test {

using namespace kwb::gui;
namespace fs = std::filesystem;

std::string matmul_source(const std::string& title) {
    return "/*+++\ntitle = '" + title +
           "'\nproblem = 'matmul'\n[params]\nTILE = [16, 8]\n[launch]\nkernel = 'k'\n"
           "local = ['TILE', 'TILE']\nglobal = ['round_up(N, TILE)', 'round_up(M, TILE)']\n+++*/\n"
           "#ifndef TILE\n#define TILE 16  // edge of a work-group\n#endif\n\n"
           "__kernel void k(__global const float* A, __global const float* B, __global float* C,\n"
           "                int M, int N, int K) {\n"
           "    const int column = get_global_id(0), row = get_global_id(1);\n"
           "    if (row >= M || column >= N) return;\n"
           "    float sum = 0;\n"
           "    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];\n"
           "    C[row * N + column] = sum;  // " +
           title + "\n}\n";
}

bool mentions(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

WorkspaceScene::WorkspaceScene(const std::string& judges, SceneOptions options)
    : outside(folder.write("outside.cl", matmul_source("Outside"))),
      options_(std::move(options)),
      stage_(options_.stage) {
    if (stage_ == nullptr) {
        own_stage_ = std::make_unique<WindowlessStage>(1600, 1000);
        stage_ = own_stage_.get();
    }
    Settings settings;
    for (const std::string& name : options_.kernels) {
        const std::string number = "0" + std::to_string(kernel_files_.size() + 1);
        kernel_files_.push_back(
            folder.write("kernels/matmul/" + number + "_" + name + ".cl", matmul_source(name)));
        settings.experiment.contestants.push_back({"matmul/" + name, {}, ""});
    }
    settings.experiment.sizes = {{"M", options_.edge}, {"N", options_.edge}, {"K", options_.edge}};
    if (options_.settings.empty())
        save_settings(settings, folder / "window.toml");
    else
        folder.write("window.toml", options_.settings);
    open(judges);
}

void WorkspaceScene::open(const std::string& judges) {
    driver.reset();
    workspace.reset();
    desk.reset();
    DeskOptions options;
    options.judge.command = {options_.judge_program, (folder / "log").string(), judges};
    options.kernel_folders = {folder / "kernels"};
    options.window_file = folder / "window.toml";
    options.history_folder = folder / "history";
    options.progress_file = folder / "course.jsonl";
    options.exercise_folder = folder / "exercises";
    options.documentation_folder = folder / "documentation";
    desk = std::make_unique<WatchedDesk>(std::move(options));
    desk->wait_for_rest();
    WorkspaceOptions choices;
    choices.toggle_full_screen = [this] { ++full_screens; };
    choices.paint = options_.paint;
    workspace = std::make_unique<Workspace>(**desk, choices);
    driver = std::make_unique<GuiDriver>(*stage_, *workspace);
}

void WorkspaceScene::rest() {
    driver->wait_until("nothing runs any more", [&] { return !state().is_busy; });
    driver->settle();
}

void WorkspaceScene::run() {
    driver->key(plain(Key::F5));
    rest();
}

void WorkspaceScene::resize(int width, int height) {
    stage_->resize(width, height);
    driver->settle();
}

Document& WorkspaceScene::front() {
    REQUIRE(state().front.has_value());
    for (const auto& document : state().documents)
        if (document->id() == *state().front) return *document;
    throw CannotAct("the source in front is not open");
}

void WorkspaceScene::type_into_source(std::string_view text) {
    driver->click("source/text");
    driver->key(ctrl(Key::End));
    driver->type(text);
}

bool WorkspaceScene::says(std::string_view prefix, std::string_view part) const {
    for (const auto& [id, probed] : stage_->look().probes().all())
        if (id.starts_with(prefix) && mentions(probed.label, part)) return true;
    return false;
}

void WorkspaceScene::save_as(const fs::path& file) {
    driver->settle();
    driver->click("files/name");
    driver->key(ctrl(Key::A));
    driver->type(file.string());
    driver->key(plain(Key::Enter));
}

void WorkspaceScene::check_layout_now() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    for (const std::string& fault : check_layout(stage_->look().probes(), size.x, size.y)) FAIL_CHECK(fault);
}

}  // namespace kwb::test
