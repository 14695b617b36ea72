// SPDX-License-Identifier: Apache-2.0
#include <time.h>

#include <chrono>

#include "base/error.hpp"
#include "gui/sample_state.hpp"
#include "store/history.hpp"
#include "window_home.hpp"

namespace kwb::bench {

namespace fs = std::filesystem;

WindowHome::WindowHome(const Setting& setting, const std::string& name)
    : kernels_(setting.root / "kernels" / "matmul"), folder_(setting.scratch / "window" / name) {
    fs::remove_all(folder_);
    for (const fs::path& folder : {settings_file().parent_path(), history_folder().parent_path()})
        fs::create_directories(folder);
}

fs::path WindowHome::settings_file() const {
    return folder_ / "config" / "kwb" / "window.toml";
}

fs::path WindowHome::history_folder() const {
    return folder_ / "data" / "kwb" / "history";
}

NamedList<std::string> WindowHome::environment() const {
    return {{"XDG_CONFIG_HOME", (folder_ / "config").string()},
            {"XDG_DATA_HOME", (folder_ / "data").string()},
            {"LIBGL_ALWAYS_SOFTWARE", "1"}};
}

fs::path WindowHome::add_kernel(const std::string& file) const {
    const fs::path copy = folder_ / file;
    fs::copy_file(kernels_ / file, copy, fs::copy_options::overwrite_existing);
    return copy;
}

void WindowHome::choose(const std::vector<std::string>& files, std::int64_t n, double budget_ms) {
    settings.experiment.contestants.clear();
    for (const std::string& file : files)
        settings.experiment.contestants.push_back({add_kernel(file).string(), {}, ""});
    settings.experiment.sizes = {{"M", n}, {"N", n}, {"K", n}};
    settings.experiment.time_budget_ms = budget_ms;
}

void WindowHome::save() const {
    if (const auto fault = save_settings(settings, settings_file())) throw EnvironmentError(*fault);
}

std::int64_t WindowHome::fill_history(const PastRun& run, int copies) const {
    History history = History::open(history_folder());
    std::int64_t last = 0;
    for (int i = 0; i < copies; ++i) last = history.add(run);
    return last;
}

PastRun sample_run(std::size_t samples) {
    PastRun run = test::many_kernels(samples).shown->run;
    run.when = std::chrono::system_clock::now();
    return run;
}

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
    options.judge.command = {setting.judge().string()};
    options.files = std::move(files);
    options.window_file = home.settings_file();
    options.history_folder = home.history_folder();
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
