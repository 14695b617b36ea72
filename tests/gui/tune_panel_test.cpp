// SPDX-License-Identifier: Apache-2.0
// The Tune panel with sample states, without a window.
#include <doctest/doctest.h>

#include <cmath>

#include "base/text.hpp"
#include "gui/gui_driver.hpp"
#include "gui/panel_sketch.hpp"
#include "gui/panels/tune_panel.hpp"
#include "gui/panels/tune_views.hpp"
#include "gui/sample_state.hpp"
#include "gui/stage.hpp"
#include "report/labels.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Theme = gui::Theme;

std::shared_ptr<const Space> sample_space(std::int64_t values = 6) {
    SpaceInput input;
    input.file = "mine.cl";
    for (const char* name : {"BLOCK", "TILE"}) {
        auto& param = input.params.emplace_back();
        param.name = name;
        for (std::int64_t i = 1; i <= values; ++i) param.value.emplace_back(i * 4);
    }
    input.params.push_back({"PAD", {std::int64_t{0}, std::int64_t{1}}});
    input.restrictions.push_back(
        {"[require] fits", {"BLOCK * TILE <= " + std::to_string(values * values * 14)}});
    return std::make_shared<const Space>(std::move(input));
}

/// The kernel "tiled" is being tuned; every fifth configuration is wrong.
DeskState tuned_state(std::size_t trials, std::int64_t values = 6) {
    DeskState state = observed_state();
    auto space = std::make_shared<ShownSpace>();
    space->space = sample_space(values);
    space->combinations = space->space->combinations();
    space->removing = removing_restrictions(*space->space);
    state.space = space;
    for (const auto& [name, options] : space->space->params())
        state.preview.contestants[0].params.push_back({name, {"default"}, kwb::to_string(options.front())});
    if (trials == 0) return state;
    auto tuning = std::make_shared<ShownTuning>();
    tuning->key.kernel.chosen.kernel = "matmul/tiled";
    tuning->label = "tiled";
    tuning->subject = "size 512 on a device";
    tuning->space = space->space;
    for (std::size_t i = 0; i < std::min(trials, space->space->size()); ++i) {
        auto trial = std::make_shared<Trial>();
        trial->configuration = i;
        const double time_ms = 2 + std::abs(20 - static_cast<double>(i * 7 % 41)) / 10;
        trial->result = timed_result("matmul/tiled", time_ms, 12);
        trial->result.params = space->space->at(i);
        if (i % 5 == 4) {
            trial->result.verdict = Verdict::Wrong;
            trial->result.reason = "C[0][4] is 3, expected 4\nand more";
        } else {
            trial->cost_ms = time_ms;
            if (!tuning->best || time_ms < *tuning->trials[*tuning->best]->cost_ms) tuning->best = i;
        }
        tuning->trials.push_back(std::move(trial));
    }
    tuning->progress = {tuning->trials.size(), space->space->size(), false, 40'000.0};
    tuning->finished = true;
    state.tuning = tuning;
    return state;
}

ShownTuning& changed(DeskState& state) {
    auto tuning = std::make_shared<ShownTuning>(*state.tuning);
    state.tuning = tuning;
    return *tuning;
}

struct TuneStage {
    explicit TuneStage(DeskState state, int width = 620, int height = 560, LookOptions look = {})
        : stage(width, height, std::move(look)), sketch(panel, std::move(state)), driver(stage, sketch) {
        driver.settle();
    }
    PendingSave pending;
    ChartExports exports{pending};
    TunePanel panel{exports};
    WindowlessStage stage;
    PanelSketch<TunePanel> sketch;
    GuiDriver driver;
    std::string label(const std::string& id) { return driver.at(id).label; }
    bool says(const std::string& words) { return driver.says(words); }
    /// The values that the last command chooses for the first contestant.
    std::string loaded() const {
        const auto edit = sketch.last<command::Edit>();
        REQUIRE(edit);
        Experiment choices = sketch.state.choices;
        edit->change(choices);
        std::vector<std::string> words;
        for (const auto& [name, value] : choices.contestants.at(0).params)
            words.push_back(name + "=" + value);
        return join(words, " ");
    }
    void open(const std::string& tab) {
        driver.click("tune/tab/" + tab);
        driver.settle();
    }
};

TEST_CASE("before anything runs, the panel says how many are valid and what removes the others") {
    TuneStage f(tuned_state(0));
    CHECK(f.panel.target() == std::size_t{0});
    CHECK(f.says("72 configurations, 70 valid"));
    CHECK(f.says("2 removed by [require] fits: BLOCK * TILE <= 504"));
    f.driver.click("tune/start");
    const auto tune = f.sketch.last<command::Tune>();
    REQUIRE(tune);
    CHECK(tune->contestant == 0);
    CHECK(tune->strategy == StrategyKind::Exhaustive);
    CHECK(!tune->budget.configurations);
    CHECK(!tune->afresh);
}

TEST_CASE("strategy and budget are part of the command, and a budget that is none is refused") {
    TuneStage f(tuned_state(0));
    f.driver.click("tune/strategy");
    f.driver.settle();
    f.driver.click("tune/strategy/random");
    f.driver.click("tune/budget");
    f.driver.type("2 min");
    f.driver.settle();
    f.driver.click("tune/start");
    REQUIRE(f.sketch.last<command::Tune>());
    CHECK(f.sketch.last<command::Tune>()->strategy == StrategyKind::Random);
    CHECK(f.sketch.last<command::Tune>()->budget.time_ms == 120e3);
    f.driver.click("tune/budget");
    f.driver.type("e");
    f.driver.settle();
    CHECK(f.says("is not a budget"));
    CHECK(!f.driver.at("tune/start").enabled);

    CHECK(read_budget(" 200 ").budget.configurations == std::size_t{200});
    CHECK(read_budget("0.5h").budget.time_ms == 1800e3);
    for (const char* bad : {"0", "-3", "2.5", "0 s", "s", "3 weeks", "1e400 s"}) {
        CAPTURE(bad);
        CHECK(!read_budget(bad).problem.empty());
    }
}

TEST_CASE("during a tuning its progress is told, and it can be stopped") {
    DeskState state = tuned_state(20);
    changed(state).finished = false;
    state.is_busy = true;
    TuneStage f(state);
    CHECK(f.says("20 of 70 tried, about 40 s left, 4 failed"));
    CHECK(f.says("Best 2"));
    f.driver.click("tune/stop");
    CHECK(f.sketch.last<command::Stop>());
    CHECK(!f.driver.has("tune/start"));
    CHECK(!f.driver.has("tune/afresh"));
}

TEST_CASE("a tuning that was stopped goes on, or begins again") {
    DeskState state = tuned_state(20);
    changed(state).stopped = true;
    TuneStage f(state);
    CHECK(f.says("Stopped: 20 of 70 tried, 4 failed. Tune continues."));
    f.driver.click("tune/start");
    CHECK(!f.sketch.last<command::Tune>()->afresh);
    f.driver.click("tune/afresh");
    CHECK(f.sketch.last<command::Tune>()->afresh);
}

TEST_CASE("a run of something else keeps the tuning from starting") {
    DeskState state = tuned_state(20);
    state.is_busy = true;
    TuneStage f(state);
    CHECK(!f.driver.at("tune/start").enabled);
    CHECK(!f.driver.at("tune/afresh").enabled);
}

TEST_CASE("a click on a row loads its values; failures have their reason") {
    TuneStage f(tuned_state(20), 900);
    f.open("table");
    CHECK(f.says("the best"));
    CHECK(f.says("wrong: C[0][4] is 3, expected 4"));
    f.driver.click("tune/row/7");
    CHECK(f.loaded() == params_text(f.sketch.state.tuning->trials[7]->result.params));
}

TEST_CASE("the best configuration is one click away") {
    TuneStage f(tuned_state(20), 900);
    const std::string best =
        params_text(f.sketch.state.tuning->trials[*f.sketch.state.tuning->best]->result.params);
    f.driver.click("tune/use");
    CHECK(f.loaded() == best);
    changed(f.sketch.state).finished = false;
    f.driver.settle();
    CHECK_FALSE(f.driver.has("tune/use"));
}

TEST_CASE("the table fits into the panel of a small window: heads wrap and reasons are cut") {
    TuneStage f(tuned_state(20), 500);
    f.open("table");
    const ImRect panel = f.driver.at("tune/row/7").full;
    for (const auto& [id, probed] : f.stage.look().probes().all()) {
        const std::string shown_id = id;  // clang 15 captures no bindings
        CAPTURE(shown_id);
        if (id.starts_with("tune/cell/") || id.starts_with("tune/head/")) CHECK(probed.full.Max.x <= 500);
    }
    CHECK(panel.Max.x <= 500);
    CHECK(f.says("Verdict"));
}

TEST_CASE("a click on a head sorts, another one reverses, a third restores the order") {
    TuneStage f(tuned_state(20), 900, 1200);  // the table is below the chart
    CHECK(!f.driver.has("tune/tab/table"));
    const auto is_above = [&](const std::string& one, const std::string& other) {
        return f.driver.at("tune/row/" + one).full.Min.y < f.driver.at("tune/row/" + other).full.Min.y;
    };
    const std::size_t best = *f.sketch.state.tuning->best;
    REQUIRE(best != 0);
    CHECK(is_above(std::to_string(best), "0"));
    CHECK(is_above("0", "4"));  // without a time
    f.driver.click("tune/head/0");
    f.driver.settle();
    CHECK(is_above("0", "1"));
    CHECK(is_above("4", "5"));
    f.driver.click("tune/head/0");
    f.driver.settle();
    CHECK(is_above("19", "18"));
    f.driver.click("tune/head/0");
    f.driver.settle();
    CHECK(is_above(std::to_string(best), "0"));
}

TEST_CASE("each head of the table shows what it means, and covers no row") {
    DeskState state = tuned_state(20);
    state.course.glossary = {{"median", "The value in the middle."},
                             {"95 % interval", "The range of the median."},
                             {"verdict", "The conclusion."}};
    TuneStage f(state, 900, 1200);
    const auto help_of = [&](std::size_t column) {
        f.driver.hover("tune/head/" + std::to_string(column));
        f.driver.settle();
        CHECK_FALSE(f.driver.at("tooltip").full.Overlaps(f.driver.at("tune/row/0").full));
        const std::string words = f.label("tooltip");
        return words.substr(0, words.rfind("\n\nSort by this column"));
    };
    CHECK(help_of(1) == "median: The value in the middle.\n\n95 % interval: The range of the median.");
    CHECK(help_of(6) == "verdict: The conclusion.");
    for (const std::size_t column : {0u, 2u, 3u, 5u}) CHECK(help_of(column).ends_with('.'));
}

TEST_CASE("the map shows the best over all other parameters, and a click loads it") {
    TuneStage f(tuned_state(60));
    f.open("map");
    CHECK(f.driver.has("tune/map/cells"));
    // PAD has the smallest effect or the axes are chosen by hand: make them known.
    f.driver.click("tune/map/down");
    f.driver.settle();
    f.driver.click("tune/map/down/BLOCK");
    f.driver.settle();
    f.driver.click("tune/map/across");
    f.driver.settle();
    f.driver.click("tune/map/across/TILE");
    f.driver.settle();
    f.driver.click_at("tune/map/cells", 1.5 / 6, 0.5 / 6);  // BLOCK=4, TILE=8: configurations 2 and 3
    const auto& trials = f.sketch.state.tuning->trials;
    const std::size_t faster = *trials[2]->cost_ms < *trials[3]->cost_ms ? 2 : 3;
    CHECK(f.loaded() == params_text(trials[faster]->result.params));
}

TEST_CASE("the course has a point for each configuration, and the best so far only falls") {
    const DeskState state = tuned_state(30);
    const plot::Chart chart = tuning_course_chart(*state.tuning);
    REQUIRE(chart.series.size() == 31);
    const auto& line = std::get<plot::Line>(chart.series.back().data);
    REQUIRE(line.points.size() >= 3);
    CHECK(line.points.back().x == 30);
    for (std::size_t i = 1; i < line.points.size(); ++i) CHECK(line.points[i].y <= line.points[i - 1].y);
    CHECK(line.points.back().y == *state.tuning->trials[*state.tuning->best]->cost_ms);
    CHECK(chart.series[4].name == "without a time");
    const plot::Chart values = tuning_values_chart(*state.tuning);
    std::size_t samples = 0;
    for (const auto& series : values.series)
        if (series.name == "PAD")
            for (const auto& bar : std::get<plot::Bars>(series.data).bars) samples += bar.samples.size();
    CHECK(samples == 24);  // 30 without the six wrong ones
}

TEST_CASE("nothing good yet, one parameter, and a tuning of another size are told") {
    DeskState state = tuned_state(1);
    changed(state).best.reset();
    auto failed = std::make_shared<Trial>(*state.tuning->trials[0]);
    failed->cost_ms.reset();
    failed->result.verdict = Verdict::Timeout;
    changed(state).trials = {failed};
    TuneStage none(state);
    CHECK(none.says("No good configuration yet"));
    for (const char* tab : {"map", "values", "table", "course"}) none.open(tab);

    DeskState other = tuned_state(20);
    other.tuning_is_outdated = true;
    TuneStage outdated(other);
    CHECK(outdated.says("Outdated: tuned at size 512 on a device"));

    DeskState refused = tuned_state(0);
    auto space = std::make_shared<ShownSpace>();
    space->error = "This kernel has no parameters.";
    refused.space = space;
    TuneStage nothing(refused);
    CHECK(nothing.says("This kernel has no parameters."));
    CHECK(!nothing.driver.has("tune/start"));

    DeskState ended = tuned_state(5);
    changed(ended).error = "The judge died.";
    CHECK(TuneStage(ended).says("The judge died."));
    DeskState empty = tuned_state(5);
    empty.choices.contestants.clear();
    CHECK(TuneStage(empty).says("No kernel is chosen"));
}

TEST_CASE("nothing of the Tune panel overlaps, is cut or lies outside: sizes, scales, themes, all tabs") {
    for (const Theme theme : {Theme::Dark, Theme::Light})
        for (const float scale : {1.0f, 1.5f})
            for (const auto& [width, height] : {std::pair{300, 560}, {420, 700}, {680, 1300}})
                for (const char* tab : {"course", "map", "values", "table"}) {
                    const auto& shown_width = width;
                    CAPTURE(shown_width);
                    CAPTURE(scale);
                    CAPTURE(tab);
                    const int w = static_cast<int>(static_cast<float>(width) * scale);
                    const int h = static_cast<int>(static_cast<float>(height) * scale);
                    TuneStage f(tuned_state(60), w, h, {.theme = theme, .scale = scale});
                    if (!f.driver.has(std::string("tune/tab/") + tab)) continue;  // the table is below
                    f.open(tab);
                    for (const std::string& fault :
                         check_layout(f.stage.look().probes(), static_cast<float>(w), static_cast<float>(h)))
                        FAIL_CHECK(fault);
                }
}

}  // namespace
}  // namespace kwb::test
