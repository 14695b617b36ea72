// SPDX-License-Identifier: Apache-2.0
// The panel of reasons with sample states, without a window.
#include <doctest/doctest.h>

#include "gui/gui_driver.hpp"
#include "gui/panel_sketch.hpp"
#include "gui/panels/reasons_panel.hpp"
#include "gui/sample_state.hpp"
#include "gui/stage.hpp"
#include "report/charts.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

/// The panel, after its reasons have followed the state.
struct FollowingPanel {
    RunReasons& reasons;
    ReasonsPanel& panel;
    std::optional<RunReasons::Proof> asked = {};
    void draw(const DeskState& state, Commands& commands) {
        reasons.follow(state);
        panel.draw(state, commands);
        if (reasons.asked) asked = reasons.asked;
    }
};

struct ReasonsStage {
    explicit ReasonsStage(DeskState state, int width = 900, int height = 1100)
        : stage(width, height), sketch(following, std::move(state)), driver(stage, sketch) {}
    PendingSave pending;
    ChartExports exports{pending};
    Hovered hovered;
    RunReasons reasons;
    ReasonsPanel panel{exports, hovered, reasons};
    FollowingPanel following{reasons, panel};
    WindowlessStage stage;
    PanelSketch<FollowingPanel> sketch;
    GuiDriver driver;
    std::string label(const std::string& id) { return driver.at(id).label; }
};

DeviceInfo cpu() {
    DeviceInfo device;
    device.kind = DeviceKind::Cpu;
    device.second_level_cache_bytes = 1u << 20;
    return device;
}

TEST_CASE("without results the panel says how to get reasons") {
    ReasonsStage f(empty_state());
    CHECK(f.label("reasons/empty/title").find("No reasons yet") != std::string::npos);
}

TEST_CASE("all reasons are listed with their evidence, and each leads to it") {
    ReasonsStage f(explained_state());
    REQUIRE(f.reasons.items().size() >= 2);
    CHECK(f.label("reasons/item/0").find("cache misses of B cost naive 50 %") == 0);
    CHECK(f.reasons.line().find("Because cache misses of B") == 0);
    CHECK(f.label("reasons/item/0/evidence").ends_with("measured with B always in the nearest cache"));
    f.driver.click("reasons/item/0/evidence");
    REQUIRE(f.following.asked);
    CHECK(f.following.asked->reason.basis == ReasonBasis::Measured);
    CHECK_FALSE(f.following.asked->wants_map);
    f.driver.click("reasons/item/0/map");
    CHECK(f.following.asked->wants_map);
    std::size_t counted = 0;
    while (f.reasons.items()[counted].reason.basis != ReasonBasis::Counted) ++counted;
    CHECK(f.reasons.chips() == std::vector<std::size_t>{0, counted});
    const std::string id = "reasons/item/" + std::to_string(counted) + "/evidence";
    CHECK(f.label(id).ends_with("counted: line 49 of tiled; line 35 of naive"));
    f.driver.click(id);
    CHECK(f.following.asked->reason.basis == ReasonBasis::Counted);
}

TEST_CASE("a run that was not measured has its times, and says how to measure") {
    DeskState state = explained_state();
    const DeviceInfo device = cpu();
    state.device = &device;
    auto run = std::make_shared<ShownRun>(*state.shown);
    for (KernelResult& result : run->run.results) result.effects.reset();
    state.shown = run;
    ReasonsStage f(std::move(state));
    CHECK(f.driver.has("reasons/chart"));
    CHECK(f.label("reasons/how").find("Why? measures it now") != std::string::npos);
    f.driver.click("reasons/why");
    REQUIRE(f.sketch.last<command::Run>());
    CHECK(f.sketch.last<command::Run>()->why);
    f.driver.click("reasons/idle");
    REQUIRE(f.sketch.last<command::ChangeSettings>());
    Settings settings;
    f.sketch.last<command::ChangeSettings>()->change(settings);
    CHECK_FALSE(settings.explains);
    f.sketch.state.explaining = 0;
    f.driver.settle();
    CHECK(f.label("reasons/explaining").find("what costs naive time") != std::string::npos);
    CHECK_FALSE(f.driver.has("reasons/how"));
}

TEST_CASE("below the headline about the CPU's library, the answer about the kernels comes first") {
    DeskState state = explained_state();
    auto run = std::make_shared<ShownRun>(*state.shown);
    KernelResult library = run->run.results[1];
    library.kernel = kHostBlasName;
    library.effects.reset();
    library.xray.reset();
    library.median_ms = *library.median_ms / 100;
    run->run.results.push_back(library);
    run->labels.push_back(kHostBlasName);
    state.shown = run;
    ReasonsStage f(std::move(state));
    CHECK(f.reasons.answer().subject == 2);
    CHECK(f.reasons.explained().subject == 1);
    CHECK(f.reasons.line().find("tiled is ") == 0);
    CHECK(f.reasons.line().find("as fast as naive. Because ") != std::string::npos);
}

TEST_CASE("where nothing differs in time, what a cache hides stands below the headline") {
    DeskState state = explained_state();
    const DeviceInfo device = cpu();
    state.device = &device;
    auto run = std::make_shared<ShownRun>(*state.shown);
    run->run.results[1].speedup = Speedup{"matmul/naive", 1.01, Interval{0.99, 1.03}};
    for (KernelResult& result : run->run.results) result.effects.reset();
    state.shown = run;
    ReasonsStage f(std::move(state));
    CHECK(f.reasons.answer().kind == Answer::Kind::NoDifference);
    f.sketch.state.device = nullptr;
    f.driver.settle();
    CHECK(f.reasons.line().find("What differs: tiled requests 1 MiB") == 0);
    f.sketch.state.device = &device;
    f.driver.settle();
    CHECK(f.reasons.line().find("second-level cache of this CPU") != std::string::npos);
}

TEST_CASE("nothing is said of reasons that nobody has looked for") {
    DeskState state = explained_state();
    auto run = std::make_shared<ShownRun>(*state.shown);
    for (KernelResult& result : run->run.results) result.effects.reset();
    run->run.results[1] = run->run.results[0];
    run->run.results[1].speedup = Speedup{"matmul/naive", 1.5, Interval{1.4, 1.6}};
    state.shown = run;
    ReasonsStage f(std::move(state));
    CHECK(f.driver.has("reasons/none"));  // both were counted
    auto uncounted = std::make_shared<ShownRun>(*run);
    uncounted->run.results[0].xray.reset();
    f.sketch.state.shown = uncounted;
    f.driver.settle();
    CHECK_FALSE(f.driver.has("reasons/none"));
    auto partly = std::make_shared<ShownRun>(*run);
    for (KernelResult& result : partly->run.results) result.effects.emplace();
    partly->run.results[0].xray.emplace().state = XrayState::Observed;
    f.sketch.state.shown = partly;
    f.driver.settle();
    CHECK(f.driver.at("reasons/none").label.find("X-ray observed only a part of naive") != std::string::npos);
}

TEST_CASE("each experiment is a bar of its own, and what was not seen has none") {
    const DeskState state = explained_state();
    const ChartedRun run{state.shown->run.results, state.shown->labels, 0, "a CPU"};
    const plot::Chart chart = reasons_chart(run);
    REQUIRE(chart.series.size() == 2);
    CHECK(chart.y.categories ==
          std::vector<std::string>{"naive", "misses of A", "misses of B", "misses of all inputs", "left over",
                                   "starting the work-groups", "tiled", "misses of A", "misses of B",
                                   "misses of all inputs", "starting the work-groups", "barriers",
                                   "left over"});
    CHECK(plot::bar_at(chart, 0, 0).value == 182);
    CHECK(plot::bar_at(chart, 0, 1).missing == "no effect seen");
    CHECK_FALSE(plot::bar_at(chart, 0, 1).value);
    CHECK(plot::bar_at(chart, 0, 2).value == 91);
    CHECK(plot::bar_at(chart, 0, 2).interval->low == doctest::Approx(0.48 * 182));
    CHECK(plot::bar_at(chart, 0, 4).value == doctest::Approx(0.49 * 182));  // without all inputs' misses
    CHECK(plot::bar_at(chart, 1, 5).category == 11);
    CHECK(plot::bar_at(chart, 1, 6).value == doctest::Approx(0.9 * 61));
    // Where nothing was seen to cost time, no bar of what is left over is longer than the kernel's.
    std::vector<KernelResult> unseen = state.shown->run.results;
    unseen[0].effects = {{.share = -0.29, .interval = Interval{-0.5, 0.2}},
                         {.what = WhatIf::EmptyKernel, .share = 0.01, .interval = Interval{0.009, 0.02}}};
    const plot::Chart whole = reasons_chart({unseen, state.shown->labels, 0, "a CPU"});
    CHECK_FALSE(plot::bar_at(whole, 0, 2).value);
    CHECK(plot::bar_at(whole, 0, 2).missing == "all of it, as far as was seen");
    const plot::Chart card = reasons_card(run);
    CHECK(card.title == "tiled is 2.98\u00d7 as fast as naive");
    CHECK(card.notes.front().find("Because cache misses of B cost naive 50 %") == 0);
}

TEST_CASE("a click on measured evidence points at the bars of its experiment") {
    ReasonsStage f(explained_state());
    const std::size_t layouts = f.panel.chart().layouts_made();
    f.panel.point_at(f.reasons.items().front().reason);
    f.driver.settle();
    CHECK(f.panel.chart().layouts_made() > layouts);
}

TEST_CASE("the card is saved as SVG with the answer and its reasons") {
    ReasonsStage f(explained_state());
    f.driver.click("reasons/card");
    f.driver.click("reasons/card/svg");
    REQUIRE(f.sketch.last<command::OpenDialog>());
    CHECK(f.sketch.last<command::OpenDialog>()->name == "matmul-reasons.svg");
}

}  // namespace
}  // namespace kwb::test
