// SPDX-License-Identifier: Apache-2.0
// The correctness panel with sample states, without a window.
#include <doctest/doctest.h>

#include "gui/gui_driver.hpp"
#include "gui/panel_sketch.hpp"
#include "gui/panels/correctness_panel.hpp"
#include "gui/sample_state.hpp"
#include "gui/stage.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Theme = gui::Theme;  // kwb::Theme of the settings also exists

DeskState selecting(DeskState state, std::size_t index) {
    state.selected = index;
    return state;
}

struct CorrectnessStage {
    explicit CorrectnessStage(DeskState state, int width = 460, int height = 1400, LookOptions look = {})
        : stage(width, height, std::move(look)), sketch(panel, std::move(state)), driver(stage, sketch) {}
    PendingSave pending;
    ChartExports exports{pending};
    Hovered hovered;
    RunReasons reasons;
    CorrectnessPanel panel{exports, hovered, reasons};
    WindowlessStage stage;
    PanelSketch<CorrectnessPanel> sketch;
    GuiDriver driver;
    std::string label(const std::string& id) { return driver.at(id).label; }
    bool says(const std::string& words) { return driver.says(words); }
};

TEST_CASE("before anything has run the panel shows the launch, and later on request") {
    DeskState state = empty_state();
    state.preview.contestants.resize(1);
    state.preview.contestants[0].label = "naive";
    CorrectnessStage f(state);
    CHECK(f.label("launch/heading") == "Launch of naive");
    CorrectnessStage later(selecting(mixed_state(), 0));
    CHECK_FALSE(later.driver.has("launch/heading"));
    later.driver.click("correctness/launch");
    CHECK_FALSE(later.driver.has("correctness/verdict/title"));
    later.driver.click("correctness/launch");
    CHECK(later.driver.has("correctness/verdict/title"));
}

TEST_CASE("a correct result says so, and how near the bound it came") {
    CorrectnessStage f(selecting(mixed_state(), 0));
    CHECK(f.label("correctness/verdict/title").find("Correct") != std::string::npos);
    CHECK(f.label("correctness/verdict/sentence").find("12.0 % of bound") != std::string::npos);
    CHECK(!f.says("allclose"));  // a second opinion next to the verdict only confuses
}

TEST_CASE("a wrong result has its sentence, its map, its first wrong elements and the hint") {
    CorrectnessStage f(selecting(mixed_state(), 2));
    CHECK(f.label("correctness/verdict/title").find("Wrong") != std::string::npos);
    CHECK(f.label("correctness/verdict/sentence").find("C[0][896] is wrong") != std::string::npos);
    CHECK(f.driver.has("correctness/map"));
    CHECK(f.label("correctness/wrong/cell/0/0") == "C[0][896]");
    CHECK(f.label("correctness/wrong/cell/0/2") == "nan");
    CHECK(f.says("20480 of 1048576"));
    CHECK(f.label("correctness/hint/0/sentence").find("K / TILE") != std::string::npos);
}

TEST_CASE("in a wide panel the first wrong elements stand next to the map, with the lines that store") {
    DeskState state = selecting(mixed_state(), 2);
    auto shown = std::make_shared<ShownRun>(*state.shown);
    XrayReport& counts = shown->run.results[2].xray.emplace().counts.emplace();
    for (const char* const name : {"A", "C"}) {
        auto& buffer = counts.buffers.emplace_back();
        buffer.name = name;
        buffer.type = "float";
    }
    counts.sites = {{.place = {"", 7, 1}, .buffer = 0},
                    {.place = {"", 9, 1}, .kind = AccessKind::Store, .buffer = 1}};
    state.shown = shown;
    CorrectnessStage f(std::move(state), 1000);
    f.driver.settle();
    const ImRect map = f.driver.at("correctness/map").full;
    CHECK(f.driver.at("correctness/wrong/heading").full.Min.x > map.Max.x);
    CHECK(f.driver.at("correctness/wrong/heading").full.Min.y < map.Max.y);
    CHECK(map.GetWidth() > 500);
    CHECK(f.label("correctness/stores/heading").starts_with("C is stored to in"));
    CHECK(f.driver.has("correctness/stores/9"));
    CHECK_FALSE(f.driver.has("correctness/stores/7"));
}

/// Move the pointer over a cell of the 64 × 64 map.
void hover_cell(CorrectnessStage& f, double row, double column) {
    const plot::ChartLayout& layout = f.panel.map().layout();
    REQUIRE(layout.heat);
    const plot::Rect cells = layout.heat->cells;
    const ImRect map = f.driver.at("correctness/map").full;
    f.driver.hover("correctness/map", (cells.x + cells.width * (column + 0.5) / 64) / (map.GetWidth() - 1),
                   (cells.y + cells.height * (row + 0.5) / 64) / (map.GetHeight() - 1));
}

TEST_CASE("a cell of the map tells its worst element, what was expected and got, and the bound") {
    CorrectnessStage f(selecting(mixed_state(), 2), 560);
    CHECK(f.driver.at("correctness/map").full.GetWidth() > 300);
    const std::string tip = "correctness/map/tooltip/";
    hover_cell(f, 62, 50);
    CHECK(f.label(tip + "0") == "Row 995, column 805");
    CHECK(f.label(tip + "1") == "expected 500.25");
    CHECK(f.label(tip + "2") == "got 482.75");
    CHECK(f.label(tip + "3").find("\u00d7 the bound") != std::string::npos);
    CHECK(f.label(tip + "4").find("992") != std::string::npos);
    hover_cell(f, 0, 56);
    CHECK(f.label(tip + "2") == "got nan");
    CHECK(f.label(tip + "3") == "beyond any bound");
    hover_cell(f, 20, 20);
    CHECK(f.label(tip + "3").find("% of bound") != std::string::npos);
}

TEST_CASE("a map that did not keep its worst elements tells the wrong ones that are known") {
    DeskState state = selecting(mixed_state(), 2);
    auto run = std::make_shared<ShownRun>(*state.shown);
    run->run.results[2].error_map->worst_elements.clear();
    state.shown = run;
    CorrectnessStage f(std::move(state), 560);
    hover_cell(f, 0, 56);
    CHECK(f.says("C[0][896]: expected 511.25, got nan"));
}

TEST_CASE("a tooltip has room for all of its lines from the first frame on") {
    CorrectnessStage f(selecting(mixed_state(), 2), 560);
    hover_cell(f, 62, 50);
    const auto holds_its_lines = [&] {
        const ImGuiWindow* tooltip = nullptr;
        for (const ImGuiWindow* window : GImGui->Windows)
            if (window->WasActive && (window->Flags & ImGuiWindowFlags_Tooltip) != 0) tooltip = window;
        REQUIRE(tooltip != nullptr);
        const float bottom = f.driver.at("correctness/map/tooltip/4").full.Max.y;
        CHECK(bottom + tooltip->WindowPadding.y <= tooltip->Pos.y + tooltip->Size.y + 0.5f);
    };
    holds_its_lines();
}

TEST_CASE("no count of wrong elements is shown for an unchecked result") {
    DeskState state = selecting(mixed_state(), 3);
    auto run = std::make_shared<ShownRun>(*state.shown);
    run->run.results[3].verdict = Verdict::Skipped;
    run->run.results[3].wrong_elements = 0;
    state.shown = run;
    CorrectnessStage f(std::move(state));
    CHECK_FALSE(f.says("Wrong elements"));
}

TEST_CASE("a stray access shows buffer, element and work-item") {
    CorrectnessStage f(selecting(mixed_state(), 3));
    CHECK(f.label("correctness/verdict/title").find("Out of bounds") != std::string::npos);
    CHECK(f.says("(1024, 0)"));
    CHECK(f.says("1048576"));
    CHECK(f.says("SIGSEGV"));
    CHECK_FALSE(f.driver.has("correctness/map"));
}

TEST_CASE("a rejected source shows the compiler's messages and its log, which can be copied") {
    CorrectnessStage f(selecting(mixed_state(), 4));
    CHECK(f.label("correctness/verdict/title").find("Compile error") != std::string::npos);
    CHECK(f.label("correctness/diagnostic/0/sentence").find("acc2") != std::string::npos);
    CHECK(f.label("correctness/diagnostic/0/place") == "Error, line 12");
    REQUIRE(f.driver.has("correctness/log"));
    f.driver.click("correctness/log/copy");
    CHECK(std::string(ImGui::GetClipboardText()).find("1 error and 1 warning") != std::string::npos);
}

TEST_CASE("a message at an open source is a button that brings it to the front") {
    DeskState state = selecting(mixed_state(), 4);
    state.documents.push_back(std::make_shared<Document>(7, "kernels/matmul/typo.cl", true));
    CorrectnessStage f(std::move(state));
    f.driver.click("correctness/diagnostic/0/place");
    REQUIRE(f.sketch.last<command::BringToFront>());
    CHECK(f.sketch.last<command::BringToFront>()->document == 7);
    CHECK(f.sketch.last<command::BringToFront>()->line == 11);
}

TEST_CASE("a fault that the kernel's file announces is as it should be, with its reason and output") {
    CorrectnessStage f(selecting(mixed_state(), 5));
    CHECK(f.label("correctness/verdict/title").find("as expected") != std::string::npos);
    CHECK(f.label("correctness/verdict/sentence").find("counts with an unsigned number") ==
          std::string::npos);
    f.driver.click("correctness/explain");
    CHECK(f.label("correctness/cause").find("counts with an unsigned number") != std::string::npos);
    CHECK(f.driver.has("correctness/output"));
}

TEST_CASE("the strip chooses the contestant") {
    CorrectnessStage f(selecting(mixed_state(), 0));
    f.driver.click("correctness/contestant/4");
    REQUIRE(f.sketch.last<command::SelectContestant>());
    CHECK(f.sketch.last<command::SelectContestant>()->index == 4);
}

TEST_CASE("pointing at a kernel in the strip lights it up") {
    CorrectnessStage f(selecting(mixed_state(), 0));
    f.driver.hover("correctness/contestant/3");
    f.hovered.end_frame();
    CHECK(f.hovered.lit() == 3);
    f.driver.park_pointer();
    f.hovered.end_frame();
    f.driver.pump();
    f.hovered.end_frame();
    CHECK(f.hovered.lit() == std::nullopt);
}

TEST_CASE("a selection beyond the results shows the last one, and a label without result nothing") {
    DeskState state = selecting(mixed_state(), 99);
    CorrectnessStage f(std::move(state));
    CHECK(f.label("correctness/verdict/title").find("Timeout") != std::string::npos);
}

TEST_CASE("odd data is shown as far as it can be, whoever is selected") {
    for (std::size_t selected = 0; selected < 7; ++selected) {
        CAPTURE(selected);
        CorrectnessStage f(selecting(odd_state(), selected), 420, 700);
        for (const std::string& fault : check_layout(f.stage.look().probes(), 420, 700)) FAIL_CHECK(fault);
        if (selected == 4) CHECK(f.says("180 more in the build log"));
    }
}

TEST_CASE("nothing of the panel overlaps, is cut or lies outside: sizes, scales, themes, verdicts") {
    const struct { int width, height; } kWindows[] = {{1024, 640}, {1600, 1000}, {2400, 1500}};
    const DeskState mixed = mixed_state(), many = many_kernels();
    for (const Theme theme : {Theme::Dark, Theme::Light})
        for (const float scale : {1.0f, 1.5f})
            for (const auto& window : kWindows)
                for (std::size_t selected = 0; selected < 8; ++selected) {
                    // The panel's share of the window: the right quarter, a little more in small windows.
                    const int width = std::max(window.width * 27 / 100, static_cast<int>(300 * scale));
                    const int height = window.height * 92 / 100;
                    CAPTURE(selected);
                    CAPTURE(width);
                    CAPTURE(scale);
                    const DeskState& state = selected < 6 ? mixed : selected == 6 ? many : empty_state();
                    CorrectnessStage f(selected < 6 ? selecting(state, selected) : state, width, height,
                                       {.theme = theme, .scale = scale});
                    for (const std::string& fault : check_layout(
                             f.stage.look().probes(), static_cast<float>(width), static_cast<float>(height)))
                        FAIL_CHECK(fault);
                }
}

}  // namespace
}  // namespace kwb::test
