// SPDX-License-Identifier: Apache-2.0
// Tests of the experiment panel: devices, problems, sizes, and running.
#include <doctest/doctest.h>

#include "gui/experiment_scene.hpp"
#include "gui/panels/reasons_panel.hpp"
#include "gui/panels/results_table.hpp"

namespace kwb::test {
namespace {

using Scene = ExperimentScene;

TEST_CASE("the device's limits stand in its list, and measured ceilings once there are any") {
    Scene scene;
    CHECK(scene.driver.at("experiment/device").label == "pthread-EPYC");
    scene.driver.click("experiment/device");
    CHECK(scene.driver.at("experiment/facts/0").label == "8 compute units \u00b7 work-groups up to 4096");
    CHECK(scene.driver.at("experiment/facts/1").label == "512 KiB local \u00b7 16 GiB global memory");
    CHECK(scene.driver.at("experiment/facts/2").label == "largest buffer 4 GiB");
    CHECK_FALSE(scene.driver.has("experiment/facts/3"));
    scene.state.ceilings = Ceilings{Ceiling{412, {}, "", {}}, Ceiling{38.2, {}, "", {}}};
    scene.driver.settle();
    CHECK(scene.driver.at("experiment/facts/3").label == "measured 412 GFLOP/s \u00b7 38.2 GB/s");
}

TEST_CASE("the kernels are compared with themselves on another device, and one is sent elsewhere") {
    Scene scene;
    const std::size_t count = scene.choices().contestants.size();
    scene.driver.click("experiment/device");
    scene.driver.click("experiment/device/compare/pocl:1");
    REQUIRE(scene.choices().contestants.size() == 2 * count);
    for (std::size_t i = 0; i < count; ++i) {
        CHECK(scene.choices().contestants[count + i].kernel == scene.choices().contestants[i].kernel);
        CHECK(scene.choices().contestants[i].device.empty());
        CHECK(scene.choices().contestants[count + i].device == "pocl:1");
    }
    scene.driver.click("experiment/device");
    scene.driver.click("experiment/device/compare/pocl:1");  // again: nothing is left to add
    CHECK(scene.choices().contestants.size() == 2 * count);
    scene.driver.click("experiment/contestant/0");
    scene.driver.click("experiment/contestant/0/device");
    scene.driver.click("experiment/contestant/0/device/option/pocl:1");
    CHECK(scene.choices().contestants[0].device == "pocl:1");
}

TEST_CASE("another device and another problem are chosen from lists") {
    Scene scene;
    scene.driver.click("experiment/device");
    scene.driver.click("experiment/device/option/pocl:1");
    CHECK(scene.choices().device == "pocl:1");
    scene.driver.click("experiment/problem");
    scene.driver.click("experiment/problem/option/copy");
    CHECK(scene.choices().problem == "copy");
}

TEST_CASE("other numbers of the chosen problem are chosen with it, where there are any") {
    Scene scene;
    scene.driver.click("experiment/problem");
    CHECK(scene.driver.at("experiment/problem/numbers").label == "float");
    scene.driver.click("experiment/problem/numbers");
    scene.driver.click("experiment/problem/numbers/double");
    CHECK(scene.choices().problem == "matmul:double");
    scene.driver.settle();
    scene.press_outside();
    CHECK(scene.driver.at("experiment/problem").label == "Matrix multiplication \u00b7 double");
    scene.driver.click("experiment/problem");
    CHECK(scene.driver.at("experiment/problem/numbers").label == "double");
    scene.driver.click("experiment/problem/option/copy");
    scene.driver.click("experiment/problem");
    CHECK_FALSE(scene.driver.has("experiment/problem/numbers"));
}

TEST_CASE("without a device the drivers can be asked again, and a driver that failed says why") {
    Scene scene;
    auto session = std::make_shared<Snapshot>();
    session->devices = DeviceList{{}, {{"broken.icd", "broken.icd: the driver crashed; reinstall it"}}};
    scene.state.session = session;
    scene.state.device = nullptr;
    scene.driver.settle();
    CHECK(scene.driver.at("experiment/device").label == "No device");
    scene.driver.click("experiment/device");
    CHECK(scene.driver.at("experiment/driver_failure/0").label.ends_with("reinstall it"));
    scene.driver.click("experiment/find_devices");
    CHECK(scene.program.last<command::FindDevices>() != nullptr);
}

TEST_CASE("a driver without a device is a grey line in the device's list and nothing else") {
    Scene scene;
    auto session = std::make_shared<Snapshot>(*scene.state.session);
    session->devices->idle_drivers = {{"/etc/OpenCL/vendors/mesa.icd", "Clover"}};
    session->devices->failures = {{"gone.icd", "it names 'libgone.so'", DriverFailure::Kind::NotLoaded}};
    scene.state.session = session;
    scene.state.device = &session->devices->devices.front();
    scene.driver.settle();
    scene.driver.click("experiment/device");
    CHECK(scene.driver.at("experiment/driver_failure/0").label == "gone.icd: its library cannot be loaded");
    CHECK(scene.driver.at("experiment/driver_idle/0").label == "Clover: no device in this machine");
}

TEST_CASE("a driver that fails among others is one line in the device's list, and can be asked again") {
    Scene scene;
    auto session = std::make_shared<Snapshot>(*scene.state.session);
    session->devices->failures = {
        {"/etc/OpenCL/vendors/hang.icd", "it did not answer", DriverFailure::Kind::Hung}};
    scene.state.session = session;
    scene.state.device = &session->devices->devices.front();
    scene.driver.settle();
    scene.driver.click("experiment/device");
    CHECK(scene.driver.at("experiment/driver_failure/0").label.ends_with("hang.icd: does not answer"));
    scene.driver.click("experiment/find_devices");
    CHECK(scene.program.last<command::FindDevices>() != nullptr);
}

TEST_CASE("the devices of other places can be chosen where those of this machine are") {
    Scene scene;
    scene.driver.click("experiment/device");
    CHECK(!scene.driver.has("experiment/place/"));
    scene.state.places = {{"lab", "ssh gpubox kwb-judge"}};
    scene.driver.settle();
    CHECK(scene.driver.at("experiment/place/lab").label.find("Devices at lab") == 0);
    scene.driver.click("experiment/list_places");
    CHECK(scene.program.last<command::ListPlaces>() != nullptr);
    auto there = std::make_shared<Snapshot>();
    there->phase = Snapshot::Phase::Listing;
    scene.state.elsewhere["lab"] = there;
    scene.driver.settle();
    CHECK(scene.driver.at("experiment/place/lab/said").label.find("Looking for its devices") == 0);
    there->phase = Snapshot::Phase::Idle;
    there->error = "No route";
    scene.driver.settle();
    CHECK(scene.driver.at("experiment/place/lab/error").label.ends_with("No route"));
    there->devices.emplace().devices = {scene.state.session->devices->devices.front()};
    scene.driver.settle();
    const std::string device = there->devices->devices.front().id;
    scene.driver.click("experiment/place/lab/" + device);
    REQUIRE(scene.program.last<command::UsePlace>() != nullptr);
    CHECK(scene.program.last<command::UsePlace>()->device == device);
    scene.driver.click("experiment/device");
    scene.driver.click("experiment/place/lab");
    REQUIRE(scene.program.last<command::UsePlace>() != nullptr);
    CHECK(scene.program.last<command::UsePlace>()->name == "lab");
    scene.state.place = "lab";
    scene.driver.settle();
    CHECK(scene.driver.at("experiment/device").label.find("lab: ") == 0);
}

TEST_CASE("a hint at a kernel of the answer stands beside the answer") {
    Scene scene;
    auto shown = std::make_shared<ShownRun>();
    shown->labels = {"naive", "tiled"};
    shown->run.results.resize(2);
    for (KernelResult& result : shown->run.results) {
        result.verdict = Verdict::Correct;
        result.median_ms = 1;
    }
    shown->run.results[1].speedup = Speedup{"naive", 1.5, Interval{1.4, 1.6}};
    shown->run.results[1].hints = {{3, "a barrier is missing"}};
    scene.state.shown = shown;
    Hovered hovered;
    RunReasons reasons;
    DeskProgram program{scene.state, [&](const DeskState& s, Commands& c) {
                            reasons.follow(s);
                            draw_answer_strip(s, nullptr, reasons, hovered, c);
                        }};
    WindowlessStage stage{1500, 400};
    GuiDriver driver{stage, program};
    driver.settle();
    CHECK(driver.at("answer/hint").label.ends_with("tiled, line 3: a barrier is missing"));
    auto without = std::make_shared<ShownRun>(*shown);
    without->run.results[1].hints.clear();
    scene.state.shown = without;
    driver.settle();
    CHECK_FALSE(driver.has("answer/hint"));
}

TEST_CASE("what is wrong with the selected kernel stands below an answer about others") {
    Scene scene;
    auto shown = std::make_shared<ShownRun>();
    shown->labels = {"naive", "tiled", "mine"};
    shown->run.results.resize(3);
    for (KernelResult& result : shown->run.results) {
        result.judged = true;
        result.verdict = Verdict::Correct;
        result.median_ms = 1;
    }
    shown->run.results[1].speedup = Speedup{"naive", 1.5, Interval{1.4, 1.6}};
    shown->run.results[2].verdict = Verdict::Wrong;
    shown->run.results[2].reason = "64 of 4,096 elements of C are wrong";
    shown->finished = true;
    scene.state.shown = shown;
    scene.state.selected = 2;
    Hovered hovered;
    RunReasons reasons;
    DeskProgram program{scene.state, [&](const DeskState& s, Commands& c) {
                            reasons.follow(s);
                            draw_answer_strip(s, nullptr, reasons, hovered, c);
                        }};
    WindowlessStage stage{1500, 400};
    GuiDriver driver{stage, program};
    driver.settle();
    CHECK(driver.at("answer/headline").label.find("tiled is 1.5") == 0);
    CHECK(driver.at("answer/cause").label == "mine: 64 of 4,096 elements of C are wrong");
    driver.click("answer/fault/errors");
    CHECK(program.last<command::SelectContestant>()->index == 2);
    scene.state.selected = 1;
    driver.settle();
    CHECK_FALSE(driver.has("answer/cause"));
}

TEST_CASE("the answer asks why, and the first reason stands below it") {
    Scene scene;
    auto shown = std::make_shared<ShownRun>();
    shown->labels = {"naive", "tiled"};
    shown->run.results.resize(2);
    for (KernelResult& result : shown->run.results) {
        result.verdict = Verdict::Correct;
        result.median_ms = 1;
        XrayReport& counts = result.xray.emplace().counts.emplace();
        counts.launches = {{"k", {64}, {64}, 1, 1, 0}};
        counts.buffers = {{.name = "A", .type = "float", .element_bytes = 4, .extents = {1}}};
        counts.sites.push_back({.place = {"", 7, 1}, .requested_bytes = 1024, .sectors = 32});
    }
    shown->run.results[0].xray->counts->sites[0].requested_bytes = 64 * 1024;
    shown->run.results[0].xray->counts->sites[0].sectors = 2048;
    shown->run.results[1].speedup = Speedup{"naive", 1.5, Interval{1.4, 1.6}};
    scene.state.shown = shown;
    DeviceInfo cpu;
    cpu.kind = DeviceKind::Cpu;
    scene.state.device = &cpu;
    Hovered hovered;
    RunReasons reasons;
    DeskProgram program{scene.state, [&](const DeskState& s, Commands& c) {
                            reasons.follow(s);
                            draw_answer_strip(s, nullptr, reasons, hovered, c);
                        }};
    WindowlessStage stage{1500, 400};
    GuiDriver driver{stage, program};
    driver.settle();
    CHECK(driver.at("answer/because").label.find("What differs: tiled requests 1 KiB of global memory") == 0);
    driver.click("answer/why");
    REQUIRE(program.last<command::Run>() != nullptr);
    CHECK(program.last<command::Run>()->why);

    auto measured = std::make_shared<ShownRun>(*shown);
    measured->run.results[1].effects.emplace();
    Effect misses{.what = WhatIf::CacheHits,
                  .buffer = "B",
                  .as_it_is_ms = 1,
                  .share = 0.5,
                  .interval = Interval{0.4, 0.6}};
    measured->run.results[0].effects = {misses};
    scene.state.shown = measured;
    driver.settle();
    CHECK(driver.at("answer/because").label.find("Because cache misses of B cost naive 50 %") == 0);
    CHECK_FALSE(driver.has("answer/why"));

    // At least 18 pixels, whole in two lines on a small screen; a longer one is cut.
    const auto because = [&](std::size_t letters) {
        auto renamed = std::make_shared<ShownRun>(*measured);
        for (std::string& label : renamed->labels) label += std::string(letters, 'm');
        scene.state.shown = renamed;
        driver.settle();
        return driver.at("answer/because");
    };
    CHECK(because(0).full.GetHeight() >= 18);
    stage.resize(1366, 400);
    const Probed two = because(40);
    CHECK(two.full.GetHeight() >= 36);
    CHECK(two.label.find('\n') != std::string::npos);
    CHECK_FALSE(two.label.ends_with("\u2026"));
    CHECK(two.full.Max.x < driver.at("answer/evidence/0").full.Min.x);
    CHECK(two.full.Max.y <= driver.at("answer/detail").full.Min.y + 1);
    CHECK(because(300).label.ends_with("\u2026"));
    CHECK(because(300).full.GetHeight() == doctest::Approx(two.full.GetHeight()));
}

TEST_CASE("where nothing can run, Run is greyed out and the reason stands beside it") {
    Scene scene;
    scene.state.preview.obstacle = "No kernel is chosen: add one from the list, or open a file.";
    scene.driver.settle();
    CHECK_FALSE(scene.driver.at("experiment/run").enabled);
    CHECK_FALSE(scene.driver.at("experiment/sweep").enabled);
    CHECK(scene.driver.at("experiment/obstacle").label.find("No kernel is chosen") != std::string::npos);
    CHECK(scene.driver.at("experiment/obstacle").label.starts_with(kIconForbidden));
    CHECK_THROWS_AS(scene.driver.click("experiment/run"), CannotAct);
}

TEST_CASE("while something runs there is Stop") {
    Scene scene;
    scene.session->phase = Snapshot::Phase::Running;
    scene.session->progress = Progress{"time", "matmul/tiled", 12, 40, 3.214, {}, 0, {}, 1};
    scene.session->results.resize(2);
    scene.state.is_busy = true;
    scene.driver.settle();
    CHECK_FALSE(scene.driver.has("experiment/run"));
    scene.driver.click("experiment/stop");
    CHECK(scene.program.all<command::Stop>().size() == 1);
    scene.session->phase = Snapshot::Phase::Stopping;
    scene.driver.settle();
    CHECK_FALSE(scene.driver.at("experiment/stop").enabled);
}

TEST_CASE("the slider steps over powers of two and moves extents that are alike") {
    Scene scene;
    scene.open_size();
    scene.driver.click_at("experiment/size/slider", 0.999, 0.5);
    CHECK(to_string(scene.choices().sizes) == "8192");
    scene.driver.click_at("experiment/size/slider", 0.001, 0.5);
    CHECK(to_string(scene.choices().sizes) == "16");
    scene.state.choices.sizes[2].value = 1000;
    scene.driver.settle();
    scene.driver.click_at("experiment/size/slider", 0.999, 0.5);
    CHECK(to_string(scene.choices().sizes) == "M=8192 N=8192 K=1000");
}

TEST_CASE("an extent is typed for all while they are linked, else for itself") {
    Scene scene;
    scene.open_size();
    scene.type_into("experiment/size/N", "1 000");
    CHECK(to_string(scene.choices().sizes) == "1000");
    scene.driver.click("experiment/size/linked");
    scene.type_into("experiment/size/K", "77");
    CHECK(to_string(scene.choices().sizes) == "M=1000 N=1000 K=77");
    scene.driver.click("experiment/size/linked");
    CHECK(to_string(scene.choices().sizes) == "1000");
}

TEST_CASE("an extent takes effect when it is finished, not at every key, and Escape drops it") {
    Scene scene;
    scene.open_size();
    scene.driver.click("experiment/size/M");
    scene.driver.key(ctrl(Key::A));
    scene.driver.type("64");
    scene.driver.settle();
    CHECK(scene.program.all<command::Edit>().empty());
    scene.driver.key(plain(Key::Escape));
    CHECK(scene.program.all<command::Edit>().empty());
    CHECK(to_string(scene.choices().sizes) == "512");
    scene.driver.click("experiment/size/M");
    scene.driver.key(ctrl(Key::A));
    scene.driver.type("64");
    scene.driver.click("experiment/size/N");  // losing the focus also finishes the input
    CHECK(to_string(scene.choices().sizes) == "64");
}

TEST_CASE("a number that cannot be taken stays in its field, says why, and nothing runs until it is mended") {
    Scene scene;
    const struct {
        const char *field, *typed, *why;
    } cases[] = {
        {"experiment/size/M", "many", "M: 'many' is not a whole number from 1 to 2147483647"},
        {"experiment/size/M", "", "M: type a whole number from 1 to 2147483647"},
        {"experiment/seed", "-1", "Seed: '-1' is not a whole number from 0 to 18446744073709551615"},
        {"experiment/budget", "0", "Seconds per kernel: '0' is not a number from 0.01 to 3600"},
        {"experiment/budget", "1e9", "Seconds per kernel: '1e9' is not a number from 0.01 to 3600"},
        {"experiment/sweep/to", "2e9", "Sweep: '2e9' is not a whole number from 1 to 1073741824"},
    };
    for (const auto& [field, typed, why] : cases) {
        const auto& shown_field = field;
        CAPTURE(shown_field);
        const auto& shown_typed = typed;
        CAPTURE(shown_typed);
        const Experiment before = scene.choices();
        scene.type_into(field, typed);
        scene.driver.settle();
        CHECK(scene.choices() == before);
        REQUIRE(scene.panel.refusal() != nullptr);
        CHECK(scene.panel.refusal()->find(why) != std::string::npos);
        CHECK(scene.driver.has("experiment/obstacle"));
        CHECK_FALSE(scene.driver.at("experiment/run").enabled);
        CHECK_FALSE(scene.driver.at("experiment/sweep").enabled);
        CHECK_FALSE(scene.panel.may_run());
        scene.driver.click(field);
        scene.driver.key(plain(Key::Escape));
        scene.driver.settle();
        if (scene.driver.has("experiment/size/slider")) scene.driver.key(plain(Key::Escape));  // the popup
        scene.driver.settle();
        CHECK_FALSE(scene.driver.has("experiment/obstacle"));
        CHECK(scene.driver.at("experiment/run").enabled);
        CHECK(scene.panel.may_run());
    }
    scene.type_into("experiment/size/M", "many");
    scene.type_into("experiment/size/M", "256");
    CHECK(to_string(scene.choices().sizes) == "256");
    CHECK_FALSE(scene.driver.has("experiment/obstacle"));
    scene.type_into("experiment/size/M", "many");
    scene.driver.click_at("experiment/size/slider", 0.9, 0.5);  // replaces the value
    scene.driver.settle();
    CHECK_FALSE(scene.driver.has("experiment/obstacle"));
}

TEST_CASE(
    "a size that was typed counts if the popup is left by a click elsewhere, and stays there if it is "
    "refused") {
    Scene scene;
    scene.open_size();
    scene.driver.click("experiment/size/M");
    scene.driver.type("100");
    scene.press_outside();
    CHECK(to_string(scene.choices().sizes) == "100");
    CHECK_FALSE(scene.driver.has("experiment/size/M"));
    scene.open_size();
    scene.driver.click("experiment/size/M");
    scene.driver.type("many");
    scene.press_outside();
    REQUIRE(scene.driver.has("experiment/size/M"));
    REQUIRE(scene.panel.refusal() != nullptr);
    CHECK_FALSE(scene.driver.at("experiment/run").enabled);
    scene.driver.key(plain(Key::Escape));
    scene.driver.settle();
    CHECK_FALSE(scene.driver.has("experiment/size/M"));
    CHECK(scene.panel.refusal() == nullptr);
    CHECK(to_string(scene.choices().sizes) == "100");
}

TEST_CASE("only whole numbers within the range are extents") {
    for (const char* wrong : {"0", "-1", "2147483648", "99999999999999999999", "1.5", ""})
        CHECK_FALSE(read_extent(wrong).has_value());
    CHECK(read_extent("2147483647") == 2147483647);
}

TEST_CASE("a click into a number selects it, so that what is typed takes its place") {
    Scene scene;
    scene.open_size();
    scene.driver.click("experiment/size/M");
    scene.driver.type("96");
    scene.driver.key(plain(Key::Enter));
    CHECK(to_string(scene.choices().sizes) == "96");
}

TEST_CASE("whichever field is clicked next, what was typed before is taken") {
    Scene scene;
    scene.driver.click("experiment/sweep/to");
    scene.driver.type("500");
    scene.driver.click("experiment/seed");  // drawn earlier in the frame than the sweep
    scene.driver.settle();
    CHECK(scene.choices().sweep_to == 500);
}

TEST_CASE("seed, time, unreadable pages and live are choices as well") {
    Scene scene;
    scene.type_into("experiment/seed", "42");
    CHECK(scene.choices().seed == 42);
    scene.type_into("experiment/budget", "2.5");
    CHECK(scene.choices().time_budget_ms == 2500);
    scene.type_into("experiment/timeout", "90");
    CHECK(scene.choices().timeout_ms == 90'000);
    scene.type_into("experiment/timeout", "0.05");
    CHECK(scene.choices().timeout_ms == 90'000);
    scene.driver.click("experiment/pages");
    CHECK(scene.choices().unreadable_pages);
    scene.driver.click("experiment/live");
    CHECK(scene.choices().live);
    scene.type_into("experiment/seed", "nothing");
    CHECK(scene.choices().seed == 42);
}

TEST_CASE("a sweep goes from and to what was typed, and follows the size where nothing is") {
    Scene scene;
    scene.driver.click("experiment/sweep");
    REQUIRE(scene.program.last<command::Sweep>() != nullptr);
    CHECK(scene.program.last<command::Sweep>()->edges ==
          std::vector<std::int64_t>{16, 32, 64, 128, 256, 512});
    scene.type_into("experiment/sweep/from", "100");
    scene.type_into("experiment/sweep/to", "500");
    CHECK(scene.choices().sweep_from == 100);
    CHECK(scene.choices().sweep_to == 500);
    scene.driver.click("experiment/sweep");
    CHECK(scene.program.last<command::Sweep>()->edges == std::vector<std::int64_t>{100, 200, 400, 500});
    scene.type_into("experiment/sweep/from", "many");
    CHECK(scene.choices().sweep_from == 100);
    scene.type_into("experiment/sweep/from", " ");
    CHECK_FALSE(scene.choices().sweep_from.has_value());
}

TEST_CASE("everything can be reached by scrolling, and nothing overlaps, at every width") {
    Scene scene;
    scene.keep_obstacle(1, "64 x 64 work-items are more than the 1024 of this device; choose fewer of them");
    scene.open_row(1);
    for (const int width : {640, 900, 1300})
        for (const int height : {240, 500, 1300})
            for (const float scale : {1.0f, 1.5f}) {
                scene.stage.resize(static_cast<int>(static_cast<float>(width) * scale), height);
                scene.stage.look().set_scale(scale);
                scene.driver.settle();
                CAPTURE(width);
                CAPTURE(height);
                CAPTURE(scale);
                for (const std::string& fault :
                     check_layout(scene.stage.look().probes(), static_cast<float>(width) * scale,
                                  static_cast<float>(height)))
                    FAIL_CHECK(fault);
            }
}

}  // namespace
}  // namespace kwb::test
