// Parts 10, 12 and 16: the window's program as a person starts it, under software OpenGL, seen from outside.
#include <fmt/format.h>

#include "parts.hpp"
#include "stats/interval.hpp"
#include "window_process.hpp"

namespace kwb::bench {
namespace {

constexpr double kLongestStartMs = 400;
constexpr double kLargestIdleShare = 0.01;
constexpr std::uint64_t kMostMemory = 150'000'000;
constexpr int kRuns = 500;
constexpr std::size_t kSamplesPerKernel = 100;
/// For the frames that follow a run, its file of settings, and a judge that goes to rest.
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
        if (i > 0) starts_ms.push_back(window.first_frame_ms());  // the first one fills the page cache
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
    window.run_by_edit(home.settings.kernels[0]);
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
        if (runs > 0) window.run_by_edit(home.settings.kernels[0]);
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
