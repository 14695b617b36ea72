// SPDX-License-Identifier: Apache-2.0
// Parts 11 and 15: ImGui's work per frame, with much on the screen and while editing a long source.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <span>

#include "base/error.hpp"
#include "parts.hpp"
#include "stats/interval.hpp"
#include "window_home.hpp"

namespace kwb::bench {
namespace {

constexpr double kLargestFrameMs = 1.5;
constexpr double kLargestXrayFrameMs = 2;
constexpr double kLargestEditMs = 10;
constexpr std::size_t kSamples = 1250;  ///< for each of eight kernels: 10,000 in total
constexpr int kSourceLines = 2000;

struct Frames {
    double median_ms, percentile99_ms, worst_ms;
};

Frames summarize(std::vector<double> frames_ms) {
    std::ranges::sort(frames_ms);
    const auto rank = static_cast<std::size_t>(0.99 * static_cast<double>(frames_ms.size() - 1));
    return {stats::median(frames_ms), frames_ms[rank], frames_ms.back()};
}

std::string describe_frames(const TimedStage& stage) {
    const Frames all = summarize(stage.frames_ms), computed = summarize(stage.computed_ms);
    return fmt::format(
        "median {:.2f} ms, 99th percentile {:.2f}, worst {:.2f}, n = {}; without waiting for a core {:.2f}, "
        "{:.2f}, {:.2f}",
        all.median_ms, all.percentile99_ms, all.worst_ms, stage.frames_ms.size(), computed.median_ms,
        computed.percentile99_ms, computed.worst_ms);
}

void forget_frames(FrameScene& scene) {
    scene.stage.frames_ms.clear();
    scene.stage.computed_ms.clear();
}

/// Move the pointer through the whole window, like a user looking for something.
void wander(FrameScene& scene, int frames) {
    for (int i = 0; i < frames; ++i) {
        const double share = static_cast<double>(i) / frames;
        gui::inject_pointer(static_cast<float>(1600 * (0.5 + 0.5 * std::sin(share * 39))),
                            static_cast<float>(1000 * (0.5 + 0.5 * std::cos(share * 23))));
        scene.driver.pump();
    }
    scene.driver.park_pointer();
}

/// @param right  panel shown on the right
/// @param sign   ID of a probe that only this panel draws
Row measure_panels(const Setting& setting, const char* right, const std::string& sign, const char* words,
                   int frames) {
    WindowHome home(setting, "panels");
    home.choose({"01_naive.cl", "02_tiled.cl"}, 1024, 1000);
    const std::string tiled = home.settings.experiment.contestants[1].kernel;
    home.settings.experiment.contestants.resize(1);
    home.settings.experiment.contestants.insert(home.settings.experiment.contestants.end(), 7,
                                                {tiled, {}, ""});
    home.settings.tabs = {{"area/right", right}};
    const std::int64_t id = home.fill_history(sample_run(kSamples), 20);
    FrameScene scene(setting, home);
    scene.desk->perform(command::ShowRun{id});
    scene.driver.settle();
    for (const auto& part : std::vector<std::string>{"experiment/run", "source/text", "times/chart", sign})
        if (!scene.driver.has(part)) throw EnvironmentError(part + " is not drawn");
    forget_frames(scene);
    wander(scene, frames);
    return {fmt::format("11. ImGui's work a frame, eight kernels with 10,000 samples, {}", words),
            fmt::format("{} ms", kLargestFrameMs), describe_frames(scene.stage),
            summarize(scene.stage.frames_ms).percentile99_ms <= kLargestFrameMs};
}

enum class XrayView {
    Numbers,
    Memory,  ///< the maps, and the steps while they play
    Values,  ///< the step player with values, one step after another
    Code     ///< a thousand instructions of the device itself
};

/// A work-group of 32 x 32 work-items, observed by the real kwb-xray, beside another kernel.
Row measure_xray(const Setting& setting, XrayView view, int frames) {
    WindowHome home(setting, "xray");
    home.choose({"02_tiled.cl", "01_naive.cl"}, 1024, 1000);
    home.settings.experiment.contestants[0].params = {{"TILE", "32"}};
    home.settings.tabs = {{"area/right", "xray"}};
    FrameScene scene(setting, home);
    test::GuiDriver& driver = scene.driver;
    const auto has_all = [&] {
        const auto& xrays = scene.desk.state().xrays;
        return xrays.size() == 2 && std::ranges::all_of(xrays, [](const ContestantXray& one) {
                   return one.shown != nullptr && one.shown->has_report();
               });
    };
    driver.settle();
    driver.click("times/tab/roofline");  // observes all kernels
    driver.wait_until("both kernels are observed", has_all);
    driver.click("xray/compared");
    driver.settle();
    driver.click("xray/compared/1");
    driver.settle();
    if (view == XrayView::Code) {
        driver.click("xray/code");
        driver.settle();
        driver.click("xray/gpu");
        driver.settle();
        driver.click("xray/gpu/device");
        driver.wait_until("the code is compiled", [&] { return driver.has("xray/code/table/1/row/0"); });
    }
    if (view == XrayView::Memory) {
        driver.click("xray/maps");
        driver.settle();
        driver.click_at("xray/items", 0.4, 0.4);
        driver.click("xray/step/play");
        if (!driver.has("xray/map/0")) throw EnvironmentError("the maps are not drawn");
    }
    if (view == XrayView::Values) {
        driver.click("xray/values");
        driver.wait_until("the group is recorded", [&] { return driver.has("values/step"); });
        driver.settle();
    }
    forget_frames(scene);
    if (view == XrayView::Values)
        for (int i = 0; i < frames / 10; ++i) driver.click("values/step");
    else
        wander(scene, frames);
    return {fmt::format("11. ImGui's work a frame, X-ray of a group of 1,024 work-items, {}",
                        view == XrayView::Memory   ? "its maps and its steps while they play"
                        : view == XrayView::Code   ? "its machine code"
                        : view == XrayView::Values ? "its values, step by step"
                                                   : "the numbers of two kernels"),
            fmt::format("{} ms", kLargestXrayFrameMs), describe_frames(scene.stage),
            summarize(scene.stage.frames_ms).percentile99_ms <= kLargestXrayFrameMs};
}

std::string long_source() {
    std::string text =
        "/*+++\ntitle = 'Long'\nproblem = 'matmul'\n[launch]\nkernel = 'matmul_long'\nlocal = [16, 16]\n"
        "global = ['round_up(N, 16)', 'round_up(M, 16)']\n+++*/\n"
        "__kernel void matmul_long(__global const float* A, __global const float* B, __global float* C,\n"
        "                          const int M, const int N, const int K) {\n";
    int line = static_cast<int>(std::ranges::count(text, '\n'));
    for (; line < kSourceLines - 1; ++line)
        text += fmt::format("    float v{0} = fma(A[{0}], B[{0} + 1], 0.5f * {0});  /* term {0} */\n", line);
    return text + "}\n";
}

void edit(FrameScene& scene, std::size_t frames) {
    using namespace gui;
    test::GuiDriver& driver = scene.driver;
    const auto repeat = [&](int times, const Chord& chord) {
        for (int i = 0; i < times; ++i) driver.key(chord);
    };
    while (scene.stage.frames_ms.size() < frames) {
        repeat(3, plain(Key::PageDown));
        driver.type("float sum = 0.0f;");
        repeat(2, plain(Key::Enter));
        driver.type("/*");  // recolours all lines below
        driver.type(" */");
        driver.key({.key = Key::Up, .shift = true});
        repeat(1, ctrl(Key::C));
        repeat(3, ctrl(Key::V));
        repeat(4, ctrl(Key::Z));
        repeat(2, ctrl(Key::Y));
        driver.key(ctrl(Key::F));
        driver.type("v15");
        repeat(3, plain(Key::Enter));
        driver.key(plain(Key::Escape));
    }
    // Duplicate the whole text.
    driver.key(ctrl(Key::A));
    driver.key(ctrl(Key::C));
    driver.key(plain(Key::End));
    driver.key(ctrl(Key::V));
    driver.key(ctrl(Key::Z));
}

}  // namespace

std::vector<Row> measure_window_frames(const Setting& setting) {
    announce("ImGui's work a frame with every panel open");
    const int frames = setting.repetitions(1000, 500);
    return {measure_panels(setting, "correctness", "correctness/map", "error map on the right", frames),
            measure_panels(setting, "history", "history/filter", "history on the right", frames),
            measure_xray(setting, XrayView::Numbers, frames),
            measure_xray(setting, XrayView::Memory, frames),
            measure_xray(setting, XrayView::Values, frames),
            measure_xray(setting, XrayView::Code, frames)};
}

std::vector<Row> measure_source_edits(const Setting& setting) {
    announce("frames while a long source is edited");
    WindowHome home(setting, "source");
    home.choose({"01_naive.cl"}, 256, 100);
    const std::filesystem::path file = home.settings_file().parent_path() / "long.cl";
    std::ofstream(file) << long_source();
    FrameScene scene(setting, home, {file});
    scene.driver.click_at("source/text", 0.5, 0.5);
    forget_frames(scene);
    edit(scene, static_cast<std::size_t>(setting.repetitions(2000, 500)));
    return {{fmt::format("15. ImGui's work a frame while a source of {} lines is edited", kSourceLines),
             fmt::format("{} ms, every frame", kLargestEditMs), describe_frames(scene.stage),
             std::ranges::max(scene.stage.frames_ms) <= kLargestEditMs}};
}

}  // namespace kwb::bench
