// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/tune_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "gui/fields.hpp"
#include "gui/panels/experiment_panel.hpp"
#include "gui/widgets.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"

namespace kwb::gui {
namespace {

struct TuneTabText {
    const char* id;
    const char* label;
    const char* tooltip;
};
constexpr TuneTabText kTuneTabs[] = {
    {"course", "Course", "The time of each configuration, in the order of trial"},
    {"map", "Map", "Two parameters against each other; best over all others"},
    {"values", "Values", "The times of all configurations with each value of a parameter"},
    {"table", "Table", "All configurations, with their verdicts"}};

/// Heights of the type from which the table has its place below the charts.
constexpr float kTallPanel = 36;

bool goes_on(const ShownTuning* tuning) {
    return tuning != nullptr && !tuning->finished;
}

/// How far the tuning is, or how it ended.
std::string course_words(const ShownTuning& tuning) {
    const TunerProgress& progress = tuning.progress;
    std::string words = fmt::format("{} of {} tried", tuning.trials.size(), tuning.space->size());
    if (!tuning.finished && progress.planned < tuning.space->size())
        words = fmt::format("{} of {} tried", tuning.trials.size(), progress.planned);
    if (!tuning.finished && progress.is_final) words += "; comparing the fastest once more";
    if (!tuning.finished && progress.left_ms)
        words += ", about " + rough_duration(*progress.left_ms) + " left";
    const auto failed = std::ranges::count_if(
        tuning.trials, [](const auto& trial) { return !is_good(trial->result.verdict); });
    if (failed > 0) words += fmt::format(", {} failed", failed);
    if (tuning.stopped) return "Stopped: " + words + ". Tune continues.";
    return words;
}

std::string best_words(const ShownTuning& tuning) {
    if (!tuning.best) return tuning.trials.empty() ? "" : "No good configuration yet";
    const Trial& best = *tuning.trials[*tuning.best];
    return fmt::format("Best {}: {}", measured_words(best), params_text(best.result.params));
}

}  // namespace

TypedBudget read_budget(std::string_view typed) {
    TypedBudget read;
    const std::string text(trim(typed));
    if (text.empty()) return read;
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string unit(trim(std::string_view(text).substr(digits)));
    const auto number = read_number<double>(std::string_view(text).substr(0, digits));
    const double scale = unit == "s" ? 1e3 : unit == "min" ? 60e3 : unit == "h" ? 3600e3 : 0;
    if (number && *number > 0 && scale > 0)
        read.budget.time_ms = *number * scale;
    else if (const auto count = read_extent(text); count && unit.empty())
        read.budget.configurations = static_cast<std::size_t>(*count);
    else
        read.problem = fmt::format(
            "\u201c{}\u201d is not a budget; enter a number of configurations (200), or a time with its unit "
            "(60 s, 10 min).",
            to_utf8(text));
    return read;
}

void TunePanel::draw_space(const DeskState& state) const {
    const ShownSpace& space = *state.space;
    const std::string words =
        fmt::format("{}, {} valid", counted(space.combinations, "configuration"), space.space->size());
    text("tune/space", words, {.shortens = true});
    std::vector<std::string> lines;
    for (const Restriction& restriction : space.removing)
        lines.push_back(fmt::format("{} removed by {}{}", restriction.removed, restriction.name,
                                    restriction.is_limit ? "" : ": " + restriction.condition.text));
    if (state.tuning != nullptr && !state.tuning_is_outdated) {
        if (!lines.empty()) tooltip(join(lines, "\n"));
        return;
    }
    for (std::size_t i = 0; i < lines.size(); ++i) remark("tune/removed/" + std::to_string(i), lines[i]);
}

void TunePanel::draw_controls(const DeskState& state, Commands& commands) {
    const ShownTuning* const tuning = state.tuning_is_outdated ? nullptr : state.tuning.get();
    const bool is_tuning = goes_on(tuning);
    const TypedBudget budget = read_budget(budget_);
    std::string obstacle = budget.problem;
    if (state.is_busy) obstacle = "Something is running; stop it or wait until it finishes.";
    const float width = 8 * ImGui::GetFontSize();
    std::string nothing_left = obstacle;
    if (obstacle.empty() && tuning != nullptr && !is_tuning && !budget.budget.time_ms) {
        const std::size_t all = tuning->space->size();
        const std::size_t most = budget.budget.configurations.value_or(all);
        if (tuning->trials.size() >= all)
            nothing_left = "All valid configurations were tried; Start over measures them again.";
        else if (tuning->trials.size() >= most)
            nothing_left = fmt::format("{} were tried already; enter a larger budget, or none.",
                                       counted(tuning->trials.size(), "configuration"));
    }
    if (is_tuning) {
        if (button("tune/stop", "Stop",
                   {.icon = kIconStop,
                    .width = button_width("Tune", kIconPlay),
                    .tooltip = "Results are kept; Tune continues from them"}))
            commands.push_back(command::Stop{});
    } else if (button("tune/start", "Tune",
                      {.icon = kIconPlay,
                       .kind = ButtonKind::Primary,
                       .enabled = nothing_left.empty(),
                       .tooltip = !nothing_left.empty() ? std::string_view(nothing_left)
                                  : tuning == nullptr   ? "Try the valid configurations; each is checked"
                                                        : "Continue with untried configurations"})) {
        commands.push_back(command::Tune{*target_, strategy_, budget.budget});
    }
    flow_next(width);
    {
        const Combo combo("tune/strategy", std::string(to_string(strategy_)),
                          {.width = width, .enabled = !is_tuning, .tooltip = "The order of trial"});
        if (combo.open)
            for (const std::string& name : enum_names<StrategyKind>())
                if (option("tune/strategy/" + name, name, {.chosen = name == to_string(strategy_)}))
                    strategy_ = *parse_enum<StrategyKind>(name);
    }
    flow_next(width);
    text_field("tune/budget", budget_,
               {.hint = "no limit", .width = width, .is_refused = !budget.problem.empty()});
    tooltip("When to stop: a number of configurations (200), or a time (60 s, 10 min); empty: after all");
    if (tuning != nullptr && !is_tuning) {
        if (next_button("tune/afresh", "Start over",
                        {.icon = kIconRefresh,
                         .kind = ButtonKind::Quiet,
                         .enabled = obstacle.empty(),
                         .tooltip = obstacle.empty() ? "Discard all results and measure again"
                                                     : std::string_view(obstacle)}))
            commands.push_back(command::Tune{*target_, strategy_, budget.budget, true});
    }
    if (!budget.problem.empty()) remark("tune/budget/problem", budget.problem, Tone::Warning);
}

/// The best configuration, and a button that chooses it.
void TunePanel::draw_best(const DeskState& state, Commands& commands) const {
    constexpr const char* kUse = "Use it";
    const ShownTuning& tuning = *state.tuning;
    const std::string words = best_words(tuning);
    if (words.empty()) return;
    const std::vector<ParamPreview>& params = state.preview.contestants[*target_].params;
    const auto is_chosen = [&] {
        const NamedList<ParamValue>& best = tuning.trials[*tuning.best]->result.params;
        return std::ranges::all_of(params, [&](const ParamPreview& param) {
            const ParamValue* const value = find_named(best, param.name);
            return value == nullptr || kwb::to_string(*value) == param.chosen;
        });
    };
    const bool offers = tuning.best && !goes_on(&tuning) && !is_chosen();
    const float taken = offers ? button_width(kUse, kIconCheck) + ImGui::GetStyle().ItemSpacing.x : 0;
    text("tune/best", words,
         {.font = fonts().strong,
          .shortens = true,
          .room = ImGui::GetContentRegionAvail().x - taken,
          .in_row = offers});
    if (!offers) return;
    ImGui::SameLine();
    align_right(button_width(kUse, kIconCheck));
    if (button("tune/use", kUse,
               {.icon = kIconCheck, .tooltip = "Choose these values for the kernel in the experiment"}))
        load(state, *tuning.best, commands);
}

void TunePanel::load(const DeskState& state, std::size_t trial, Commands& commands) const {
    const auto change = [target = *target_, params = state.preview.contestants[*target_].params,
                         wanted = state.tuning->trials[trial]->result.params](Experiment& choices) {
        if (target >= choices.contestants.size()) return;  // an edit before this one has removed it
        for (const ParamPreview& param : params)
            if (const ParamValue* value = find_named(wanted, param.name))
                choose_param(choices.contestants[target], param, kwb::to_string(*value));
    };
    commands.push_back(command::Edit{change});
}

void TunePanel::draw_status(const DeskState& state, Commands& commands) const {
    if (state.tuning == nullptr) return;
    const ShownTuning& tuning = *state.tuning;
    if (state.tuning_is_outdated)
        text("tune/outdated",
             goes_on(&tuning) ? "Still tuning at " + tuning.subject + ", chosen at the start"
                              : "Outdated: tuned at " + tuning.subject + ", or with another text",
             {.tone = Tone::Warning, .icon = kIconClock, .shortens = true});
    text("tune/course", course_words(tuning),
         {.tone = goes_on(&tuning) ? Tone::Accent : Tone::Normal,
          .icon = goes_on(&tuning) ? kIconClock : nullptr,
          .shortens = true});
    draw_best(state, commands);
    if (!tuning.error.empty())
        notice("tune/error", Tone::Danger, kIconWarning, "The tuning ended early", tuning.error);
    if (tuning.left_out > 0 && tuning.finished)
        remark("tune/left_out", fmt::format("{} more may be as fast as the best; only the fastest few are "
                                            "compared at the end.",
                                            tuning.left_out));
}

void TunePanel::draw_tabs(bool has_table) {
    ButtonRow row(tokens().hair);
    for (std::size_t i = 0; i < std::size(kTuneTabs); ++i) {
        const auto tab = static_cast<Tab>(i);
        if (tab == Tab::Table && !has_table) continue;
        const TuneTabText& words = kTuneTabs[i];
        if (row.add_tab(std::string("tune/tab/") + words.id, words.label, tab == tab_, words.tooltip))
            tab_ = tab;
    }
}

void TunePanel::draw_chart(const DeskState& state, float height, Commands& commands) {
    const Made now{state.tuning, tab_};
    if (made_ != now) {
        made_ = now;
        chart_ =
            tab_ == Tab::Values ? tuning_values_chart(*state.tuning) : tuning_course_chart(*state.tuning);
        ++chart_key_;
    }
    ChartOptions options;
    options.size = {0, std::floor(height)};
    options.file_name = state.tuning->label + "-tuning-" + kTuneTabs[static_cast<std::size_t>(tab_)].id;
    if (tab_ == Tab::Course)
        options.tell_more = [&](const plot::Hover& hover, std::vector<std::string>& lines) {
            if (hover.series < state.tuning->trials.size()) lines = trial_lines(*state.tuning, hover.series);
        };
    widgets_[tab_ == Tab::Values ? 1 : 0].draw("tune/chart", chart_, chart_key_, options, exports_, commands);
}

void TunePanel::draw_results(const DeskState& state, Commands& commands) {
    const float room = ImGui::GetContentRegionAvail().y;
    const bool is_tall = room > kTallPanel * ImGui::GetFontSize();
    if (is_tall && tab_ == Tab::Table) tab_ = Tab::Course;
    draw_tabs(!is_tall);
    constexpr float kLeast = 9;  // heights of the type
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    const float left = ImGui::GetContentRegionAvail().y - 1;
    float height = std::max(left, kLeast * ImGui::GetFontSize());
    if (is_tall) height = std::floor(left * 0.55f);
    const std::vector<ParamPreview>& params = state.preview.contestants[*target_].params;
    std::optional<std::size_t> clicked;
    if (tab_ == Tab::Table) {
        clicked = table_.draw(state.tuning, state.course.glossary, params, {0, height});
    } else if (tab_ == Tab::Map) {
        compat::begin_child("tune/map", {0, height}, false);
        clicked = map_.draw(state.tuning, ImGui::GetContentRegionAvail());
        ImGui::EndChild();
    } else {
        draw_chart(state, height, commands);
    }
    if (is_tall)
        if (const auto row =
                table_.draw(state.tuning, state.course.glossary, params, {0, left - height - spacing}))
            clicked = row;
    if (clicked) load(state, *clicked, commands);
}

void TunePanel::draw(const DeskState& state, Commands& commands) {
    const std::size_t count = std::min(state.preview.contestants.size(), state.choices.contestants.size());
    target_.reset();
    if (count == 0)
        return empty_state("tune/empty", kIconBolt, "No kernel is chosen", "Choose one to tune it.");
    if (compat::begin_child("tune", {0, 0}, false)) {
        draw_contestants(state, "tune/contestant", commands);
        target_ = selected_contestant(state);
        const float top = ImGui::GetCursorScreenPos().y;
        if (state.space != nullptr && !state.space->error.empty()) {
            empty_state("tune/empty", kIconForbidden, "Nothing to tune", state.space->error);
        } else {
            if (state.space == nullptr)
                text("tune/space", "Counting valid configurations\u2026", {.tone = Tone::Muted});
            else
                draw_space(state);
            draw_controls(state, commands);
            draw_status(state, commands);
            if (state.tuning != nullptr && !state.tuning->trials.empty())
                draw_results(state, commands);
            else if (goes_on(state.tuning.get()))
                empty_state("tune/empty", kIconClock, "Measuring the first configurations",
                            progress_words(state));
            else
                empty_state("tune/empty", kIconBolt, "Not tuned yet",
                            "Each valid configuration is checked and measured against the best so far.");
            if (state.tuning_is_outdated) dim_from(top);
        }
    }
    ImGui::EndChild();
}

}  // namespace kwb::gui
