// SPDX-License-Identifier: Apache-2.0
// The panel of times with sample states, without a window.
#include <doctest/doctest.h>

#include <algorithm>

#include "experiment/experiment.hpp"
#include "gui/gui_driver.hpp"
#include "gui/panel_sketch.hpp"
#include "gui/panels/times_panel.hpp"
#include "gui/sample_state.hpp"
#include "gui/stage.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Theme = gui::Theme;  // kwb::Theme of the settings also exists

struct TimesStage {
    explicit TimesStage(DeskState state, int width = 1100, int height = 760, LookOptions look = {})
        : stage(width, height, std::move(look)), sketch(panel, std::move(state)), driver(stage, sketch) {}
    PendingSave pending;
    ChartExports exports{pending};
    Hovered hovered;
    TimesPanel panel{exports, hovered};
    WindowlessStage stage;
    PanelSketch<TimesPanel> sketch;
    GuiDriver driver;
    std::string label(const std::string& id) { return driver.at(id).label; }
};

TEST_CASE("before anything has run the panel says what to do") {
    TimesStage f(empty_state());
    CHECK(f.label("times/empty/title").find("No times yet") != std::string::npos);
    CHECK_FALSE(f.driver.has("results/row/0"));
}

TEST_CASE("the table has a line a contestant: times, rates, speed-up, verdict") {
    TimesStage f(many_kernels());
    CHECK(f.label("results/cell/0/kernel") == "naive");
    CHECK(f.label("results/cell/0/time") == "182 ms");
    CHECK(f.label("results/cell/0/interval") == "179 – 185");
    CHECK(f.label("results/cell/0/speedup") == "baseline");
    CHECK(f.label("results/cell/7/speedup").find("10") == 0);
    CHECK(f.label("results/cell/0/verdict").find("correct") != std::string::npos);
    CHECK(f.label("results/cell/0/gflops") == "11.8");
    CHECK(f.driver.has("results/cell/7/kernel"));
}

TEST_CASE("a speed-up whose interval includes 1 is no difference") {
    DeskState state = many_kernels();
    auto run = std::make_shared<ShownRun>(*state.shown);
    run->run.results[1].speedup = Speedup{"matmul/naive", 1.01, Interval{0.98, 1.04}};
    state.shown = run;
    TimesStage f(std::move(state));
    CHECK(f.label("results/cell/1/speedup").find("no difference") != std::string::npos);
}

TEST_CASE("a line without a time says its verdict, and leaves its numbers empty") {
    TimesStage f(mixed_state());
    CHECK(f.label("results/cell/2/verdict").find("wrong") != std::string::npos);
    CHECK_FALSE(f.driver.has("results/cell/2/time"));
    CHECK(f.label("results/cell/5/verdict").find("timeout, as expected") != std::string::npos);
}

TEST_CASE("chart, table and notes share the height, so that nothing is cut off where all have room") {
    for (const int height : {600, 700, 800}) {
        CAPTURE(height);
        TimesStage f(mixed_state(), 520, height);
        f.driver.settle();
        REQUIRE(f.driver.has("times/note/0"));
        std::size_t last = 0;
        while (f.driver.has("times/note/" + std::to_string(last + 1))) ++last;
        const Probed& note = f.driver.at("times/note/" + std::to_string(last));
        CHECK(note.full.Max.y == note.rect.Max.y);
    }
}

TEST_CASE("in a low panel all bars and their axis are on the screen") {
    DeskState state = mixed_state();
    auto run = std::make_shared<ShownRun>(*state.shown);
    run->run.results.resize(2);
    run->labels.resize(2);
    state.shown = run;
    TimesStage f(std::move(state), 620, 300);
    f.driver.settle();
    const Probed& chart = f.driver.at("times/chart");
    CHECK(chart.full.Max.y == chart.rect.Max.y);
    CHECK(f.panel.chart().layout().plot.height > 70);
}

TEST_CASE("a click on a line selects its contestant") {
    TimesStage f(mixed_state());
    f.driver.click("results/row/3");
    REQUIRE(f.sketch.last<command::SelectContestant>());
    CHECK(f.sketch.last<command::SelectContestant>()->index == 3);
}

TEST_CASE("a click on a head sorts the lines, another reverses them, a third restores their order") {
    TimesStage f(mixed_state(), 1300);
    const auto order = [&] {
        std::vector<std::pair<float, int>> rows;
        for (int i = 0; f.driver.has("results/row/" + std::to_string(i)); ++i)
            rows.push_back({f.driver.at("results/row/" + std::to_string(i)).full.Min.y, i});
        std::sort(rows.begin(), rows.end());
        std::vector<int> lines;
        for (const auto& [y, row] : rows) lines.push_back(row);
        return lines;
    };
    const std::vector<int> as_run = {0, 1, 2, 3, 4, 5};
    CHECK(order() == as_run);
    f.driver.click("results/head/time");
    CHECK(order() == std::vector<int>{1, 0, 2, 3, 4, 5});  // 94.3 ms, 182 ms, and those without a time
    f.driver.click("results/head/time");
    CHECK(order() == as_run);
    f.driver.click("results/head/time");
    CHECK(order() == as_run);
    f.driver.click("results/head/verdict");
    const std::vector<int> by_verdict = order();
    CHECK(f.label("results/cell/" + std::to_string(by_verdict.front()) + "/verdict") <=
          f.label("results/cell/" + std::to_string(by_verdict.back()) + "/verdict"));
    f.driver.click("results/row/" + std::to_string(by_verdict.front()));
    REQUIRE(f.sketch.last<command::SelectContestant>());
    CHECK(f.sketch.last<command::SelectContestant>()->index == static_cast<std::size_t>(by_verdict.front()));
}

TEST_CASE("the table is copied with all of its columns, in the order that is seen") {
    TimesStage f(compared_state(), 700);
    f.driver.click("results/head/time");
    f.driver.click("results/row/2", 1);
    f.driver.click("results/copy");
    const std::string table = ImGui::GetClipboardText();
    CHECK(table.starts_with("kernel\ttime [ms]\t"));
    CHECK(table.find("\nlocal-prefetch") < table.find("\nnaive\t182"));
    CHECK(table.find("\t200\t") != std::string::npos);  // the earlier run
    CHECK(std::count(table.begin(), table.end(), '\n') == 9);
    CHECK(std::count(table.begin(), table.end(), '\t') == 9 * 13);
}

TEST_CASE("pointing at a line lights up its kernel in the chart") {
    TimesStage f(many_kernels());
    f.driver.hover("results/row/3");
    f.hovered.end_frame();
    CHECK(f.hovered.lit() == 3);
}

TEST_CASE("tabs bring their charts to the front, and the choice is remembered") {
    TimesStage f(sweep_state());
    for (const std::string tab :
         {"distribution", "rounds", "speedup", "phases", "sweep", "roofline", "times"}) {
        CAPTURE(tab);
        f.driver.click("times/tab/" + tab);
        CHECK(f.driver.has("times/chart"));
        const auto change = f.sketch.last<command::ChangeSettings>();
        REQUIRE(change);
        change->change(f.sketch.state.settings);
        const std::string* front = find_named(f.sketch.state.settings.tabs, "times");
        REQUIRE(front != nullptr);
        CHECK(*front == tab);
    }
}

TEST_CASE("the tab of the last session is in front") {
    DeskState state = sweep_state();
    state.settings.tabs = {{"times", "roofline"}};
    TimesStage f(std::move(state));
    CHECK(f.driver.has("times/ceilings/measure"));
}

TEST_CASE("a run under way shows the results so far; only the headline says how far it is") {
    TimesStage f(running_state());
    CHECK_FALSE(f.driver.has("times/progress"));
    CHECK(f.driver.has("results/row/1"));
    CHECK(f.driver.has("times/chart"));
}

TEST_CASE("results that come in while it runs grow table and chart, and the zoom stays") {
    TimesStage f(running_state());
    f.driver.ctrl_wheel("times/chart", 2);
    auto grown = std::make_shared<ShownRun>(*f.sketch.state.shown);
    grown->run.results.push_back(timed_result("vector4", 20));
    grown->labels.push_back("vector4");
    f.sketch.state.shown = grown;
    f.driver.settle();
    CHECK(f.driver.has("results/row/2"));
}

TEST_CASE("a zoom outlives a run of the same size, and ends with another") {
    TimesStage f(many_kernels());
    const auto span = [&] { return f.panel.chart().layout().x.range().span(); };
    const double whole = span();
    f.driver.ctrl_wheel("times/chart", 3);
    const double zoomed = span();
    CHECK(zoomed < 0.8 * whole);
    f.sketch.state.shown = many_kernels(50).shown;
    f.driver.settle();
    CHECK(span() == doctest::Approx(zoomed));
    auto other = std::make_shared<ShownRun>(*f.sketch.state.shown);
    other->run.sizes = {{"M", 64}, {"N", 64}, {"K", 64}};
    f.sketch.state.shown = other;
    f.driver.settle();
    CHECK(span() == doctest::Approx(whole).epsilon(0.02));  // different samples with nearly the same range
}

TEST_CASE("a failed run says why") {
    DeskState state = mixed_state();
    auto run = std::make_shared<ShownRun>(*state.shown);
    run->error = "The judge ended by signal SIGKILL; run again.";
    state.shown = run;
    TimesStage f(std::move(state));
    CHECK(f.label("times/error/sentence").find("SIGKILL") != std::string::npos);
}

TEST_CASE("warnings are said once for all that they are about, and all of them can be read") {
    TimesStage f(mixed_state());
    CHECK(f.label("times/warnings").find("1 warning") != std::string::npos);
    f.driver.click("times/warnings");
    CHECK(f.label("times/warnings/0").find("naive and tiled TILE=16: The rounds drift") != std::string::npos);
    CHECK(f.label("times/warnings/0").find("run again") != std::string::npos);
}

TEST_CASE("more time for each kernel is one click away from the warnings that advise it") {
    TimesStage f(mixed_state());
    f.sketch.state.choices.time_budget_ms = 1000;
    f.driver.settle();
    f.driver.click("times/warnings");
    CHECK(f.label("times/warnings/longer").ends_with("Raise the time per kernel to 4 s"));
    f.driver.click("times/warnings/longer");
    const auto edit = f.sketch.last<command::Edit>();
    REQUIRE(edit);
    edit->change(f.sketch.state.choices);
    CHECK(f.sketch.state.choices.time_budget_ms == 4000);
    CHECK(f.sketch.last<command::Run>());
    f.driver.settle();
    CHECK_FALSE(f.driver.has("times/warnings/0"));
    f.sketch.state.choices.time_budget_ms = 60'000;  // the longest that is offered
    f.driver.click("times/warnings");
    CHECK_FALSE(f.driver.has("times/warnings/longer"));
}

TEST_CASE("no button moves when a run begins, warns, stops or fails") {
    TimesStage f(empty_state(), 870, 500);
    const ImRect before = f.driver.at("times/tab/roofline").full;
    DeskState failed = mixed_state(), stopped = many_kernels();
    auto run = std::make_shared<ShownRun>(*failed.shown);
    run->error = "The judge ended by signal SIGKILL; run again.";
    failed.shown = run;
    auto half = std::make_shared<ShownRun>(*stopped.shown);
    half->stopped = true;
    stopped.shown = half;
    for (const DeskState& state : {mixed_state(), running_state(), failed, stopped, compared_state()}) {
        f.sketch.state = state;
        f.driver.settle();
        const ImRect now = f.driver.at("times/tab/roofline").full;
        CHECK(now.Min.x == before.Min.x);
        CHECK(now.Min.y == before.Min.y);
    }
}

TEST_CASE("each of eight kernels has its name at the chart, and a line in a table that does not scroll") {
    for (const bool compares : {false, true}) {
        TimesStage f(compares ? compared_state() : many_kernels(), 870, 470);
        for (const std::string tab : {"times", "distribution", "speedup"}) {
            CAPTURE(tab);
            f.driver.click("times/tab/" + tab);
            const plot::ChartLayout& layout = f.panel.chart().layout();
            REQUIRE(layout.y_ticks.size() == 8);
            for (const plot::Tick& tick : layout.y_ticks) CHECK_FALSE(tick.label.empty());
            CHECK(layout.plot.height > 8 * 14);
        }
        int scrolling = 0;
        for (const ImGuiWindow* window : GImGui->Windows)
            scrolling += window->WasActive && window->ScrollbarY;
        CHECK(scrolling <= 1);
        f.driver.click("results/row/0");
    }
}

TEST_CASE("names, numbers and ends of lines are labelled at every scale, with and without an earlier run") {
    for (const float scale : {1.0f, 1.25f, 1.5f, 2.0f})
        for (const bool compares : {false, true}) {
            CAPTURE(scale);
            CAPTURE(compares);
            const int width = static_cast<int>(520 * scale), height = static_cast<int>(600 * scale);
            TimesStage f(compares ? compared_state() : many_kernels(), width, height, {.scale = scale});
            const auto placed = [&](plot::TextRole role) {
                const auto& texts = f.panel.chart().layout().texts;
                return std::ranges::count(texts, role, &plot::PlacedText::role);
            };
            CHECK(placed(plot::TextRole::TickY) == 8);
            CHECK(placed(plot::TextRole::Value) >= 8);
            f.driver.click("times/tab/speedup");
            CHECK(placed(plot::TextRole::Value) == 8);
            f.driver.click("times/tab/rounds");
            const plot::ChartLayout& layout = f.panel.chart().layout();
            REQUIRE(layout.legend.size() == 8);
            for (const plot::LegendEntry& entry : layout.legend) CHECK(entry.line_end);
        }
}

TEST_CASE("the plot of a sweep and of a roofline takes the room first, and names its axes in full") {
    for (const int height : {300, 470, 900}) {
        CAPTURE(height);
        TimesStage f(sweep_state(), 870, height);
        for (const std::string tab : {"sweep", "roofline"}) {
            CAPTURE(tab);
            f.driver.click("times/tab/" + tab);
            const plot::ChartLayout& layout = f.panel.chart().layout();
            CHECK(layout.plot.height > 130);
            CHECK(layout.y_ticks.size() >= 3);
            CHECK(std::any_of(layout.texts.begin(), layout.texts.end(), [](const plot::PlacedText& placed) {
                return placed.role == plot::TextRole::AxisTitle && placed.text == "arithmetic [GFLOP/s]";
            }));
        }
    }
}

TEST_CASE("a run in which nothing was timed has no axis, but says what to do") {
    DeskState state = many_kernels();
    auto run = std::make_shared<ShownRun>(*state.shown);
    for (KernelResult& result : run->run.results) {
        result.verdict = Verdict::Skipped;
        result.median_ms.reset();
        result.samples_ms.clear();
    }
    run->stopped = true;
    state.shown = run;
    TimesStage f(std::move(state));
    CHECK(f.label("times/empty/title").find("Nothing was timed") != std::string::npos);
    CHECK_FALSE(f.driver.has("times/chart"));
    CHECK(f.driver.has("results/row/7"));
}

TEST_CASE("a number of three hundred digits takes no more room than another") {
    DeskState state = many_kernels();
    auto run = std::make_shared<ShownRun>(*state.shown);
    run->run.results[2].median_ms = run->run.results[2].gflops = 1e308;
    run->run.results[2].ci95_ms = Interval{1, 1e308};
    state.shown = run;
    TimesStage f(std::move(state));
    for (const char* column : {"time", "interval", "gflops"})
        CHECK(f.label(std::string("results/cell/2/") + column).size() < 40);
    CHECK(f.driver.has("results/cell/2/verdict"));
}

TEST_CASE("an earlier run stands beside the present one, in table and chart") {
    TimesStage f(compared_state(), 1300);
    CHECK(f.label("results/cell/0/earlier") == "200 ms");
    CHECK(f.label("results/cell/3/earlier") == "77.0 ms");
    CHECK_FALSE(f.driver.has("results/cell/1/earlier"));
    CHECK(f.label("results/cell/0/change") == "\u22129 %");
    CHECK_FALSE(f.driver.has("results/cell/1/change"));
    CHECK(f.label("times/run").find("earlier run of") != std::string::npos);
}

TEST_CASE("a run opened from the history is labelled as an older one, with its date") {
    DeskState state = many_kernels();
    state.shows_earlier = true;
    TimesStage f(std::move(state));
    CHECK(f.label("times/run").find("An older run, of 19") != std::string::npos);
}

TEST_CASE("a sweep goes over the chosen range, or over sizes typed here, checked and in order") {
    TimesStage f(empty_state());
    f.driver.click("times/tab/sweep");
    f.driver.click("times/sweep/start");
    REQUIRE(f.sketch.last<command::Sweep>());
    CHECK(f.sketch.last<command::Sweep>()->edges == sweep_steps(f.sketch.state.choices));
    f.driver.click("times/sweep/edges");
    f.driver.key(ctrl(Key::A));
    f.driver.type("2048, 32 32");
    f.driver.click("times/sweep/start");
    CHECK(f.sketch.last<command::Sweep>()->edges == std::vector<std::int64_t>{32, 2048});
    f.driver.click("times/sweep/edges");
    f.driver.key(ctrl(Key::A));
    f.driver.type("64 many");
    f.driver.settle();
    CHECK_FALSE(f.driver.at("times/sweep/start").enabled);
    CHECK(f.label("times/sweep/problem").find("many") != std::string::npos);
}

TEST_CASE("an earlier sweep of the same problem stands beside the present one, one of another does not") {
    const DeskState state = compared_sweeps_state();
    TimesStage f(state);
    f.driver.click("times/tab/sweep");
    f.driver.settle();
    const auto dashed = [&] {
        const auto& legend = f.panel.chart().layout().legend;
        return std::count_if(legend.begin(), legend.end(), [](const auto& entry) { return entry.dashed; });
    };
    CHECK(dashed() == 1);  // one entry for all of its kernels, with its date
    CHECK(f.panel.chart().layout().legend.front().name.starts_with("earlier sweep of "));
    auto other = std::make_shared<ShownSweep>(*state.compared_sweep);
    other->problem = "transpose";
    f.sketch.state.compared_sweep = other;
    f.driver.settle();
    CHECK(dashed() == 0);
}

TEST_CASE("the sweep's chart shows speed or time, as is chosen") {
    TimesStage f(sweep_state());
    f.driver.click("times/tab/sweep");
    const auto says = [&](const char* words) {
        const auto& texts = f.panel.chart().layout().texts;
        return std::any_of(texts.begin(), texts.end(), [&](const plot::PlacedText& placed) {
            return placed.role == plot::TextRole::AxisTitle && placed.text.find(words) != std::string::npos;
        });
    };
    CHECK(says("GFLOP/s"));
    f.driver.click("times/sweep/time");
    CHECK_FALSE(says("GFLOP/s"));
    CHECK(says("time"));
    f.driver.click("times/sweep/speed");
    CHECK(says("GFLOP/s"));
}

TEST_CASE("the map of a sweep replaces its chart") {
    TimesStage f(sweep_state());
    f.driver.click("times/tab/sweep");
    CHECK(f.driver.has("times/chart"));
    f.driver.click("times/sweep/map");
    CHECK_FALSE(f.driver.has("times/chart"));
    f.driver.click("times/sweep/speed");
    CHECK(f.driver.has("times/chart"));
}

TEST_CASE("the axis of times, speed-ups and sweeps is logarithmic on request, which is remembered") {
    TimesStage f(sweep_state());
    const auto kind = [&] {
        const plot::ChartLayout& layout = f.panel.chart().layout();
        return layout.has_rows() ? layout.x.kind() : layout.y.kind();
    };
    const auto toggle = [&] {
        f.driver.click("times/chart/log");
        REQUIRE(f.sketch.last<command::ChangeSettings>());
        f.sketch.last<command::ChangeSettings>()->change(f.sketch.state.settings);
        f.driver.settle();
    };
    f.driver.click("times/tab/sweep");
    for (const std::string name : {"times", "speedup", "sweep"}) {
        CAPTURE(name);
        f.driver.click("times/tab/" + name);
        // The speeds of this sweep are too far apart for a linear axis.
        const bool is_wide = name == "sweep";
        const auto before = is_wide ? plot::ScaleKind::Log10 : plot::ScaleKind::Linear;
        const auto after = is_wide ? plot::ScaleKind::Linear : plot::ScaleKind::Log10;
        CHECK(kind() == before);
        f.driver.ctrl_wheel("times/chart", 2);
        toggle();
        CHECK(kind() == after);
        CHECK_FALSE(f.panel.chart().view().is_zoomed());
        toggle();
        CHECK(kind() == before);
        toggle();
    }
    f.driver.click("times/sweep/time");  // its axis is logarithmic anyway
    CHECK(kind() == plot::ScaleKind::Log10);
    toggle();
    CHECK(kind() == plot::ScaleKind::Linear);
    f.driver.click("times/sweep/speed");
    CHECK(kind() == plot::ScaleKind::Linear);
    f.driver.click("times/tab/rounds");
    CHECK_FALSE(f.driver.has("times/chart/log"));
}

TEST_CASE("edges of a sweep are read whatever separates them, and faults are named") {
    CHECK(read_edges("8,4; 2 2").values == std::vector<std::int64_t>{2, 4, 8});
    CHECK(read_edges("").problem.find("at least one") != std::string::npos);
    for (const char* text : {"0", "-4", "1.5", "64x", "99999999999999999999", "2000000"}) {
        CAPTURE(text);
        CHECK_FALSE(read_edges(text).problem.empty());
    }
}

TEST_CASE("a sweep under way can be stopped, and says how far it is") {
    DeskState state = running_state();
    state.is_busy = true;
    auto sweep = std::make_shared<ShownSweep>(*sweep_state().sweep);
    sweep->finished = false;
    sweep->results.resize(3);
    state.sweep = sweep;
    state.settings.tabs = {{"times", "sweep"}};
    TimesStage f(std::move(state));
    CHECK(f.label("times/progress").find("3 sizes done") != std::string::npos);
    f.driver.click("times/sweep/stop");
    CHECK(f.sketch.last<command::Stop>());
}

TEST_CASE("ceilings are measured by a button, told while they are, and drawn afterwards") {
    DeskState state = many_kernels();
    state.settings.tabs = {{"times", "roofline"}};
    TimesStage f(std::move(state));
    f.driver.click("times/ceilings/measure");
    CHECK(f.sketch.last<command::MeasureCeilings>());
    f.sketch.state.measuring_ceilings = true;
    f.driver.settle();
    CHECK(f.label("times/ceilings/state").find("Measuring") != std::string::npos);
    f.sketch.state.measuring_ceilings = false;
    f.sketch.state.ceilings = sweep_state().ceilings;
    f.driver.settle();
    CHECK(f.label("times/ceilings/state").find("412 GFLOP/s and 38 GB/s") != std::string::npos);
    f.sketch.state.ceilings_error = "The copy kernel was not timed: out of memory.";
    f.driver.settle();
    CHECK(f.label("times/ceilings/error/sentence").find("out of memory") != std::string::npos);
}

TEST_CASE("tabs and lines are reached and chosen by keyboard alone") {
    TimesStage f(many_kernels());
    f.driver.click("times/tab/times");
    f.driver.key(plain(Key::Right));
    CHECK(f.driver.at("times/tab/distribution").focused);
    f.driver.key(plain(Key::Space));
    CHECK(f.sketch.last<command::ChangeSettings>());
    f.driver.key(plain(Key::Down));
    CHECK((f.driver.at("times/chart").focused || f.driver.at("times/chart/more").focused));
    for (int i = 0; i < 3 && !f.driver.at("results/row/0").focused; ++i) f.driver.key(plain(Key::Down));
    CHECK(f.driver.at("results/row/0").focused);
    f.driver.key(plain(Key::Space));
    REQUIRE(f.sketch.last<command::SelectContestant>());
    CHECK(f.sketch.last<command::SelectContestant>()->index == 0);
}

TEST_CASE("odd data is shown as far as it can be, in every tab") {
    TimesStage f(odd_state(), 700, 600);
    for (const std::string tab :
         {"times", "distribution", "rounds", "speedup", "phases", "sweep", "roofline"}) {
        CAPTURE(tab);
        f.driver.click("times/tab/" + tab);
        f.driver.park_pointer();
        for (const std::string& fault : check_layout(f.stage.look().probes(), 700, 600)) FAIL_CHECK(fault);
    }
    CHECK(f.label("results/cell/3/kernel").ends_with("\u2026"));
}

TEST_CASE("nothing of the panel overlaps, is cut or lies outside: sizes, scales, themes, states") {
    const struct {
        const char* name;
        DeskState state;
    } kStates[] = {{"empty", empty_state()},
                   {"mixed", mixed_state()},
                   {"many", many_kernels()},
                   {"running", running_state()},
                   {"sweep", sweep_state()}};
    const struct { int width, height; } kWindows[] = {{1024, 640}, {1600, 1000}, {2400, 1500}};
    for (const Theme theme : {Theme::Dark, Theme::Light})
        for (const float scale : {1.0f, 1.5f})
            for (const auto& window : kWindows)
                for (const auto& [name, state] : kStates) {
                    // The panel's share of the window, below the source.
                    const int width = window.width * 52 / 100, height = window.height * 56 / 100;
                    TimesStage f(state, width, height, {.theme = theme, .scale = scale});
                    for (const std::string tab : {"times", "rounds", "sweep", "roofline"}) {
                        const std::string shown_name = name;
                        CAPTURE(shown_name);
                        CAPTURE(tab);
                        CAPTURE(width);
                        CAPTURE(scale);
                        f.driver.click("times/tab/" + tab);
                        f.driver.park_pointer();
                        for (const std::string& fault :
                             check_layout(f.stage.look().probes(), static_cast<float>(width),
                                          static_cast<float>(height)))
                            FAIL_CHECK(fault);
                    }
                }
}

}  // namespace
}  // namespace kwb::test
