// Parts 13 and 14: what the window does while kernels are timed, and what that does to their times.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "base/error.hpp"
#include "base/json.hpp"
#include "frame_stage.hpp"
#include "gui/window.hpp"
#include "parts.hpp"
#include "process_run.hpp"
#include "stats/interval.hpp"
#include "window_process.hpp"

namespace kwb::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMostFramesPerS = 4;
constexpr double kLargestTurnDeviation = 0.03;

/// Begins a run with its first frame and ends the window with that run; counts what is shown while turns run.
class Counting : public gui::Program {
public:
    Counting(Desk& desk, const gui::Window& window)
        : desk_(desk), window_(window), workspace_(desk, {.wake = [] { gui::wake(); }}) {}

    void draw() override {
        workspace_.draw();
        // This frame is shown or not after this: its predecessors are counted.
        const gui::Window::Counts counts = window_.counts();
        if (!begun_ && desk_.state().session->devices) {
            begun_ = true;
            desk_.perform(command::Run{});
        } else if (timing_runs()) {
            if (!first_) first_ = {Clock::now(), counts};
            last_ = {Clock::now(), counts};
        }
    }
    std::string title() const override { return workspace_.title(); }
    bool timing_runs() const override { return workspace_.timing_runs(); }
    bool wants_to_end() const override { return begun_ && !desk_.state().is_busy; }

    struct Frames {
        double seconds, shown, unseen;
    };
    /// @throws EnvironmentError  nothing was timed
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

/// @param events_per_s  0: nobody touches the mouse
Counting::Frames count_frames(const Setting& setting, double budget_ms, int events_per_s) {
    WindowHome home(setting, "turns");
    home.choose({"01_naive.cl", "02_tiled.cl"}, 256, budget_ms);
    home.save();
    DeskOptions options;
    options.judge = {setting.judge().string()};
    options.settings_file = home.settings_file();
    options.history_file = home.history_file();
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
    const PastRun run = window.run_by_edit(home.settings.kernels[0]);
    window.close();
    const KernelResult& result = run.results.at(0);
    if (!result.median_ms) throw EnvironmentError(result.kernel + " has no time: " + result.reason);
    return *result.median_ms;
}

double terminal_median_ms(const Setting& setting, const WindowHome& home) {
    const ProcessRun run = run_well({setting.kwb(), "run", home.settings.kernels[0], "--size",
                                     std::to_string(home.settings.sizes[0].value), "--time-budget",
                                     fmt::format("{:.0f}ms", home.settings.time_budget_ms), "--json", "-"},
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
        home.add_kernel(file);  // as it was, without earlier edits
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

}  // namespace kwb::bench
