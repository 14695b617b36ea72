// The screenshot in the README: a real lesson with the real judge, in a hidden window. CONTRIBUTING.md
// explains how to create it.
#include <fmt/format.h>

#include <exception>

#include "gui/gl_pictures.hpp"
#include "gui/gui_driver.hpp"
#include "gui/picture_stage.hpp"
#include "gui/workspace.hpp"
#include "session/session.hpp"
#include "session/settings.hpp"
#include "support/watched_desk.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

/// The common mistake if the tiles do not divide the matrix: only whole blocks are computed.
constexpr const char* kNoTail = R"(/*+++
title = 'Blocks of 48, without the rest at the edges'
problem = 'matmul'
[launch]
kernel = 'whole_blocks'
local = [16, 16]
global = ['N // 48 * 16', 'M // 48 * 16']
+++*/

// Each work-item computes 3 x 3 elements that lie 16 apart.
#define BLOCK 48

__kernel void whole_blocks(__global const float* A, __global const float* B, __global float* C,
                           int M, int N, int K) {
    const int column = get_group_id(0) * BLOCK + get_local_id(0);
    const int row = get_group_id(1) * BLOCK + get_local_id(1);
    float sum[3][3] = {{0}};
    for (int k = 0; k < K; ++k)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                sum[i][j] += A[(row + 16 * i) * K + k] * B[k * N + column + 16 * j];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            C[(row + 16 * i) * N + column + 16 * j] = sum[i][j];
}
)";

void take_picture() {
    TempFolder folder;
    const auto wrong = folder.write("whole_blocks.cl", kNoTail);
    Settings settings;
    settings.kernels = {"matmul/naive", "matmul/tiled", "matmul/tiled", wrong.string(), "cpu:blas"};
    settings.params = {"", "TILE=8", "TILE=16", "", ""};
    settings.sizes = {{"M", 512}, {"N", 512}, {"K", 512}};
    settings.time_budget_ms = 3000;  // dozens of rounds even for the slowest kernel
    save_settings(settings, folder / "settings.toml");
    DeskOptions options;
    options.judge = default_judge_command();
    options.settings_file = folder / "settings.toml";
    options.history_file = folder / "history.sqlite";

    PictureStage stage(1600, 1000);
    WatchedDesk desk(std::move(options));
    desk.wait_for_rest();
    WorkspaceOptions choices;
    choices.paint = paint_png;
    Workspace workspace(*desk, choices);
    GuiDriver driver(stage, workspace);
    driver.key(plain(Key::F5));
    driver.wait_until("the run has begun", [&] { return desk.state().is_busy; });
    desk.wait_for_rest();  // without drawing frames, which would take a core from the kernels
    driver.settle();
    driver.click("correctness/contestant/3");
    driver.park_pointer();
    driver.settle();
    fmt::print("{}\n", stage.keep("window").string());
}

}  // namespace
}  // namespace kwb::test

int main() {
    try {
        kwb::test::take_picture();
    } catch (const std::exception& error) {
        fmt::print(stderr, "gui_window_picture: {}\n", error.what());
        return 1;
    }
    return 0;
}
