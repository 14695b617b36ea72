// SPDX-License-Identifier: Apache-2.0
// The X-ray panel with sample states, without a window.
#include <doctest/doctest.h>

#include "experiment/gpus.hpp"
#include "gui/gui_driver.hpp"
#include "gui/panel_sketch.hpp"
#include "gui/panels/xray_panel.hpp"
#include "gui/sample_state.hpp"
#include "gui/stage.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Theme = gui::Theme;

struct XrayStage {
    explicit XrayStage(DeskState state, int width = 520, int height = 1400, LookOptions look = {})
        : stage(width, height, std::move(look)), sketch(panel, std::move(state)), driver(stage, sketch) {}
    XrayPanel panel;
    WindowlessStage stage;
    PanelSketch<XrayPanel> sketch;
    GuiDriver driver;
    std::string label(const std::string& id) { return driver.at(id).label; }
    /// Do what the last click asks for, as the desk does.
    void select() {
        const auto asked = sketch.last<command::SelectKernel>();
        REQUIRE(asked);
        if (asked->compares)
            sketch.state.other = asked->contestant;
        else
            sketch.state.kernel = asked->contestant;
        if (sketch.state.other == sketch.state.kernel) sketch.state.other.reset();
        driver.settle();
    }
    bool says(const std::string& words) { return driver.says(words); }
    void show_memory() {
        driver.click("xray/maps");
        driver.settle();
    }
    std::size_t step() const { return panel.maps().player().step(); }
};

TEST_CASE("totals, loads of each element and accesses of the kernel are shown, with what the terms mean") {
    XrayStage f(observed_state());
    for (const char* words :
         {"global traffic, requested", "global traffic, by sectors", "by sectors",
          "global traffic, compulsory", "global loads per multiply-add", "barriers", "work-groups observed",
          "Accesses of tiled", "stride 64", "broadcast", "Sub-groups of 32 work-items"}) {
        CAPTURE(words);
        CHECK(f.says(words));
    }
    CHECK(f.panel.target().contestants == std::vector<std::size_t>{0});
}

TEST_CASE("a head of the tables shows what it means, with the words of the glossary") {
    DeskState state = observed_state();
    state.course.glossary = {{"sector", "32 bytes of global memory."}};
    XrayStage f(state, 900);
    f.driver.hover("xray/table/2/head/3");
    f.driver.settle();
    CHECK(f.label("xray/table/2/head/3/words") == "sectors");
    CHECK(f.label("tooltip") ==
          "Sectors of 32 bytes touched per access of a sub-group.\n\nsector: 32 bytes of global memory.");
}

TEST_CASE("a click on an access goes to its line") {
    XrayStage f(observed_state());
    f.driver.click("xray/table/2/row/3");
    const auto brought = f.sketch.last<command::BringToFront>();
    REQUIRE(brought);
    CHECK(brought->document == 7);
    CHECK(brought->line == 10);
}

TEST_CASE("what is undefined comes first, and a click goes to its line") {
    XrayStage f(observed_state({.is_undefined = true}));
    CHECK(f.says("Line 11"));
    CHECK(f.says("a[0][0]"));
    f.driver.click("xray/undefined/0/place");
    REQUIRE(f.sketch.last<command::BringToFront>());
    CHECK(f.sketch.last<command::BringToFront>()->line == 10);
}

TEST_CASE("another kernel is compared side by side, and is then observed, too") {
    XrayStage f(observed_state(), 900);
    f.driver.click("xray/compared");
    f.driver.settle();
    f.driver.click("xray/compared/1");
    f.select();
    CHECK(f.panel.target().contestants == std::vector<std::size_t>{0, 1});
    CHECK(f.label("xray/table/0/head/1") == "tiled");
    CHECK(f.label("xray/table/0/head/2") == "naive");
    CHECK(f.label("xray/table/0/head/3") == "ratio");
    CHECK(f.says("Accesses of naive"));
    // Sub-groups of another size have other figures, which do not stand next to these.
    auto other = std::make_shared<ShownXray>(*f.sketch.state.xrays[1].shown);
    other->key.target.sub_group = 64;
    f.sketch.state.xrays[1] = {other, true};
    f.driver.settle();
    CHECK_FALSE(f.driver.has("xray/table/0/head/2"));
    f.driver.click("xray/contestant/1");  // it cannot be compared with itself
    f.select();
    CHECK(f.panel.target().contestants == std::vector<std::size_t>{1});
}

/// As if the first kernel had been compiled for a GPU.
DeskState compiled_state() {
    DeskState state = observed_state();
    state.gpus = shipped_gpus();
    auto shown = std::make_shared<ShownXray>(*state.xrays[0].shown);
    MachineCode code;
    code.kernel = "tiled";
    code.registers = 23;
    code.local_bytes = 2048;
    code.instructions = 2;
    code.assembly = {{"BB0_1:", {}, true}, {"ds_read_b32 v1, v2", {"", 11, 20}}, {"s_endpgm", {}}};
    TargetReport report;
    shown->key.target.gpu = "AMD Instinct MI210";
    report.target = "gfx90a";
    report.compiler = "clang-15";
    report.remark = "something is not installed";
    report.kernels = {code};
    shown->observed.targets = {report};
    GpuView view;
    view.gpu = "AMD Instinct MI210";
    Occupancy occupancy;
    occupancy.group_items = 256;
    occupancy.groups = 8;
    occupancy.percent = 100;
    occupancy.binding = {OccupancyLimit::WorkItems};
    view.launches = {{"tiled", 23, 2048, occupancy, std::nullopt}};
    view.at_least = LowerBound{.ms = 2, .by = BoundKind::LocalMemory, .local_ms = 2};
    shown->observed.gpus = {view};
    state.xrays[0].shown = shown;
    return state;
}

TEST_CASE("tables of machine code fit into the panel of a small window") {
    DeskState state = compiled_state();
    auto shown = std::make_shared<ShownXray>(*state.xrays[0].shown);
    GpuView& view = shown->observed.gpus.front();
    view.launches.front().occupancy.binding = {OccupancyLimit::WorkItems, OccupancyLimit::Registers,
                                               OccupancyLimit::LocalMemory};
    view.launches.front().better = view.launches.front().occupancy;
    view.at_least = LowerBound{.ms = 2,
                               .by = BoundKind::LocalMemory,
                               .memory_ms = 1,
                               .last_level_ms = 1,
                               .cache_ms = 1,
                               .local_ms = 2,
                               .issue_ms = 1,
                               .arithmetic_ms = 1};
    state.xrays[0].shown = shown;
    XrayStage f(std::move(state), 500);
    f.driver.click("xray/code");
    f.driver.settle();
    for (const auto& [id, probed] : f.stage.look().probes().all()) {
        const std::string shown_id = id;  // clang 15 captures no bindings
        CAPTURE(shown_id);
        if (id.starts_with("xray/code/table/")) CHECK(probed.full.Max.x <= 500);
    }
    // The bound has so many figures that they stand one below the other.
    CHECK(f.says("occupancy"));
    CHECK(f.says("arithmetic"));
}

TEST_CASE(
    "machine code, occupancy and the least time for a GPU; a click on an instruction goes to its line") {
    XrayStage f(compiled_state(), 900);
    CHECK(f.panel.target().gpu.empty());
    f.driver.click("xray/code");
    f.driver.settle();
    CHECK(f.panel.target().gpu == "AMD Instinct MI210");
    CHECK(f.panel.target().sub_group == 32);  // its 64 lanes change nothing that other panels show
    CHECK_FALSE(f.driver.has("xray/lanes"));
    for (const char* words : {"Compiled for gfx90a by clang-15", "23", "Occupancy", "work-items",
                              "Shortest possible time", "local memory", "Machine code of tiled for gfx90a",
                              "ds_read_b32 v1, v2", "something is not installed"}) {
        CAPTURE(words);
        CHECK(f.says(words));
    }
    f.driver.click("xray/code/table/3/row/1");
    const auto brought = f.sketch.last<command::BringToFront>();
    REQUIRE(brought);
    CHECK(brought->line == 10);
    f.driver.click("xray/gpu");
    f.driver.settle();
    f.driver.click("xray/gpu/0");
    f.driver.settle();
    CHECK(f.panel.target().gpu == "NVIDIA H200");
    CHECK_FALSE(f.says("gfx90a"));  // code for the GPU before is no answer
    f.sketch.state.xrays[0].is_outdated = true;
    f.sketch.state.observing = 0;
    f.driver.settle();
    CHECK(f.says("Compiling for NVIDIA H200\u2026"));
    CHECK_FALSE(f.says("No compiler"));
    f.sketch.state = compiled_state();
    f.driver.click("xray/gpu");
    f.driver.settle();
    f.driver.click("xray/gpu/device");
    f.driver.settle();
    CHECK(f.panel.target().gpu == kDeviceTarget);
    f.driver.click("xray/numbers");
    f.driver.settle();
    CHECK(f.says("Accesses of tiled"));
    CHECK(f.panel.target().gpu.empty());
}

TEST_CASE("the size of sub-groups is part of what is observed") {
    XrayStage f(observed_state());
    f.driver.click("xray/lanes");
    f.driver.settle();
    f.driver.click("xray/lanes/64");
    f.driver.settle();
    CHECK(f.panel.target().sub_group == 64);
}

TEST_CASE("where there is nothing to show, one sentence says why") {
    DeskState off = observed_state();
    off.choices.xray = false;
    XrayStage f(off);
    CHECK(f.says("X-ray is off"));
    f.driver.click("xray/on");
    const auto edit = f.sketch.last<command::Edit>();
    REQUIRE(edit);
    edit->change(f.sketch.state.choices);
    CHECK(f.sketch.state.choices.xray);

    DeskState failed = observed_state();
    auto refused = std::make_shared<ShownXray>();
    refused->error = "X-ray needs clang 14.";
    failed.xrays[0].shown = refused;
    CHECK(XrayStage(failed).says("X-ray needs clang 14."));

    DeskState none = observed_state();
    none.xrays[0] = {};
    CHECK(XrayStage(none).says("Not observed yet"));
    none.observing = 0;
    CHECK(XrayStage(none).says("Observing"));
    none.observing.reset();
    none.is_busy = true;
    CHECK(XrayStage(none).says("X-ray waits"));
    none.choices.contestants.clear();
    CHECK(XrayStage(none).says("No kernel is chosen"));
}

TEST_CASE("what was observed of an earlier text says that it is outdated") {
    DeskState state = observed_state();
    state.xrays[0].is_outdated = true;
    XrayStage f(state);
    CHECK(f.says("Outdated"));
    CHECK(f.says("Accesses of tiled"));
}

TEST_CASE("steps are played, paused, taken one by one, and from barrier to barrier") {
    XrayStage f(observed_state());
    f.show_memory();
    CHECK(f.step() == 0);
    CHECK(f.says("step 1 of 35, before any barrier"));
    CHECK(f.says("Line 9: load A"));
    f.driver.click("xray/step/next");
    CHECK(f.step() == 1);
    f.driver.click("xray/step/next_barrier");
    CHECK(f.step() == 2);
    f.driver.pump();
    CHECK(f.says("after 1 barrier"));
    f.driver.click("xray/step/before");
    CHECK(f.step() == 1);
    f.driver.click("xray/step/next_barrier");
    f.driver.click("xray/step/barrier_before");
    CHECK(f.step() == 0);
    f.driver.click("xray/step/play");
    CHECK(f.panel.maps().player().is_playing());
    f.driver.wait_until("it has played", [&] { return f.step() > 2; });
    f.driver.click("xray/step/play");
    const std::size_t paused = f.step();
    f.driver.pump(60);
    CHECK(f.step() == paused);
    f.driver.click("xray/step/place");
    CHECK(f.sketch.last<command::BringToFront>());
}

TEST_CASE("playing ends at the last step, and begins again from the first") {
    XrayStage f(observed_state());
    f.show_memory();
    f.driver.click("xray/step/speed");
    f.driver.settle();
    f.driver.click("xray/step/speed/5");
    f.driver.click("xray/step/play");
    f.driver.wait_until("the end", [&] { return !f.panel.maps().player().is_playing(); });
    CHECK(f.step() == 34);
    f.driver.click("xray/step/play");
    CHECK(f.panel.maps().player().is_playing());
    CHECK(f.step() < 34);
}

TEST_CASE("a click on a work-item tells what it uses, one on a cell who uses it, another one ends that") {
    XrayStage f(observed_state());
    f.show_memory();
    f.driver.click_at("xray/items", 0.5 / 16, 1.5 / 16);
    f.driver.pump();
    CHECK(f.says("Work-item (0, 1) of the group uses 1 cell of A, 16 cells of B"));
    f.driver.click_at("xray/items", 0.5 / 16, 1.5 / 16);
    f.driver.park_pointer();  // its tooltip says the same
    f.driver.settle();
    CHECK(!f.says("Work-item (0, 1)"));
    f.driver.click_at("xray/map/3", 2.5 / 16, 1.5 / 16);  // a[1][2]
    f.driver.pump();
    CHECK(f.says("a[1][2], of the group loaded by 16 work-items: (0, 1), (1, 1)"));
    CHECK(f.says("stored by 1 work-item: (2, 1)"));
    f.driver.click_at("xray/map/3", 2.5 / 16, 1.5 / 16);
    f.driver.park_pointer();
    f.driver.settle();
    CHECK(!f.says("a[1][2], of the group"));
}

TEST_CASE("steps, maps and a legend fit together into a small window, also at 150 %, with the present line") {
    const struct {
        float scale;
        int width, height;
    } kWindows[] = {{1, 396, 560}, {1.5f, 520, 860}};
    for (const auto& window : kWindows) {
        CAPTURE(window.scale);
        DeskState state = observed_state();
        auto& source = state.documents[0]->buffer();
        for (int line = 1; line < 20; ++line) source.type("    line " + std::to_string(line) + "\n");
        state.documents[0]->refresh();
        XrayStage f(state, window.width, window.height, {.scale = window.scale});
        f.show_memory();
        CHECK(f.label("xray/step/line") == "    line 9");
        for (int i = 0; i < 8; ++i) f.driver.click("xray/step/next");
        f.driver.settle();
        CHECK(f.label("xray/step/line") == "    line 11");
        CHECK(f.driver.at("xray/items").full.Max.x < f.driver.at("xray/map/0").full.Min.x);
        for (const char* last : {"xray/map/0", "xray/map/3", "xray/legend/counts"})
            CHECK(f.driver.at(last).full.Max.y < static_cast<float>(window.height));
    }
}

TEST_CASE("faults are marked, and a button goes from one to the next") {
    XrayStage f(observed_state({.is_undefined = true}));
    f.show_memory();
    f.driver.click("xray/step/next_alarm");
    f.driver.pump();
    CHECK(f.driver.has("xray/step/alarm"));
    XrayStage calm(observed_state());
    calm.show_memory();
    CHECK(!calm.driver.has("xray/step/next_alarm"));
}

TEST_CASE("the traced work-group is chosen, and one that does not exist is refused") {
    XrayStage f(observed_state());
    f.show_memory();
    const auto type_group = [&](const char* group) {
        f.driver.click("xray/group");
        f.driver.key(ctrl(Key::A));
        f.driver.type(group);
        f.driver.key(plain(Key::Enter));
        f.driver.settle();
    };
    type_group("1, 2");
    CHECK(f.panel.target().group == std::vector<std::uint64_t>{1, 2, 0});
    type_group("4, 0");
    CHECK(f.panel.target().group == std::vector<std::uint64_t>{1, 2, 0});
}

TEST_CASE("a group that was not observed says so, and a trace that was cut as well") {
    DeskState state = observed_state();
    XrayReport report = sample_xray();
    report.trace->is_whole = false;
    state.xrays[0].shown = shown_xray("tiled", report);
    XrayStage cut(state);
    cut.show_memory();
    CHECK(cut.driver.has("xray/cut_trace"));
    report.trace.reset();
    state.xrays[0].shown = shown_xray("tiled", report);
    XrayStage none(state);
    none.show_memory();
    CHECK(none.driver.has("xray/no_trace"));
    CHECK(none.driver.has("xray/map/0"));
}

TEST_CASE("nothing of the X-ray panel overlaps, is cut or lies outside: sizes, scales, themes, both views") {
    const struct { int width, height; } kWindows[] = {{1024, 640}, {1600, 1000}, {2400, 1500}};
    for (const Theme theme : {Theme::Dark, Theme::Light})
        for (const float scale : {1.0f, 1.5f})
            for (const auto& window : kWindows)
                for (const bool memory : {false, true})
                    for (const std::uint32_t edge : {8u, 32u}) {
                        const int width = std::max(window.width * 27 / 100, static_cast<int>(300 * scale));
                        const int height = window.height * 92 / 100;
                        CAPTURE(width);
                        CAPTURE(scale);
                        CAPTURE(memory);
                        CAPTURE(edge);
                        XrayStage f(observed_state({.edge = edge, .is_undefined = edge == 8}), width, height,
                                    {.theme = theme, .scale = scale});
                        if (memory) f.show_memory();
                        for (const std::string& fault :
                             check_layout(f.stage.look().probes(), static_cast<float>(width),
                                          static_cast<float>(height)))
                            FAIL_CHECK(fault);
                    }
}

}  // namespace
}  // namespace kwb::test
