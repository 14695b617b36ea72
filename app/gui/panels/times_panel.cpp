#include "gui/panels/times_panel.hpp"

#include <algorithm>
#include <span>

#include "gui/panels/ceilings_controls.hpp"
#include "gui/panels/results_table.hpp"
#include "gui/put_named.hpp"
#include "gui/widgets.hpp"
#include "report/charts.hpp"

namespace kwb::gui {

struct TimesPanel::TabText {
    const char* name;  ///< in the settings
    const char* label;
    const char* file;  ///< proposed for the chart
};

namespace {

constexpr const char* kTabBar = "times";

/// Contestants as charts name them; borrows from `shown`.
ChartedRun charted(const ShownRun& shown) {
    const std::size_t known = std::min(shown.labels.size(), shown.run.results.size());
    ChartedRun run;
    run.results = std::span(shown.run.results).first(known);
    run.labels = std::span(shown.labels).first(known);
    run.baseline = shown.baseline;
    run.device = shown.run.environment.device;
    return run;
}

}  // namespace

const TimesPanel::TabText& TimesPanel::text_of(Tab tab) {
    static constexpr TabText kTexts[kTabs] = {
        {"times", "Times", "times"},         {"distribution", "Distribution", "distribution"},
        {"rounds", "Rounds", "rounds"},      {"speedup", "Speed-up", "speed-up"},
        {"phases", "Phases", "phases"},      {"sweep", "Sweep", "sweep"},
        {"roofline", "Roofline", "roofline"}};
    return kTexts[static_cast<std::size_t>(tab)];
}

void TimesPanel::draw_tabs(const DeskState& state, Commands& commands) {
    // The desk brings a tab to the front, too, when a sweep is to be seen.
    const std::string* front = find_named(state.settings.tabs, kTabBar);
    if (!tab_) tab_ = Tab::Times;
    if (front != nullptr && *front != kept_tab_) {
        kept_tab_ = *front;
        for (std::size_t i = 0; i < kTabs; ++i)
            if (kept_tab_ == text_of(static_cast<Tab>(i)).name) tab_ = static_cast<Tab>(i);
    }
    const Palette& colors = look().colors();
    const float spacing = look().tokens().hair;
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(spacing, spacing));
    for (std::size_t i = 0; i < kTabs; ++i) {
        const Tab tab = static_cast<Tab>(i);
        const TabText& words = text_of(tab);
        if (i > 0) {  // a line more rather than labels that are cut
            ImGui::SameLine();
            if (ImGui::GetCursorScreenPos().x + button_width(words.label) > right) ImGui::NewLine();
        }
        const bool in_front = tab == *tab_;
        if (in_front) ImGui::PushStyleColor(ImGuiCol_Text, colors.accent_text.vec());
        const bool chosen = button(std::string("times/tab/") + words.name, words.label,
                                   {.kind = in_front ? ButtonKind::Normal : ButtonKind::Quiet});
        if (in_front) ImGui::PopStyleColor();
        if (in_front) {
            const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
            const float thick = std::max(2.0f, spacing / 2);
            ImGui::GetWindowDrawList()->AddRectFilled({min.x + spacing, max.y - thick},
                                                      {max.x - spacing, max.y}, colors.accent.u32(), thick);
        }
        if (!chosen || in_front) continue;
        tab_ = tab;
        Settings settings = state.settings;
        put_named(settings.tabs, kTabBar, std::string(words.name));
        commands.push_back(command::ChangeSettings{std::move(settings)});
    }
    ImGui::PopStyleVar();
}

plot::Chart TimesPanel::make_chart(const DeskState& state) const {
    if (*tab_ == Tab::Sweep) {
        ChartedSweep sweep;
        if (state.sweep == nullptr) return sweep_chart(sweep, made_.measure);
        sweep.sizes = state.sweep->sizes;
        sweep.results = state.sweep->results;
        sweep.labels = state.sweep->labels;
        sweep.device = state.sweep->environment.device;
        return sweep_chart(sweep, made_.measure);
    }
    const ChartedRun run = state.shown != nullptr ? charted(*state.shown) : ChartedRun{};
    switch (*tab_) {
        case Tab::Distribution:
            return distribution_chart(run);
        case Tab::Rounds:
            return rounds_chart(run);
        case Tab::Speedup:
            return speedup_chart(run);
        case Tab::Phases:
            return phases_chart(run);
        case Tab::Roofline: {
            RooflineCeilings ceilings;
            if (made_.gflops) ceilings.gflops = made_.gflops;
            if (made_.gbytes_s) ceilings.gbytes_s = made_.gbytes_s;
            return roofline_chart(run, ceilings);
        }
        default:
            break;
    }
    if (state.compared == nullptr || state.shown == nullptr) return time_chart(run);
    ChartedRun earlier = charted(*state.compared);
    earlier.name = name_of_earlier(*state.compared, *state.shown);
    return time_chart(run, &earlier);
}

/// A zoom outlives runs of the same problem and size, for then it is the same thing that is looked at.
void TimesPanel::fit_to_subject(const DeskState& state) {
    if (state.shown == nullptr) return;
    std::string subject = state.shown->run.problem + " " + to_string(state.shown->run.sizes);
    if (subject == subject_) return;
    subject_ = std::move(subject);
    for (std::size_t i = 0; i < kTabs; ++i)
        if (static_cast<Tab>(i) != Tab::Sweep) widgets_[i].fit();
}

void TimesPanel::draw_chart(const DeskState& state, Commands& commands) {
    const bool needs_run = *tab_ != Tab::Sweep && *tab_ != Tab::Roofline;
    if (needs_run && (state.shown == nullptr || state.shown->run.results.empty())) {
        if (state.is_running())
            empty_state("times/empty", kIconClock, "Waiting for the first result",
                        "Each kernel is built, checked, and then timed in turns with the others.");
        else
            empty_state("times/empty", kIconBars, "No times yet",
                        "Choose a device and some kernels, then press F5 to run them.");
        return;
    }
    if (*tab_ == Tab::Sweep && (state.sweep == nullptr || state.sweep->results.empty())) {
        if (state.sweep != nullptr && !state.sweep->finished)
            empty_state("times/empty", kIconClock, "Waiting for the first size",
                        "The smallest size comes first; the chart grows as sizes are finished.");
        else
            empty_state("times/empty", kIconLines, "No sweep yet",
                        "A sweep shows how speed depends on the size. Write sizes above and start it.");
        return;
    }
    fit_to_subject(state);
    Made now{state.shown, state.compared, state.sweep, sweep_.measure(), {}, {}};
    if (state.ceilings && state.ceilings->gflops) now.gflops = state.ceilings->gflops->value;
    if (state.ceilings && state.ceilings->gbytes_s) now.gbytes_s = state.ceilings->gbytes_s->value;
    if (chart_tab_ != tab_ || made_ != now) {
        made_ = std::move(now);
        chart_tab_ = tab_;
        chart_ = make_chart(state);
        ++chart_key_;
    }
    const TabText& words = text_of(*tab_);
    ChartOptions options;
    options.file_name = words.file;
    if (state.shown != nullptr && needs_run) options.file_name = state.shown->run.problem + "-" + words.file;
    constexpr float kLeastChart = 170;  // pixels at scale 1; where there is less the panel scrolls
    options.size = {0, std::max(ImGui::GetContentRegionAvail().y, kLeastChart * look().pixels())};
    widgets_[static_cast<std::size_t>(*tab_)].draw("times/chart", chart_, chart_key_, options, exports_,
                                                   commands);
}

void TimesPanel::draw(const DeskState& state, Commands& commands) {
    constexpr float kMostTableShare = 0.42f;  // the rest belongs to the chart
    const float whole = ImGui::GetContentRegionAvail().y;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    const bool visible = compat::begin_child("times", {0, 0}, false);
    ImGui::PopStyleVar();
    if (!visible) {
        ImGui::EndChild();
        return;
    }
    headline_.draw_state(state);
    if (state.shown != nullptr && !state.shown->run.results.empty()) {
        draw_results_table(state, kMostTableShare * whole, commands);
        headline_.draw_warnings(state.shown);
    }
    draw_tabs(state, commands);
    if (*tab_ == Tab::Sweep) sweep_.draw(state, commands);
    if (*tab_ == Tab::Roofline) draw_ceilings_controls(state, commands);
    draw_chart(state, commands);
    ImGui::EndChild();
}

}  // namespace kwb::gui
