// SPDX-License-Identifier: Apache-2.0
// Pixels of the times and correctness panels, kept for inspection; charts as PNG files.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gui/gl_pictures.hpp"
#include "gui/gui_driver.hpp"
#include "gui/panel_sketch.hpp"
#include "gui/panels/correctness_panel.hpp"
#include "gui/panels/reasons_panel.hpp"
#include "gui/panels/results_table.hpp"
#include "gui/panels/story_view.hpp"
#include "gui/panels/times_panel.hpp"
#include "gui/panels/xray_panel.hpp"
#include "gui/picture_stage.hpp"
#include "gui/sample_state.hpp"
#include "lessons/lesson.hpp"
#include "report/charts.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Theme = gui::Theme;  // kwb::Theme of the settings also exists

/// Both panels next to each other, as in the workbench.
class BothPanels : public Program {
public:
    BothPanels(ChartExports& exports, DeskState initial)
        : state(std::move(initial)), times_(exports, hovered_), correctness_(exports, hovered_, reasons_) {}
    void draw() override {
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(size);
        ImGui::Begin("sketch", nullptr, ImGuiWindowFlags_NoDecoration);
        {
            const Card card("times", {size.x * 0.66f, 0}, "Times", kIconBars);
            times_.draw(state, commands);
        }
        ImGui::SameLine();
        {
            const Card card("correctness_card", {0, 0}, "Correctness", kIconCheck);
            correctness_.draw(state, commands);
        }
        ImGui::End();
    }

    DeskState state;
    Commands commands;

private:
    Hovered hovered_;
    RunReasons reasons_;
    TimesPanel times_;
    CorrectnessPanel correctness_;
};

/// The pictures of letters of a lesson's text.
class LessonDrawings : public Program {
public:
    explicit LessonDrawings(const std::vector<std::string>& lessons) {
        for (const std::string& lesson : lessons)
            for (StoryBlock& block :
                 story_blocks(read_lesson(std::filesystem::path(KWB_SHIPPED_LESSONS) / lesson).story, {}))
                if (block.kind == StoryBlock::Kind::Code) blocks_.push_back(std::move(block));
    }
    void draw() override {
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
        ImGui::Begin("sketch", nullptr, ImGuiWindowFlags_NoDecoration);
        draw_story("story", blocks_, {});
        ImGui::End();
    }

private:
    std::vector<StoryBlock> blocks_;
};

TEST_CASE("the pictures of letters in lessons, as strokes") {
    PictureStage stage(1100, 1000, {});
    LessonDrawings drawings({"04_memories", "06_sharing", "08_trees", "11_registers", "15_host"});
    GuiDriver driver(stage, drawings);
    stage.keep("lesson_drawings");
    CHECK(driver.has("story/0/0"));
}

TEST_CASE("X-ray's numbers of one kernel, of two, and in a narrow panel") {
    const struct {
        const char* name;
        int width, height;
        Theme theme;
        std::optional<std::size_t> other;
    } kPictures[] = {
        {"xray_numbers", 620, 700, Theme::Dark, {}},
        {"xray_pair", 900, 800, Theme::Dark, 1},
        {"xray_pair_light", 460, 700, Theme::Light, 1},
    };
    for (const auto& wanted : kPictures) {
        CAPTURE(wanted.name);
        DeskState state = observed_state();
        state.other = wanted.other;
        state.course.glossary = {{"sector", "32 bytes of global memory."}};
        PictureStage stage(wanted.width, wanted.height, {.theme = wanted.theme});
        XrayPanel panel;
        PanelSketch<XrayPanel> sketch(panel, std::move(state));
        GuiDriver driver(stage, sketch);
        driver.hover("xray/table/0/head/1");
        driver.hover("xray/table/2/head/3");
        driver.settle();
        stage.keep(wanted.name);
        CHECK(driver.has("xray/table/0/cell/0/1"));
    }
}

DeskState logarithmic(DeskState state) {
    state.settings.switches = {{"log/times", true}, {"log/speedup", true}};
    return state;
}

TEST_CASE("both panels in both themes and at several sizes") {
    const struct {
        const char* name;
        int width, height;
        float scale;
        Theme theme;
        DeskState state;
        const char* tab;
        std::size_t selected;
    } kPictures[] = {
        {"results_mixed_dark", 1200, 700, 1, Theme::Dark, mixed_state(), "times", 2},
        {"results_mixed_light", 1200, 700, 1, Theme::Light, mixed_state(), "phases", 4},
        {"results_many_dark", 1800, 1100, 1.5f, Theme::Dark, many_kernels(), "distribution", 0},
        {"results_many_light", 1200, 760, 1, Theme::Light, many_kernels(), "times", 1},
        {"results_rounds", 1200, 760, 1, Theme::Dark, many_kernels(), "rounds", 1},
        {"results_small", 780, 500, 1, Theme::Light, mixed_state(), "speedup", 3},
        {"results_running", 1200, 700, 1, Theme::Dark, running_state(), "times", 1},
        {"results_sweep", 1200, 700, 1, Theme::Light, sweep_state(), "sweep", 1},
        {"results_sweeps_compared", 1200, 700, 1, Theme::Dark, compared_sweeps_state(), "sweep", 1},
        {"results_roofline", 1200, 700, 1, Theme::Dark, sweep_state(), "roofline", 1},
        {"results_compared", 1200, 700, 1, Theme::Light, compared_state(), "times", 1},
        {"results_compared_125", 1500, 950, 1.25f, Theme::Dark, compared_state(), "times", 1},
        {"results_compared_200", 1600, 1300, 2, Theme::Light, compared_state(), "times", 1},
        {"results_logarithmic", 1200, 700, 1, Theme::Dark, logarithmic(compared_state()), "times", 1},
        {"results_speedup_logarithmic", 1200, 700, 1.5f, Theme::Light, logarithmic(many_kernels()), "speedup",
         1},
        {"results_sweep_200", 1800, 1300, 2, Theme::Dark, compared_sweeps_state(), "sweep", 1},
        {"results_empty", 1200, 700, 1, Theme::Dark, empty_state(), "times", 0},
    };
    for (const auto& wanted : kPictures) {
        CAPTURE(std::string(wanted.name));
        PictureStage stage(wanted.width, wanted.height, {.theme = wanted.theme, .scale = wanted.scale});
        PendingSave pending;
        ChartExports exports(pending);
        BothPanels panels(exports, wanted.state);
        panels.state.selected = wanted.selected;
        panels.state.settings.tabs = {{"times", wanted.tab}};
        GuiDriver driver(stage, panels);
        stage.keep(wanted.name);
        const PictureStage::Picture picture = stage.picture();
        CHECK(picture.at(6, 6) == palette(wanted.theme).window.rgb);
    }
}

/// The answer above the panel of its reasons.
class AnswerAndReasons : public Program {
public:
    AnswerAndReasons(ChartExports& exports, DeskState initial)
        : state(std::move(initial)), panel_(exports, hovered_, reasons_) {}
    void draw() override {
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
        ImGui::Begin("sketch", nullptr, ImGuiWindowFlags_NoDecoration);
        reasons_.follow(state);
        draw_answer_strip(state, nullptr, reasons_, hovered_, commands);
        {
            const Card card("reasons_card", {ImGui::GetIO().DisplaySize.x / 2, 0}, "Reasons", kIconQuestion);
            panel_.draw(state, commands);
        }
        if (reasons_.asked) panel_.point_at(reasons_.asked->reason);
        ImGui::End();
    }

    DeskState state;
    Commands commands;

private:
    Hovered hovered_;
    RunReasons reasons_;
    ReasonsPanel panel_;
};

TEST_CASE("the reasons below the headline, in their panel, and on a card") {
    for (const auto& [width, theme] : {std::pair{1366, Theme::Light}, {2560, Theme::Dark}}) {
        PictureStage stage(width, width * 9 / 16, {.theme = theme});
        PendingSave pending;
        ChartExports exports(pending);
        AnswerAndReasons reasons(exports, explained_state());
        GuiDriver driver(stage, reasons);
        stage.keep("reasons_" + std::to_string(width));
        reasons.state.explaining = 1;
        driver.click("answer/evidence/0");
        driver.settle();
        stage.keep("reasons_pointed_" + std::to_string(width));
        CHECK(stage.picture().at(6, 6) == palette(theme).window.rgb);
        const std::string png =
            paint_png({reasons_card(charted(*reasons.state.shown)), {}, {800, 450}, theme == Theme::Dark});
        CHECK(png.starts_with("\x89PNG"));
        std::ofstream(
            stage.keep("reasons_card").parent_path() / ("reasons_card_" + std::to_string(width) + ".png"),
            std::ios::binary)
            << png;
    }
}

TEST_CASE("a tooltip over the error map, and the menu of a chart") {
    PictureStage stage(1600, 1000, {.theme = Theme::Light});
    PendingSave pending;
    ChartExports exports(pending);
    BothPanels panels(exports, mixed_state());
    GuiDriver driver(stage, panels);
    driver.hover("correctness/map", 0.66, 0.24);
    stage.keep("results_tooltip");
    CHECK(driver.has("correctness/map/tooltip/0"));
    driver.click("times/chart/more");
    driver.park_pointer();
    stage.keep("results_menu");
    CHECK(driver.has("times/chart/save_svg"));
}

TEST_CASE("a chart becomes a PNG of twice its size, and the window's own frames go on as before") {
    PictureStage stage(1200, 700);
    PendingSave pending;
    ChartExports exports(pending, paint_png);
    BothPanels panels(exports, mixed_state());
    GuiDriver driver(stage, panels);
    driver.park_pointer();
    const PictureStage::Picture before = stage.picture();
    driver.click("times/chart/more");
    driver.click("times/chart/save_png");
    REQUIRE(std::holds_alternative<command::OpenDialog>(panels.commands.back()));
    pending.finish("/tmp/times.png", panels.commands);
    const auto& bytes = std::get<command::ExportBytes>(panels.commands.back());
    REQUIRE(bytes.bytes.size() > 1000);
    CHECK(bytes.bytes.substr(1, 3) == "PNG");
    driver.park_pointer();
    CHECK(stage.picture().rgba == before.rgba);

    const KernelResult& wrong = panels.state.shown->run.results[2];
    const std::string map = paint_png({error_map_chart(wrong, "tail"), {}, {360, 320}, false});
    // Width and height are big-endian, after the name of the first chunk.
    const auto number = [&](std::size_t at) {
        unsigned value = 0;
        for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(map.at(at + i));
        return value;
    };
    CHECK(number(16) == 720);
    CHECK(number(20) == 640);
    if (const char* folder = std::getenv("KWB_GUI_PICTURES")) {
        std::ofstream(std::filesystem::path(folder) / "export_map.png", std::ios::binary) << map;
        std::ofstream(std::filesystem::path(folder) / "export_times.png", std::ios::binary) << bytes.bytes;
    }
}

}  // namespace
}  // namespace kwb::test
