// SPDX-License-Identifier: Apache-2.0
// Tests of the history panel with sample states, without a window.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <ctime>

#include "gui/desk_stage.hpp"
#include "gui/gui_driver.hpp"
#include "gui/panels/history_panel.hpp"
#include "gui/widgets.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

using Time = std::chrono::system_clock::time_point;

/// 2026-11-20 14:32:05 UTC, the time zone of these tests.
constexpr std::time_t kNow = 1795185125;
const Time kNowTime = std::chrono::system_clock::from_time_t(kNow);

void use_utc() {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
}

RunSummary make_run(std::int64_t id, std::chrono::minutes before) {
    RunSummary run;
    run.id = id;
    run.when = kNowTime - before;
    run.device = "pthread-Intel Xeon";
    run.driver = "3.1";
    run.problem = "matmul";
    run.sizes = {{"M", 512}, {"N", 256}, {"K", 1024}};
    run.kernels = {{"matmul/naive", "", Verdict::Correct, true, 18.1},
                   {"matmul/tiled", "", Verdict::Correct, true, 0.421},
                   {"/home/me/broken.cl", "", Verdict::Wrong, false, {}},
                   {"matmul/lesson_missing_barrier", "", Verdict::Wrong, true, {}}};
    return run;
}

void make_sweep(RunSummary& run) {
    for (std::int64_t edge = 16; edge <= 512; edge *= 2)
        run.steps.push_back({{"M", edge}, {"N", edge}, {"K", edge}});
    run.sizes = run.steps.back();
}

std::shared_ptr<const ShownRun> shown_of(const RunSummary& run) {
    auto shown = std::make_shared<ShownRun>();
    shown->run.id = run.id;
    shown->run.when = run.when;
    shown->run.problem = run.problem;
    shown->run.sizes = run.sizes;
    return shown;
}

struct Scene {
    DeskState state = make_state();
    PendingSave pending;
    HistoryPanel panel{pending, [] { return kNowTime; }};
    DeskProgram program{state, [this](const DeskState& s, Commands& c) { panel.draw(s, c); }};
    WindowlessStage stage{1600, 1000};

    explicit Scene(int runs) {
        use_utc();
        program.width = 420;
        for (int i = 0; i < runs; ++i)
            state.history.push_back(make_run(runs - i, std::chrono::minutes(7 * i)));
    }
};

TEST_CASE("a run's time is short: the time of today, the day of this year, else with the year") {
    use_utc();
    using std::chrono::hours;
    CHECK(short_time(kNowTime - std::chrono::minutes(5), kNowTime) == "14:27");
    CHECK(short_time(kNowTime - hours(15), kNowTime) == "19 Nov");
    CHECK(short_time(kNowTime - hours(24 * 400), kNowTime).ends_with(" 2025"));
}

TEST_CASE("a kernel's name is short, whether it is shipped or the user's") {
    CHECK(short_kernel_name("matmul/tiled") == "tiled");
    CHECK(short_kernel_name("/home/me/my_tiled.cl") == "my_tiled");
    CHECK(short_kernel_name("cpu:blas") == "cpu:blas");
}

TEST_CASE("a row says when, what, which kernels with what verdict, how fast the best was, and where") {
    Scene scene(3);
    scene.program.width = 700;
    GuiDriver driver(scene.stage, scene.program);
    CHECK(driver.at("history/row/3/when").label == "14:32");
    CHECK(driver.at("history/row/3/subject").label == "matmul  M=512 N=256 K=1024");
    CHECK(driver.at("history/row/3/time").label == "421 \u00b5s");  // correct kernels only
    CHECK(driver.at("history/row/3/kernel/0").label == "naive");
    CHECK(driver.at("history/row/3/kernel/2").label == "broken");
    CHECK(driver.at("history/row/3/device").label.starts_with("pthread"));
    CHECK(driver.at("history/count").label == "3 runs");
    CHECK_FALSE(driver.has("history/row/3/compare"));
    CHECK(driver.at("history/row/3").full.Min.y < driver.at("history/row/2").full.Min.y);
}

TEST_CASE("a click on a row shows its run, and the one shown is marked and has its buttons") {
    Scene scene(3);
    GuiDriver driver(scene.stage, scene.program);
    driver.click_at("history/row/2", 0.3, 0.3);
    REQUIRE(scene.program.last<command::ShowRun>() != nullptr);
    CHECK(scene.program.last<command::ShowRun>()->id == 2);
    CHECK(scene.program.commands.size() == 1);
    scene.state.shown = shown_of(scene.state.history[1]);
    driver.park_pointer();
    CHECK(driver.has("history/row/2/more"));
    CHECK_FALSE(driver.at("history/row/2/compare").enabled);  // not with itself
    CHECK_FALSE(driver.has("history/row/1/more"));
}

TEST_CASE("a row says how its fastest kernel differs from the fastest of the run shown, if they compare") {
    Scene scene(2);
    auto shown = std::make_shared<ShownRun>(*shown_of(scene.state.history[0]));
    KernelResult& now = shown->run.results.emplace_back();
    now.verdict = Verdict::Correct;
    now.median_ms = 2 * *scene.state.history[1].kernels[1].median_ms;
    shown->run.environment.device = scene.state.history[1].device;
    scene.state.shown = shown;
    GuiDriver driver(scene.stage, scene.program);
    driver.settle();
    CHECK(driver.at("history/row/1/change").label == "\u221250 %");
    CHECK_FALSE(driver.has("history/row/2/change"));  // it is shown
    shown = std::make_shared<ShownRun>(*shown);
    shown->run.sizes = {{"M", 64}};
    scene.state.shown = shown;
    driver.settle();
    CHECK_FALSE(driver.has("history/row/1/change"));
}

TEST_CASE("the toggle of a row compares its run with the one shown, and stops that again") {
    Scene scene(3);
    scene.state.shown = shown_of(scene.state.history[0]);
    GuiDriver driver(scene.stage, scene.program);
    driver.hover("history/row/1");
    driver.click("history/row/1/compare");
    REQUIRE(scene.program.last<command::CompareWith>() != nullptr);
    CHECK(scene.program.last<command::CompareWith>()->id == 1);
    CHECK(scene.program.commands.size() == 1);  // the click did not reach the row below
    scene.state.compared = shown_of(scene.state.history[2]);
    driver.settle();
    CHECK(driver.at("history/row/1/compare").label.ends_with("Compared"));
    driver.click("history/row/1/compare");
    CHECK_FALSE(scene.program.last<command::CompareWith>()->id.has_value());
    CHECK(driver.at("history/compared").label.find("14:18") != std::string::npos);
    driver.click("history/stop_comparing");
    CHECK(scene.program.all<command::CompareWith>().size() == 3);
}

TEST_CASE("a narrow row compares by its menu") {
    Scene scene(3);
    scene.program.width = 330;
    scene.state.shown = shown_of(scene.state.history[0]);
    GuiDriver driver(scene.stage, scene.program);
    driver.hover("history/row/1");
    CHECK_FALSE(driver.has("history/row/1/compare"));
    driver.click("history/row/1/more");
    driver.click("history/compare");
    REQUIRE(scene.program.last<command::CompareWith>() != nullptr);
    CHECK(scene.program.last<command::CompareWith>()->id == 1);
    driver.click("history/row/3/more");
    CHECK_FALSE(driver.at("history/compare").enabled);  // not with itself
}

TEST_CASE("each form of export asks where, for the run that is meant") {
    const std::pair<const char*, const char*> kForms[] = {
        {"history/export/json", ".json"}, {"history/export/csv", ".csv"}, {"history/export/html", ".html"}};
    for (const auto& [item, extension] : kForms) {
        const auto& shown_item = item;
        CAPTURE(shown_item);
        Scene scene(3);
        scene.state.shown = shown_of(scene.state.history[0]);
        GuiDriver driver(scene.stage, scene.program);
        driver.hover("history/row/2");
        driver.click("history/row/2/more");
        driver.click(item);
        REQUIRE(scene.program.commands.size() == 1);  // the shown run does not change
        REQUIRE(std::holds_alternative<command::OpenDialog>(scene.program.commands[0]));
        const auto& dialog = std::get<command::OpenDialog>(scene.program.commands[0]);
        CHECK(dialog.purpose == FolderListing::Purpose::ExportFile);
        CHECK(dialog.name == std::string("matmul-M-512-N-256-K-1024-2026-11-20") + extension);
        CHECK(dialog.extensions == std::vector<std::string>{extension});
        REQUIRE(scene.pending.waits());
        Commands commands;
        scene.pending.finish("/tmp/there", commands);
        REQUIRE(std::holds_alternative<command::ExportRun>(commands.at(0)));
        CHECK(std::get<command::ExportRun>(commands[0]).run == 2);
    }
}

TEST_CASE(
    "a sweep says that it is one and over which sizes, is marked when shown, and compares with another one") {
    Scene scene(3);
    make_sweep(scene.state.history[1]);
    make_sweep(scene.state.history[2]);
    scene.state.shown = shown_of(scene.state.history[0]);
    GuiDriver driver(scene.stage, scene.program);
    scene.program.width = 700;
    driver.settle();
    CHECK(driver.at("history/row/2/sweep").label.ends_with("Sweep"));
    CHECK(driver.at("history/row/2/subject").label == "matmul  16 to 512");
    CHECK(driver.at("history/row/2/time").label == "6 sizes");
    CHECK_FALSE(driver.has("history/row/3/sweep"));
    driver.hover("history/row/2");
    CHECK_FALSE(driver.at("history/row/2/compare").enabled);
    driver.click("history/row/2/more");
    CHECK_FALSE(driver.at("history/compare").enabled);
    driver.click("history/export/csv");
    CHECK(scene.program.last<command::OpenDialog>()->name == "matmul-sweep-16-to-512-2026-11-20.csv");
    driver.click_at("history/row/2", 0.3, 0.5);
    CHECK(scene.program.last<command::ShowRun>()->id == 2);
    auto sweep = std::make_shared<ShownSweep>();
    sweep->id = 2;
    sweep->problem = "matmul";
    scene.state.sweep = sweep;
    driver.park_pointer();
    CHECK(driver.has("history/row/2/more"));
    CHECK(driver.has("history/row/3/more"));  // a run is shown in its own tab
    CHECK_FALSE(driver.at("history/row/2/compare").enabled);
    driver.hover("history/row/1");
    driver.click("history/row/1/compare");
    CHECK(scene.program.last<command::CompareWith>()->id == 1);
    auto other = std::make_shared<ShownSweep>(*sweep);
    other->id = 1;
    other->when = scene.state.history[2].when;
    scene.state.compared_sweep = other;
    driver.settle();
    CHECK(driver.at("history/row/1/compare").label.ends_with("Compared"));
    CHECK(driver.at("history/compared").label.find("the sweep of 14:18") != std::string::npos);
    driver.click("history/stop_comparing");
    CHECK_FALSE(scene.program.last<command::CompareWith>()->id.has_value());
    sweep->problem = "transpose";
    scene.state.compared_sweep.reset();
    driver.settle();
    driver.hover("history/row/1");
    CHECK_FALSE(driver.at("history/row/1/compare").enabled);
}

TEST_CASE("a run is forgotten only after a question") {
    Scene scene(3);
    GuiDriver driver(scene.stage, scene.program);
    driver.hover("history/row/2");
    driver.click("history/row/2/more");
    driver.click("history/forget");
    CHECK(scene.program.commands.empty());
    driver.click("question/cancel");
    CHECK(scene.program.commands.empty());
    driver.click_at("history/row/2", 0.3, 0.5, 1);  // the right button also opens the menu
    driver.click("history/forget");
    driver.click("question/yes");
    REQUIRE(scene.program.last<command::ForgetRun>() != nullptr);
    CHECK(scene.program.last<command::ForgetRun>()->id == 2);
    CHECK_FALSE(driver.has("question/yes"));
}

TEST_CASE("text and the two buttons filter, each keeping what the others said") {
    Scene scene(3);
    DeviceInfo device;
    device.name = "pthread-Intel Xeon";
    scene.state.device = &device;
    scene.state.choices.problem = "matmul";
    scene.program.perform = [&](const Command& command) {
        if (const auto* filter = std::get_if<command::FilterHistory>(&command))
            scene.state.history_filter = filter->filter;
    };
    GuiDriver driver(scene.stage, scene.program);
    driver.click("history/filter");
    driver.type("tile");
    CHECK(scene.state.history_filter.text == "tile");
    driver.click("history/this_device");
    driver.click("history/this_problem");
    CHECK(scene.state.history_filter.text == "tile");
    CHECK(scene.state.history_filter.device == device.name);
    CHECK(scene.state.history_filter.problem == "matmul");
    driver.click("history/this_device");
    CHECK(scene.state.history_filter.device.empty());
    CHECK(scene.state.history_filter.problem == "matmul");
    driver.click("history/this_problem");
    CHECK(scene.state.history_filter.problem.empty());
    driver.click("history/filter");
    driver.key(plain(Key::Escape));
    CHECK(scene.state.history_filter.text.empty());
}

TEST_CASE("without runs it says how to get some, and where none matches, how to see all") {
    Scene scene(0);
    scene.state.history_is_kept = false;
    GuiDriver driver(scene.stage, scene.program);
    CHECK(driver.at("history/empty/title").label.ends_with("No runs yet"));
    CHECK(driver.at("history/kept").label.ends_with("Kept only until the program ends"));
    CHECK_FALSE(driver.at("history/this_device").enabled);
    scene.state.history_is_kept = true;
    scene.state.history_filter.text = "nothing has this name";
    driver.settle();
    CHECK_FALSE(driver.has("history/kept"));
    driver.click("history/clear");
    REQUIRE(scene.program.last<command::FilterHistory>() != nullptr);
    CHECK(scene.program.last<command::FilterHistory>()->filter.text.empty());
}

TEST_CASE("everything in a row can be done by keyboard") {
    Scene scene(3);
    scene.state.shown = shown_of(scene.state.history[0]);
    GuiDriver driver(scene.stage, scene.program);
    driver.click_at("history/row/3", 0.3, 0.5);
    driver.park_pointer();
    driver.key(plain(Key::Down));
    driver.wait_until("the row below has the keyboard", [&] {
        if (driver.at("history/row/2").focused) return true;
        driver.key(plain(Key::Down));
        return false;
    });
    CHECK(driver.has("history/row/2/more"));
    driver.key(plain(Key::C));
    CHECK(scene.program.last<command::CompareWith>()->id == 2);
    scene.program.commands.clear();
    driver.key(plain(Key::Enter));
    REQUIRE(scene.program.commands.size() == 1);
    CHECK(scene.program.last<command::ShowRun>()->id == 2);
    driver.key(plain(Key::Delete));
    CHECK(driver.has("question/yes"));
    driver.key(plain(Key::Enter));  // Cancel is focused
    CHECK_FALSE(driver.has("question/yes"));
    CHECK(scene.program.last<command::ForgetRun>() == nullptr);
    driver.wait_until("the row has the keyboard again", [&] { return driver.at("history/row/2").focused; });
    driver.key(plain(Key::E));
    CHECK(driver.has("history/export/json"));
    driver.key(plain(Key::Escape));
    CHECK_FALSE(driver.has("history/export/json"));
}

TEST_CASE("of thousands of runs only those that can be seen are drawn, and all can be reached") {
    Scene scene(5000);
    GuiDriver driver(scene.stage, scene.program);
    CHECK(scene.stage.look().probes().all().size() < 500);
    const auto before = std::chrono::steady_clock::now();
    driver.pump(100);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - before;
    MESSAGE("a frame takes ", took.count() / 100, " ms");
    driver.hover("history/row/5000");
    for (int i = 0; i < 4; ++i) driver.wheel("history/rows", -1000);
    CHECK(driver.has("history/row/1"));
}

TEST_CASE("the history's layout is intact at every size, narrow and wide, empty and full") {
    Scene scene(40);
    scene.state.history[1].problem = "a_problem_with_quite_a_long_name";
    scene.state.history[2].kernels.assign(
        8, {"matmul/one_with_a_rather_long_name", "", Verdict::Correct, true, 1.0});
    for (int i = 0; i < 8; ++i)
        scene.state.history[3].kernels.push_back(
            {"x/kernel_" + std::to_string(i), "", Verdict::Timeout, false, {}});
    scene.state.history[4].kernels.clear();
    make_sweep(scene.state.history[5]);
    make_sweep(scene.state.history[6]);
    scene.state.history[6].problem = "a_problem_with_quite_a_long_name";
    scene.state.history_is_kept = false;
    scene.state.shown = shown_of(scene.state.history[0]);
    scene.state.compared = shown_of(scene.state.history[1]);
    GuiDriver driver(scene.stage, scene.program);
    at_every_size(scene.stage, [&](int width, int height, float scale) {
        for (const float share : {0.32f, 0.9f}) {
            scene.program.width = static_cast<float>(width) * share;
            if (scene.program.width < 320 * scale) scene.program.width = 320 * scale;
            driver.settle();
            CAPTURE(width);
            CAPTURE(scale);
            CAPTURE(share);
            for (const std::string& fault : check_layout(
                     scene.stage.look().probes(), static_cast<float>(width), static_cast<float>(height)))
                FAIL_CHECK(fault);
        }
    });
}

}  // namespace
}  // namespace kwb::test
