// SPDX-License-Identifier: Apache-2.0
#include "window_process.hpp"

#include <time.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "gui/look.hpp"
#include "store/history.hpp"

namespace kwb::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kTitle = "Kernel Workbench";
constexpr std::chrono::seconds kPatience(60);
/// Interval between checks of a file's modification time. They take microseconds, and nothing is being timed
/// while the file is written.
constexpr double kBetweenLooks_s = 0.02;
/// Interval between requests to the X server. A request takes about 50 µs, so the measured program is hardly
/// disturbed.
constexpr double kBetweenQuestions_s = 0.001;

test::ProcessOptions start_of(const Setting& setting, const WindowHome& home) {
    test::ProcessOptions options;
    options.command = {(setting.build / "bin" / "kwb-gui").string(), "--theme", "dark", "--scale", "1"};
    options.environment = home.environment();
    return options;
}

double cpu_s_of(pid_t pid) {
    clockid_t clock{};
    timespec used{};
    if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &used) != 0)
        throw std::runtime_error("a process of the window is gone: " + std::to_string(pid));
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

double descendants_cpu_s(pid_t pid) {
    double sum = 0;
    std::error_code gone;
    const auto tasks = "/proc/" + std::to_string(pid) + "/task";
    for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
        std::ifstream children(task.path() / "children");
        for (pid_t child = 0; children >> child;) sum += cpu_s_of(child) + descendants_cpu_s(child);
    }
    return sum;
}

}  // namespace

void pass_s(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

WindowProcess::WindowProcess(const Setting& setting, const WindowHome& home)
    : home_(home), start_((home.save(), Clock::now())), process_(start_of(setting, home)) {
    const unsigned long ground = gui::palette(gui::Theme::Dark).window.rgb;
    for (const auto end = start_ + kPatience; Clock::now() < end; pass_s(kBetweenQuestions_s)) {
        const auto window = server_.find(kTitle);
        if (!window || server_.pixel(*window, 2, 2) != ground) continue;
        first_frame_ms_ = std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
        window_ = *window;
        return;
    }
    throw std::runtime_error("kwb-gui painted no window");
}

PastRun WindowProcess::run_by_edit(const std::filesystem::path& kernel) {
    History history = History::open(home_.history_folder());
    const auto newest = [&] {
        const std::vector<RunSummary> list = history.list(1);
        return list.empty() ? 0 : list.front().id;
    };
    const auto changed = [&] { return std::filesystem::last_write_time(home_.history_folder()); };
    const std::int64_t before = newest();
    auto seen = changed();
    std::ofstream(kernel, std::ios::app) << "// edited\n";
    for (const auto end = Clock::now() + kPatience; Clock::now() < end; pass_s(kBetweenLooks_s)) {
        if (seen == changed()) continue;
        seen = changed();
        const std::int64_t id = newest();
        if (id == before) continue;
        if (auto run = history.load(id)) return *run;
    }
    throw std::runtime_error("the window did not run " + kernel.string() + " when it was edited");
}

double WindowProcess::cpu_s() const {
    return cpu_s_of(process_.pid());
}

double WindowProcess::children_cpu_s() const {
    return descendants_cpu_s(process_.pid());
}

WindowProcess::Memory WindowProcess::memory() const {
    std::ifstream status("/proc/" + std::to_string(process_.pid()) + "/status");
    Memory memory;
    for (std::string line; std::getline(status, line);) {
        std::istringstream words(line);
        std::string name;
        std::uint64_t kib = 0;
        words >> name >> kib;
        if (name == "VmRSS:") memory.resident_bytes = kib << 10;
        if (name == "RssAnon:") memory.own_bytes = kib << 10;
    }
    return memory;
}

void WindowProcess::close() {
    server_.ask_to_close(window_);
    if (const int code = process_.finish().exit_code; code != 0)
        throw std::runtime_error("kwb-gui ended with exit code " + std::to_string(code));
}

}  // namespace kwb::bench
