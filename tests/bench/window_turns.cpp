// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "base/error.hpp"
#include "base/json.hpp"
#include "gui/window.hpp"
#include "parts.hpp"
#include "process_run.hpp"
#include "stats/interval.hpp"
#include "window_home.hpp"
#include "window_process.hpp"

namespace kwb::bench {

// Parts 13 and 14: the window's activity while kernels are timed, and its effect on their times.

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMostFramesPerS = 4;
constexpr double kLargestTurnDeviation = 0.03;

/// Starts a run in its first frame and closes the window when the run ends; counts the frames shown between
/// turns.
class Counting : public gui::Program {
public:
    Counting(Desk& desk, const gui::Window& window)
        : desk_(desk), window_(window), workspace_(desk, {.wake = [] { gui::wake(); }}) {}

    void draw() override {
        workspace_.draw();
        // The counts cover the previous frames; this one is not finished yet.
        const gui::Window::Counts counts = window_.counts();
        if (!begun_ && desk_.state().session->devices) {
            begun_ = true;
            desk_.perform(command::Run{});
        } else if (timing_runs()) {
            if (!first_) first_ = {Clock::now(), counts};
            last_ = {Clock::now(), counts};
        }
    }
    bool timing_runs() const override { return workspace_.timing_runs(); }
    bool wants_to_end() const override { return begun_ && !desk_.state().is_busy; }

    struct Frames {
        double seconds, shown, unseen;
    };
    /// @throws EnvironmentError  no kernel was timed
    Frames frames() const {
        if (!first_) throw EnvironmentError("the window timed nothing");
        return {std::chrono::duration<double>(last_->when - first_->when).count(),
                static_cast<double>(last_->counts.shown - first_->counts.shown),
                static_cast<double>(last_->counts.unseen - first_->counts.unseen)};
    }

private:
    struct Look {
        Clock::time_point when;
        gui::Window::Counts counts;
    };
    Desk& desk_;
    const gui::Window& window_;
    gui::Workspace workspace_;
    bool begun_ = false;
    std::optional<Look> first_, last_;
};

/// @param events_per_s  mouse events; 0: the mouse rests
Counting::Frames count_frames(const Setting& setting, double budget_ms, int events_per_s) {
    WindowHome home(setting, "turns");
    home.choose({"01_naive.cl", "02_tiled.cl"}, 256, budget_ms);
    home.save();
    DeskOptions options;
    options.judge.command = {setting.judge().string()};
    options.window_file = home.settings_file();
    options.history_folder = home.history_folder();
    Desk desk(std::move(options), [] { gui::wake(); });
    gui::WindowOptions size;
    size.width = 1600;
    size.height = 1000;
    gui::Window window(size);
    Counting workspace(desk, window);
    std::atomic<bool> ended = false;
    std::thread hand([&] {
        while (events_per_s > 0 && !ended) {
            gui::wake();
            pass_s(1.0 / events_per_s);
        }
    });
    window.run(workspace);
    ended = true;
    hand.join();
    return workspace.frames();
}

struct Times {
    std::vector<double> window_ms, terminal_ms;
};

double window_median_ms(const Setting& setting, const WindowHome& home) {
    WindowProcess window(setting, home);
    const PastRun run = window.run_by_edit(home.settings.experiment.contestants[0].kernel);
    window.close();
    const KernelResult& result = run.results.at(0);
    if (!result.median_ms) throw EnvironmentError(result.kernel + " has no time: " + result.reason);
    return *result.median_ms;
}

double terminal_median_ms(const Setting& setting, const WindowHome& home) {
    const ProcessRun run =
        run_well({setting.kwb(), "run", home.settings.experiment.contestants[0].kernel, "--size",
                  std::to_string(home.settings.experiment.sizes[0].value), "--time-budget",
                  fmt::format("{:.0f}ms", home.settings.experiment.time_budget_ms), "--json", "-"},
                 {});
    return parse_json(run.output).at("results").at(0).at("median_ms").get<double>();
}

Row compare_turns(const Setting& setting, const char* file, int n) {
    announce(fmt::format("times of {} at {} from the window and from the terminal", file, n));
    WindowHome home(setting, "times");
    home.choose({file}, n, 300);
    home.settings.live = true;
    std::vector<double> window_ms, terminal_ms;
    std::mt19937 random(static_cast<unsigned>(n));
    for (int pair = 0; pair < setting.repetitions(30, 10); ++pair) {
        home.add_kernel(file);  // a new copy, without earlier edits
        const bool terminal_first = random() % 2 == 0;
        if (terminal_first) terminal_ms.push_back(terminal_median_ms(setting, home));
        window_ms.push_back(window_median_ms(setting, home));
        if (!terminal_first) terminal_ms.push_back(terminal_median_ms(setting, home));
    }
    const stats::Comparison comparison = stats::compare_paired(window_ms, terminal_ms).value();
    std::string measured = fmt::format("{:+.1f} %", (comparison.ratio - 1) * 100);
    if (comparison.interval) {
        const auto [low, high] = *comparison.interval;
        measured += fmt::format(" ({:+.1f} to {:+.1f})", (low - 1) * 100, (high - 1) * 100);
        if (high - low > 2 * kLargestTurnDeviation) measured += ", too noisy to tell";
    }
    measured += fmt::format(", {:.3g} ms, n = {}", stats::median(terminal_ms), terminal_ms.size());
    return {fmt::format("14. time in the window against time in the terminal, {} at {}", file, n),
            fmt::format("within {:.0f} %", kLargestTurnDeviation * 100), measured,
            std::abs(comparison.ratio - 1) <= kLargestTurnDeviation};
}

}  // namespace

std::vector<Row> measure_frames_between_turns(const Setting& setting) {
    announce("frames of the window while turns run");
    std::vector<Row> rows;
    for (const int events_per_s : {0, 100}) {
        const auto [seconds, shown, unseen] =
            count_frames(setting, setting.repetitions(4000, 1000), events_per_s);
        rows.push_back({fmt::format("13. frames a second shown while turns run, {}",
                                    events_per_s == 0 ? "left alone" : "the mouse moving all the time"),
                        fmt::format("{:.0f}", kMostFramesPerS),
                        fmt::format("{:.2f} over {:.1f} s ({:.0f} a second drawn unseen, for input)",
                                    shown / seconds, seconds, unseen / seconds),
                        shown / seconds <= kMostFramesPerS});
    }
    return rows;
}

std::vector<Row> measure_window_times(const Setting& setting) {
    return {compare_turns(setting, "01_naive.cl", 256), compare_turns(setting, "02_tiled.cl", 512)};
}

// Parts 10, 12 and 16: the window program as a user starts it, with software OpenGL, observed from outside.

namespace {

constexpr double kLongestStartMs = 400;
constexpr double kLargestIdleShare = 0.01;
constexpr std::uint64_t kMostMemory = 150'000'000;
constexpr int kRuns = 500;
constexpr std::size_t kSamplesPerKernel = 100;
/// Time for the frames after a run, for saving settings, and for the judge to become idle.
constexpr double kSettle_s = 2;

std::string megabytes(const WindowProcess::Memory& memory) {
    return fmt::format("{:.0f} MB ({:.0f} MB without the pages of files)",
                       static_cast<double>(memory.resident_bytes) * 1e-6,
                       static_cast<double>(memory.own_bytes) * 1e-6);
}

}  // namespace

std::vector<Row> measure_window_start(const Setting& setting) {
    announce("starts of the window");
    WindowHome home(setting, "start");
    std::vector<double> starts_ms;
    for (int i = 0; i <= setting.repetitions(20, 5); ++i) {
        WindowProcess window(setting, home);
        if (i > 0) starts_ms.push_back(window.first_frame_ms());  // the first start fills the page cache
        window.close();
    }
    return {{"10. start of kwb-gui until its picture is on the screen, warm, software OpenGL",
             fmt::format("{} ms", kLongestStartMs), describe(starts_ms, "ms"),
             stats::median(starts_ms) <= kLongestStartMs}};
}

std::vector<Row> measure_idle_window(const Setting& setting) {
    announce("a window with nothing to do");
    WindowHome home(setting, "idle");
    home.choose({"01_naive.cl", "02_tiled.cl"}, 256, 200);
    home.settings.live = true;
    WindowProcess window(setting, home);
    window.run_by_edit(home.settings.experiment.contestants[0].kernel);
    pass_s(kSettle_s);
    const double seconds = setting.repetitions(10, 3);
    const double before_s = window.cpu_s(), children_before_s = window.children_cpu_s();
    pass_s(seconds);
    const double share = (window.cpu_s() - before_s) / seconds;
    const double children_share = (window.children_cpu_s() - children_before_s) / seconds;
    window.close();
    return {{"12. the window's share of a core with a finished run on the screen and nothing to do", "1 %",
             fmt::format("{:.2f} % over {:.0f} s; its judge and runner {:.2f} %", share * 100, seconds,
                         children_share * 100),
             share + children_share < kLargestIdleShare}};
}

std::vector<Row> measure_window_memory(const Setting& setting) {
    announce("memory of the window");
    const auto measure = [&](const std::string& name, int runs) {
        WindowHome home(setting, name);
        home.choose({"01_naive.cl"}, 256, 100);
        home.settings.live = true;
        home.settings.tabs = {{"area/right", "history"}};
        if (runs > 0) home.fill_history(sample_run(kSamplesPerKernel), runs);
        WindowProcess window(setting, home);
        if (runs > 0) window.run_by_edit(home.settings.experiment.contestants[0].kernel);
        pass_s(kSettle_s);
        const WindowProcess::Memory memory = window.memory();
        window.close();
        return memory;
    };
    const WindowProcess::Memory empty = measure("empty", 0), full = measure("full", kRuns);
    return {{fmt::format("16. resident memory of the window, {} runs of eight kernels in the history", kRuns),
             "150 MB", megabytes(full) + "; without any run " + megabytes(empty),
             full.resident_bytes < kMostMemory}};
}

}  // namespace kwb::bench
