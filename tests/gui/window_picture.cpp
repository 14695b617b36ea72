// SPDX-License-Identifier: Apache-2.0
// Pictures of real lessons with the real judge, in a hidden window: those of the README, and of the states
// that a person meets. docs/testing.md explains how to create them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include "base/file.hpp"
#include "desk/window_settings.hpp"
#include "gui/gl_pictures.hpp"
#include "gui/gui_driver.hpp"
#include "gui/picture_stage.hpp"
#include "gui/workspace.hpp"
#include "report/charts.hpp"
#include "support/watched_desk.hpp"
#include "task/session.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

/// A beginner's kernel without front matter. It leaves out the elements below the diagonal.
constexpr const char* kHalf =
    R"(// C = A * B. The elements below the diagonal are those above it, are they not?
__kernel void mine(__global const float* A, __global const float* B, __global float* C,
                   int M, int N, int K) {
    const int col = get_global_id(0), row = get_global_id(1);
    if (row >= M || col >= N) return;
    if (row > col) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
)";

Settings first_settings() {
    Settings settings;
    settings.experiment.sizes = {{"M", 512}, {"N", 512}, {"K", 512}};
    return settings;
}

/// The window with the real judge.
struct Scene {
    TempFolder folder;
    PictureStage stage;
    std::unique_ptr<WatchedDesk> desk;
    std::unique_ptr<Workspace> workspace;
    std::unique_ptr<GuiDriver> driver;

    Scene(int width, int height, const LookOptions& look, Settings settings = first_settings())
        : stage(width, height, look) {
        settings.theme = look.theme;
        settings.scale = static_cast<double>(look.scale);
        save_settings(settings, folder / "window.toml");
        DeskOptions options;
        options.judge = usual_place();
        options.window_file = folder / "window.toml";
        options.history_folder = folder / "history";
        desk = std::make_unique<WatchedDesk>(std::move(options));
        desk->wait_for_rest();
        WorkspaceOptions choices;
        choices.paint = paint_png;
        workspace = std::make_unique<Workspace>(**desk, choices);
        driver = std::make_unique<GuiDriver>(stage, *workspace);
        driver->settle();
    }

    void start() {
        driver->key(plain(Key::F5));
        driver->wait_until("the run has begun", [&] { return desk->state().is_busy; });
    }
    void run() {
        start();
        desk->wait_for_rest();  // without drawing frames, which would take a core from the kernels
        driver->settle();
    }
    void run_until_timed() {
        start();
        driver->wait_until("a kernel is timed", [&] {
            const auto& progress = desk->state().session->progress;
            return progress && progress->stage == "time" && progress->rounds > 1;
        });
    }
    void wait_for_reasons() {
        // Without drawing frames, which would take a core from the kernels.
        desk->wait_until([](const DeskState& state) {
            return std::ranges::all_of(state.shown->run.results,
                                       [](const KernelResult& result) { return result.effects.has_value(); });
        });
        driver->settle();
    }
    void open_own() {
        workspace->open_files({folder.write("mine.cl", kHalf)});
        driver->settle();
        desk->wait_until([](const DeskState& state) {
            return state.choices.contestants.back().kernel.ends_with("mine.cl") && !state.preview.obstacle &&
                   state.preview.contestants.back().functions.size() == 1;
        });
        driver->settle();
    }
    void keep(const std::string& name) {
        driver->park_pointer();
        driver->settle();
        fmt::print("{}\n", stage.keep(name).string());
    }
};

/// naive and tiled at a size whose inputs exceed most CPUs' caches, with dozens of rounds.
Settings large_settings() {
    Settings settings = first_settings();
    settings.experiment.sizes = {{"M", 1024}, {"N", 1024}, {"K", 1024}};
    settings.experiment.contestants = {{"matmul/naive", {}, ""}, {"matmul/tiled", {{"TILE", "16"}}, ""}};
    settings.experiment.time_budget_ms = 3000;
    return settings;
}

/// docs/window.png: tiled beats naive, the measured reason, and what X-ray counted of both.
void take_picture() {
    Scene scene(1600, 1100, {}, large_settings());
    GuiDriver& driver = *scene.driver;
    scene.run();
    scene.wait_for_reasons();
    scene.workspace->focus(Panel::Xray);
    driver.settle();
    driver.click("xray/contestant/0");
    driver.settle();
    driver.click("xray/compared");
    driver.settle();
    driver.click("xray/compared/1");
    driver.wait_until("X-ray has observed both", [&] {
        const auto& xrays = scene.desk->state().xrays;
        return xrays.size() == 2 && std::ranges::all_of(xrays, [](const auto& xray) {
                   return xray.shown != nullptr && !xray.is_outdated;
               });
    });
    scene.keep("window");
}

/// As kwb profile writes it: two queues and a thread.
std::string made_trace() {
    std::string events =
        R"({"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "./program"}},
        {"ph": "M", "name": "process_name", "pid": 2, "tid": 0, "args": {"name": "Some GPU"}})";
    for (int queue = 1; queue <= 2; ++queue)
        for (int i = 0; i < 40; ++i)
            events += fmt::format(
                R"(, {{"ph": "X", "name": "{}", "cat": "{}", "pid": 2, "tid": {}, "ts": {}, "dur": {}}})",
                i % 4 == 0   ? "write"
                : i % 4 == 3 ? "read"
                : queue == 1 ? "scale"
                             : "sum",
                i % 4 == 0   ? "write"
                : i % 4 == 3 ? "read"
                             : "kernel",
                queue, 1000 * i + 300 * queue, 200 + 30 * (i % 7) * queue);
    for (int i = 0; i < 10; ++i)
        events += fmt::format(
            R"(, {{"ph": "X", "name": "clFinish", "cat": "host", "pid": 1, "tid": 1, "ts": {}, "dur": 3000}})",
            4000 * i);
    return "{\"traceEvents\": [" + events + "]}";
}

/// The states that a person meets, at four sizes and in both themes: something to look at after a change.
/// @param only  this width; 0: all
void take_states(int only) {
    struct Size {
        int width, height;
        float scale;
    };
    for (const Size size :
         {Size{1366, 768, 1}, Size{1600, 900, 1}, Size{1920, 1080, 1.5f}, Size{2560, 1440, 1}})
        for (const gui::Theme theme : {gui::Theme::Dark, gui::Theme::Light}) {
            if (only != 0 && size.width != only) continue;
            Scene scene(size.width, size.height, {.theme = theme, .scale = size.scale});
            const auto keep = [&](const char* state) {
                scene.keep(
                    fmt::format("{}-{}-{}", state, size.width, theme == gui::Theme::Dark ? "dark" : "light"));
            };
            GuiDriver& driver = *scene.driver;
            keep("1-start");
            scene.run_until_timed();
            keep("2-running");
            scene.desk->wait_for_rest();
            keep("3-answer");
            driver.key(plain(Key::F9));
            keep("4-presenter");
            driver.key(plain(Key::F9));
            scene.open_own();
            keep("5-own");
            scene.run();
            scene.workspace->focus(Panel::Correctness);
            driver.settle();
            driver.click("correctness/contestant/2");
            keep("6-wrong");
            scene.workspace->focus(Panel::Times);
            driver.settle();
            Experiment choices = scene.desk->state().choices;
            for (auto& extent : choices.sizes) extent.value = 256;
            (*scene.desk)->perform(to_choices(choices));
            keep("7-outdated");
            scene.run();
            (*scene.desk)->perform(command::CompareWith{scene.desk->state().history.back().id});
            keep("8-compared");
            driver.click("experiment/contestant/1");
            scene.workspace->focus(Panel::Correctness);
            driver.settle();
            driver.click("correctness/launch");
            keep("9-launch");
            scene.workspace->focus(Panel::Times);
            (*scene.desk)->perform(command::Sweep{{64, 128, 192}});
            scene.desk->wait_for_rest();
            driver.settle();
            driver.click("times/tab/sweep");
            driver.click("times/sweep/map");
            keep("10-sweep-map");
            const TempFolder folder;
            (*scene.desk)->perform(command::OpenFiles{{folder.write("trace.json", made_trace())}});
            keep("11-trace");
        }
}

/// The tiled kernel without its second barrier.
constexpr const char* kRacing = R"(/*+++
title = 'Tiled, without the barrier after the product'
problem = 'matmul'
[launch]
kernel = 'racing'
local = [16, 16]
global = ['round_up(N, 16)', 'round_up(M, 16)']
+++*/
#define TILE 16

__kernel void racing(__global const float* A, __global const float* B, __global float* C,
                     int M, int N, int K) {
    __local float a[TILE][TILE], b[TILE][TILE];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < K; k += TILE) {
        a[ly][lx] = A[row * K + k + lx];
        b[ly][lx] = B[(k + ly) * N + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TILE; ++i) sum += a[ly][i] * b[i][lx];
    }
    C[row * N + col] = sum;
}
)";

/// What X-ray shows, at three sizes and in both themes.
void take_xray() {
    struct Size {
        int width, height;
        float scale;
    };
    for (const Size size : {Size{1366, 768, 1}, Size{1920, 1080, 1.5f}, Size{2400, 1300, 1}})
        for (const gui::Theme theme : {gui::Theme::Dark, gui::Theme::Light}) {
            TempFolder folder;
            Settings settings = first_settings();
            settings.experiment.sizes = {{"M", 256}, {"N", 256}, {"K", 256}};
            settings.experiment.contestants = {{"matmul/naive", {}, ""},
                                               {"matmul/tiled", {{"TILE", "16"}}, ""},
                                               {folder.write("racing.cl", kRacing).string(), {}, ""}};
            settings.experiment.time_budget_ms = 200;
            Scene scene(size.width, size.height, {.theme = theme, .scale = size.scale}, settings);
            GuiDriver& driver = *scene.driver;
            const auto keep = [&](const char* state) {
                scene.keep(
                    fmt::format("{}-{}-{}", state, size.width, theme == gui::Theme::Dark ? "dark" : "light"));
            };
            const auto wait_for = [&](std::size_t contestant) {
                driver.wait_until("X-ray has observed", [&] {
                    const auto& xrays = scene.desk->state().xrays;
                    return xrays.size() > contestant && xrays[contestant].shown != nullptr &&
                           !xrays[contestant].is_outdated;
                });
                driver.settle();
            };
            const auto look_at = [&](std::size_t contestant) {
                driver.click("xray/contestant/" + std::to_string(contestant));
                driver.settle();
                wait_for(contestant);
            };
            scene.run();
            scene.workspace->focus(Panel::Xray);
            driver.settle();
            look_at(1);
            keep("1-numbers");
            driver.click("xray/compared");
            driver.settle();
            driver.click("xray/compared/0");
            driver.settle();
            wait_for(0);
            keep("2-compared");
            driver.click("xray/maps");
            driver.settle();
            for (int i = 0; i < 4; ++i) driver.click("xray/step/next");
            keep("3-memory");
            driver.click_at("xray/items", 0.4, 0.4);
            keep("4-item");
            look_at(2);
            driver.click("xray/step/next_alarm");
            keep("5-fault");
            driver.click("xray/numbers");
            keep("6-undefined");
            driver.key(plain(Key::F9));
            keep("6-presenter");
            driver.key(plain(Key::F9));
            scene.workspace->focus(Panel::Times);
            driver.settle();
            driver.click("times/tab/roofline");
            driver.settle();
            for (const std::size_t contestant : {0u, 1u, 2u}) wait_for(contestant);
            keep("7-roofline");
            scene.workspace->focus(Panel::Xray);
            driver.settle();
            driver.click("xray/code");
            driver.settle();
            wait_for(2);
            keep("8-code");
        }
}

/// A recorded work-group with its values: from a wrong element to its cause, and steps of a right kernel.
void take_values() {
    for (const auto& [width, height] : {std::pair{1366, 768}, {2560, 1440}})
        for (const gui::Theme theme : {gui::Theme::Dark, gui::Theme::Light}) {
            TempFolder folder;
            Settings settings = first_settings();
            settings.experiment.sizes = {{"M", 64}, {"N", 64}, {"K", 64}};
            std::string short_sum = kRacing;
            short_sum.replace(short_sum.find("i < TILE"), 8, "i < TILE - 1");
            settings.experiment.contestants = {{"matmul/tiled", {{"TILE", "16"}}, ""},
                                               {folder.write("short.cl", short_sum).string(), {}, ""}};
            settings.experiment.time_budget_ms = 100;
            settings.experiment.xray = true;
            Scene scene(width, height, {.theme = theme}, settings);
            GuiDriver& driver = *scene.driver;
            const auto keep = [&, shown_width = width](const char* state) {
                scene.keep(fmt::format("{}-{}-{}", state, shown_width,
                                       theme == gui::Theme::Dark ? "dark" : "light"));
            };
            const auto wait = [&] {
                driver.wait_until("the group is recorded", [&] {
                    return scene.desk->state().steps != nullptr && !scene.desk->state().steps_are_outdated;
                });
                driver.settle();
            };
            scene.run();
            scene.workspace->focus(Panel::Xray);
            driver.settle();
            driver.click("xray/contestant/0");
            driver.settle();
            driver.click("xray/values");
            driver.settle();
            wait();
            keep("1-begin");
            driver.wheel("values/place", -5);
            driver.settle();
            driver.click("values/stop");
            driver.type("53 if k == 9");
            driver.key(plain(Key::Enter));
            driver.settle();
            driver.click("values/run_on");
            driver.settle();
            driver.wheel("values/selected", 40);
            driver.settle();
            driver.click_at("values/lanes", 0.35, 0.2);
            keep("2-stop");
            driver.click("xray/contestant/1");
            driver.settle();
            wait();
            driver.click("values/find_wrong");
            driver.settle();
            wait();
            keep("3-wrong");
            driver.wheel("values/place", -5);
            keep("3-wrong-below");
            driver.wheel("values/selected", 40);
            driver.settle();
            driver.click("values/back_one");
            keep("4-back");
            driver.key(plain(Key::F9));
            keep("5-presenter");
            driver.key(plain(Key::F9));
            driver.settle();
            driver.click("xray/compared");
            driver.settle();
            driver.click("xray/compared/0");
            driver.settle();
            driver.click("values/difference");
            driver.settle();
            wait();
            keep("6-difference");
        }
}

/// The Tune panel during a tuning of a shipped kernel and at its end, at two sizes.
void take_tune() {
    for (const auto& [width, height] : {std::pair{1366, 768}, {2560, 1440}}) {
        Settings settings = first_settings();
        settings.experiment.sizes = {{"M", 128}, {"N", 128}, {"K", 128}};
        settings.experiment.contestants = {{"matmul/block", {}, ""}, {"matmul/naive", {}, ""}};
        Scene scene(width, height, {}, settings);
        GuiDriver& driver = *scene.driver;
        const auto keep = [&, shown_width = width](const char* state) {
            scene.keep(fmt::format("{}-{}", state, shown_width));
        };
        scene.workspace->focus(Panel::Tune);
        driver.wait_until("the space is counted", [&] { return scene.desk->state().space != nullptr; });
        keep("1-space");
        driver.click("tune/budget");
        driver.type("40");
        driver.click("tune/start");
        driver.settle();
        // Without drawing frames, which would take a core from the kernels.
        const auto wait_for = [&](std::size_t trials) {
            scene.desk->wait_until([&](const DeskState& state) {
                return !state.is_busy || (state.tuning != nullptr && state.tuning->trials.size() >= trials);
            });
        };
        for (std::size_t trials = 5; trials <= 20; trials += 5) wait_for(trials);
        keep("2-running");
        for (std::size_t trials = 25; trials <= 45; trials += 5) wait_for(trials);
        scene.desk->wait_for_rest();
        for (const char* tab : {"course", "map", "values", "table"}) {
            if (!driver.has(std::string("tune/tab/") + tab)) continue;
            driver.click(std::string("tune/tab/") + tab);
            keep(tab);
        }
    }
}

/// Why one kernel is faster: after a run, the evidence of each kind, for an audience, and as a card.
void take_reasons() {
    for (const auto& [width, height] : {std::pair{1366, 768}, {2560, 1440}}) {
        Settings settings = first_settings();
        settings.experiment.sizes = {{"M", 256}, {"N", 256}, {"K", 256}};
        settings.experiment.contestants = {{"matmul/naive", {}, ""}, {"matmul/tiled", {{"TILE", "16"}}, ""}};
        Scene scene(width, height, {.theme = width < 2000 ? gui::Theme::Light : gui::Theme::Dark}, settings);
        GuiDriver& driver = *scene.driver;
        const auto keep = [&, shown_width = width](const std::string& state) {
            scene.keep(fmt::format("{}-{}", state, shown_width));
        };
        scene.run();
        keep("1-counted");
        scene.wait_for_reasons();
        keep("2-measured");
        for (std::size_t i = 0; i < 9; ++i) {
            const std::string evidence = "answer/evidence/" + std::to_string(i);
            if (!driver.has(evidence)) continue;
            driver.click(evidence);
            keep("3-evidence-" + std::to_string(i));
        }
        scene.workspace->focus(Panel::Reasons);
        keep("4-reasons");
        driver.key(plain(Key::F9));
        keep("5-presenter");
        const ShownRun& shown = *scene.desk->state().shown;
        const ChartPicture card{reasons_card(charted(shown)), {}, {800, 450}, false};
        write_file(scene.stage.keep("6-card").parent_path() / fmt::format("6-card-{}.png", width),
                   paint_png(card));
    }
}

/// Frames of docs/tour.gif, "NNN-CENTISECONDS.png": start, answer, its reasons, an own kernel, its error map,
/// and the step that leads to the error.
class Tour {
public:
    void record() {
        show(150);
        scene_.start();
        show_run();
        scene_.wait_for_reasons();
        show(350);
        scene_.workspace->focus(Panel::Reasons);
        show(300);
        scene_.open_own();
        show(200);
        scene_.driver->click("experiment/contestant/2");
        scene_.start();
        show_run();
        scene_.workspace->focus(Panel::Correctness);
        scene_.driver->settle();
        scene_.driver->click("correctness/contestant/2");
        show(300);
        scene_.driver->click("correctness/step");
        scene_.driver->wait_until("the group is recorded", [&] {
            const DeskState& state = scene_.desk->state();
            return state.steps != nullptr && !state.steps_are_outdated;
        });
        show(400);
    }

private:
    void show(int centiseconds) {
        scene_.driver->park_pointer();
        scene_.driver->settle();
        fmt::print("{}\n", scene_.stage.keep(fmt::format("{:03}-{}", frames_++, centiseconds)).string());
    }
    /// A frame for each two seconds of a run, shown for an eighth of that.
    void show_run() {
        while (scene_.desk->state().is_busy) {
            const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(2);
            scene_.driver->wait_until("two seconds", [&] {
                return std::chrono::steady_clock::now() >= until || !scene_.desk->state().is_busy;
            });
            if (scene_.desk->state().is_busy) show(25);
        }
    }

    Scene scene_{1200, 750, {}, large_settings()};
    int frames_ = 0;
};

}  // namespace
}  // namespace kwb::test

int main(int count, char** arguments) {
    try {
        const std::string what = count > 1 ? arguments[1] : "window";
        if (what == "window")
            kwb::test::take_picture();
        else if (what == "states")
            kwb::test::take_states(count > 2 ? std::stoi(arguments[2]) : 0);
        else if (what == "values")
            kwb::test::take_values();
        else if (what == "xray")
            kwb::test::take_xray();
        else if (what == "tune")
            kwb::test::take_tune();
        else if (what == "reasons")
            kwb::test::take_reasons();
        else if (what == "tour")
            kwb::test::Tour().record();
        else
            throw std::runtime_error("say window, states, xray, tune, reasons or tour");
    } catch (const std::exception& error) {
        fmt::print(stderr, "gui_window_picture: {}\n", error.what());
        return 1;
    }
    return 0;
}
