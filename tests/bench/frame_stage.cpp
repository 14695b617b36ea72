#include "frame_stage.hpp"

#include <time.h>

#include <chrono>

namespace kwb::bench {
namespace {

double computed_so_far_ms() {
    timespec used{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) * 1e-6;
}

DeskOptions options_of(const Setting& setting, const WindowHome& home,
                       std::vector<std::filesystem::path> files) {
    home.save();
    DeskOptions options;
    options.judge = {setting.judge().string()};
    options.files = std::move(files);
    options.settings_file = home.settings_file();
    options.history_file = home.history_file();
    return options;
}

}  // namespace

void TimedStage::draw(gui::Program& program) {
    const double computed_before_ms = computed_so_far_ms();
    const auto start = std::chrono::steady_clock::now();
    WindowlessStage::draw(program);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    frames_ms.push_back(taken.count());
    computed_ms.push_back(computed_so_far_ms() - computed_before_ms);
}

FrameScene::FrameScene(const Setting& setting, const WindowHome& home,
                       std::vector<std::filesystem::path> files)
    : desk(options_of(setting, home, std::move(files))),
      workspace((desk.wait_for_rest(), *desk)),
      driver(stage, workspace) {}

}  // namespace kwb::bench
