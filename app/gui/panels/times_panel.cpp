// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/times_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "base/named.hpp"
#include "base/text.hpp"
#include "gui/draw_list_canvas.hpp"
#include "gui/keys.hpp"
#include "gui/panels/experiment_panel.hpp"
#include "gui/panels/results_table.hpp"
#include "gui/table.hpp"
#include "plot/numbers.hpp"
#include "report/notes.hpp"
#include "report/sweep_map.hpp"
#include "report/xray_summary.hpp"

namespace kwb::gui {

struct TimesPanel::TabText {
    const char* name;  ///< in the settings
    const char* label;
    const char* file;  ///< proposed file name of the chart
};

namespace {

/// Lists each warning once, with the contestants that it concerns.
std::vector<std::string> collect_warnings(const ShownRun& run) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<std::string>> about;
    const std::size_t known = std::min(run.labels.size(), run.run.results.size());
    for (std::size_t i = 0; i < known; ++i)
        for (const std::string& warning : warning_sentences(run.run.results[i], Face::Window)) {
            if (about[warning].empty()) order.push_back(warning);
            about[warning].push_back(run.labels[i]);
        }
    std::vector<std::string> sentences;
    for (const std::string& warning : order)
        sentences.push_back(about[warning].size() == known && known > 1
                                ? "All: " + warning
                                : enumerate(about[warning]) + ": " + warning);
    return sentences;
}

std::string sizes_words(const Sizes& sizes) {
    return (is_square(sizes) ? "size " : "") + to_string(sizes);
}

/// "earlier run of 2026-11-23 14:02", with its sizes if they differ from those of the present run.
std::string name_of_earlier(const ShownRun& earlier, const ShownRun& present) {
    std::string name = "earlier run of " + local_time(earlier.run.when, "%F %H:%M");
    if (earlier.run.sizes != present.run.sizes) name += " at " + to_string(earlier.run.sizes);
    return name;
}

std::string describe_sweep(const ShownSweep& sweep) {
    std::string words = "Sweep of " + local_time(sweep.when, "%F %H:%M") + ": " + sweep.problem;
    if (!sweep.sizes.empty())
        words += ", " + to_string(sweep.sizes.front()) + " to " + to_string(sweep.sizes.back());
    if (!sweep.environment.device.empty()) words += ", on " + sweep.environment.device;
    return words;
}

std::string describe_run(const DeskState& state) {
    const ShownRun& run = *state.shown;
    std::string words = run.run.problem;
    if (!run.run.sizes.empty()) words += ", " + sizes_words(run.run.sizes);
    if (!run.run.environment.device.empty()) words += ", on " + run.run.environment.device;
    if (run.stopped) words = "Stopped before the end: " + words;
    if (state.shows_earlier)
        words = "An older run, of " + local_time(run.run.when, "%F %H:%M") + ": " + words;
    if (state.compared != nullptr) words += ", compared with the " + name_of_earlier(*state.compared, run);
    return words;
}

/// Progress of the sweep, or a description of the results below. That of a run is in the headline.
void draw_subject(const DeskState& state, bool shows_sweep, float room) {
    TextOptions options{.tone = Tone::Muted, .shortens = true, .room = room};
    ImGui::AlignTextToFramePadding();
    if (state.is_busy) {
        if (state.sweep == nullptr || state.sweep->finished) return;
        options.tone = Tone::Accent;
        options.icon = kIconClock;
        return text("times/progress",
                    fmt::format("Sweep, {} done", counted(state.sweep->results.size(), "size")), options);
    }
    if (shows_sweep && state.sweep != nullptr) {
        options.icon = kIconLines;
        return text("times/run", describe_sweep(*state.sweep), options);
    }
    if (state.shown == nullptr) return text("times/run", "Nothing has run yet", options);
    if (state.shown->stopped || state.is_outdated) options.tone = Tone::Warning;
    if (state.shows_earlier) {
        options.tone = Tone::Accent;
        options.icon = kIconHistory;
    }
    const std::string mark = state.is_outdated ? "Outdated \u2013 " + keys_of(Action::Run) + ": " : "";
    text("times/run", mark + describe_run(state), options);
}

/// The button stands with the warnings, because some of them advise to give each kernel more time.
void draw_warnings(const DeskState& state, const std::vector<std::string>& warnings, const std::string& label,
                   Commands& commands) {
    constexpr const char* kWarnings = "times/warnings/list";
    if (button("times/warnings", label,
               {.icon = kIconWarning,
                .kind = ButtonKind::Quiet,
                .tooltip = warnings.front() + (warnings.size() > 1 ? "\n\nA click shows all of them." : ""),
                .tone = Tone::Warning}))
        ImGui::OpenPopup(kWarnings);
    if (!ImGui::BeginPopup(kWarnings)) return;
    ImGui::PushTextWrapPos(36 * ImGui::GetFontSize());
    for (std::size_t i = 0; i < warnings.size(); ++i)
        text("times/warnings/" + std::to_string(i), warnings[i], {.wraps = true});
    ImGui::PopTextWrapPos();
    if (const auto longer = longer_budget(state);
        longer &&
        button("times/warnings/longer", longer->label, {.icon = kIconClock, .tooltip = longer->tooltip})) {
        commands.insert(commands.end(), longer->commands.begin(), longer->commands.end());
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
}

/// Draws one line of constant height, so that nothing below it moves when a run begins or ends.
void draw_headline(const DeskState& state, bool shows_sweep, const std::vector<std::string>& warnings,
                   Commands& commands) {
    const ImVec2 begin = ImGui::GetCursorPos();
    const float room = ImGui::GetContentRegionAvail().x;
    const std::string label = counted(warnings.size(), "warning");
    const float width = warnings.empty() ? 0 : button_width(label, kIconWarning);
    draw_subject(state, shows_sweep, room - (width > 0 ? width + tokens().gap : 0));
    if (width > 0) {
        ImGui::SetCursorPos({begin.x + room - width, begin.y});
        draw_warnings(state, warnings, label, commands);
    }
    ImGui::SetCursorPos(begin);
    ImGui::Dummy({room, ImGui::GetFrameHeight()});
}

/// Draws the controls for measuring the device's ceilings, and their state.
void draw_ceilings_controls(const DeskState& state, Commands& commands) {
    const bool known = state.ceilings && (state.ceilings->gflops || state.ceilings->gbytes_s);
    const std::string label = known ? "Measure again" : "Measure ceilings";
    std::string obstacle;
    if (state.is_running()) obstacle = "Something is running; stop it or wait until it finishes.";
    if (state.device == nullptr) obstacle = "No device has been found to measure.";
    const std::string hint =
        obstacle.empty() ? "Two small kernels measure the peak compute rate and bandwidth of the device: "
                           "about ten seconds"
                         : obstacle;
    if (button("times/ceilings/measure", label,
               {.icon = kIconBolt,
                .kind = known || state.measuring_ceilings ? ButtonKind::Normal : ButtonKind::Primary,
                .enabled = obstacle.empty(),
                .tooltip = hint}))
        commands.push_back(command::MeasureCeilings{});
    std::string words = "The ceilings of this device have not been measured yet.";
    if (known) {
        std::vector<std::string> parts;
        if (state.ceilings->gflops)
            parts.push_back(plot::format_number(state.ceilings->gflops->value) + " GFLOP/s");
        if (state.ceilings->gbytes_s)
            parts.push_back(plot::format_number(state.ceilings->gbytes_s->value) + " GB/s");
        words = "At best " + enumerate(parts) + ", measured on this device";
        if (state.ceilings->when) words += local_time(*state.ceilings->when, " on %F");
    }
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    if (state.measuring_ceilings)
        text("times/ceilings/state", "Measuring the device's ceilings: about ten seconds\u2026",
             {.tone = Tone::Accent, .icon = kIconClock, .shortens = true});
    else
        text("times/ceilings/state", words, {.tone = Tone::Muted, .shortens = true});
    if (!state.ceilings_error.empty())
        notice("times/ceilings/error", Tone::Danger, kIconWarning, "The ceilings could not be measured",
               state.ceilings_error);
}

constexpr const char* kTabBar = "times";

/// For each result, X-ray's report if both belong to the current choices; otherwise null.
std::vector<std::shared_ptr<const ShownXray>> xrays_of_results(const DeskState& state) {
    std::vector<std::shared_ptr<const ShownXray>> xrays;
    if (state.shown != nullptr) xrays.resize(state.shown->run.results.size());
    for (std::size_t i = 0; i < std::min(state.result_of.size(), state.xrays.size()); ++i) {
        const auto& counts = state.xrays[i].counts;
        if (counts != nullptr && counts->has_report() && state.result_of[i] &&
            *state.result_of[i] < xrays.size())
            xrays[*state.result_of[i]] = counts;
    }
    return xrays;
}

}  // namespace

ChartedRun charted(const ShownRun& shown) {
    const std::size_t known = std::min(shown.labels.size(), shown.run.results.size());
    ChartedRun run;
    run.results = std::span(shown.run.results).first(known);
    run.labels = std::span(shown.labels).first(known);
    run.baseline = shown.baseline;
    run.device = shown.run.environment.device;
    return run;
}

const TimesPanel::TabText& TimesPanel::text_of(Tab tab) {
    static constexpr TabText kTexts[kTabs] = {
        {"times", "Time", "times"},          {"distribution", "Distribution", "distribution"},
        {"rounds", "Rounds", "rounds"},      {"speedup", "Speed-up", "speed-up"},
        {"phases", "Phases", "phases"},      {"sweep", "Sweep", "sweep"},
        {"roofline", "Roofline", "roofline"}};
    return kTexts[static_cast<std::size_t>(tab)];
}

void TimesPanel::draw_tabs(const DeskState& state, Commands& commands) {
    // The desk also changes the tab, to show a sweep.
    const std::string* front = find_named(state.settings.tabs, kTabBar);
    if (!tab_) tab_ = Tab::Times;
    if (front != nullptr && *front != kept_tab_) {
        kept_tab_ = *front;
        for (std::size_t i = 0; i < kTabs; ++i)
            if (kept_tab_ == text_of(static_cast<Tab>(i)).name) tab_ = static_cast<Tab>(i);
    }
    std::array<std::string_view, kTabs> labels;
    for (std::size_t i = 0; i < kTabs; ++i) labels[i] = text_of(static_cast<Tab>(i)).label;
    ButtonRow row(tokens().hair, labels);
    for (std::size_t i = 0; i < kTabs; ++i) {
        const Tab tab = static_cast<Tab>(i);
        const TabText& words = text_of(tab);
        const bool is_front = tab == *tab_;
        if (!row.add_tab(std::string("times/tab/") + words.name, words.label, is_front) || is_front) continue;
        tab_ = tab;
        commands.push_back(command::ChangeSettings{
            [name = std::string(words.name)](Settings& kept) { put_named(kept.tabs, kTabBar, name); }});
    }
}

Hovered& TimesPanel::hovered_in(const DeskState& state) {
    const bool is_of_others = *tab_ == Tab::Sweep && state.sweep != nullptr && state.shown != nullptr &&
                              state.sweep->labels != state.shown->labels;
    return is_of_others ? hovered_in_sweep_ : hovered_;
}

std::string TimesPanel::log_switch() const {
    switch (*tab_) {
        case Tab::Times:
        case Tab::Speedup:
            return std::string("log/") + text_of(*tab_).name;
        case Tab::Sweep:
            return sweep_.measure() == SweepMeasure::Time ? "log/sweep/time" : "log/sweep/speed";
        default:
            return {};
    }
}

ChartedSweep TimesPanel::charted_sweep(const DeskState& state) {
    if (state.sweep == nullptr) return {};
    return {state.sweep->sizes, state.sweep->results, state.sweep->labels, state.sweep->environment.device};
}

plot::Chart TimesPanel::make_chart(const DeskState& state) const {
    if (*tab_ == Tab::Sweep) {
        const ChartedSweep sweep = charted_sweep(state);
        const ShownSweep* other = state.compared_sweep.get();
        if (state.sweep == nullptr || other == nullptr || other == state.sweep.get() ||
            other->problem != state.sweep->problem)
            return sweep_chart(sweep, made_.measure);
        const ChartedSweep earlier{other->sizes, other->results, other->labels, "",
                                   "earlier sweep of " + local_time(other->when, "%F %H:%M")};
        return sweep_chart(sweep, made_.measure, &earlier);
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
            ChartedRun observed = run;
            for (const auto& xray : made_.xrays)
                observed.sector_bytes.push_back(
                    xray == nullptr ? std::nullopt
                                    : std::optional(totals_of(xray->observed.report).sector_bytes));
            return roofline_chart(observed, ceilings);
        }
        default:
            break;
    }
    if (state.compared == nullptr || state.shown == nullptr) return time_chart(run);
    ChartedRun earlier = charted(*state.compared);
    earlier.name = name_of_earlier(*state.compared, *state.shown);
    return time_chart(run, &earlier);
}

/// Resets the zoom unless the run has the same problem and sizes as the previous one.
void TimesPanel::fit_to_subject(const DeskState& state) {
    if (state.shown == nullptr) return;
    std::string subject = state.shown->run.problem + " " + to_string(state.shown->run.sizes);
    if (subject == subject_) return;
    subject_ = std::move(subject);
    for (std::size_t i = 0; i < kTabs; ++i)
        if (static_cast<Tab>(i) != Tab::Sweep) widgets_[i].fit();
}

void TimesPanel::draw_empty(const DeskState& state) const {
    const bool waits = state.is_running() && !state.measuring_ceilings;
    if (*tab_ == Tab::Sweep) {
        if (state.sweep != nullptr && !state.sweep->finished)
            return empty_state("times/empty", kIconClock, "Waiting for the first size",
                               "The smallest size comes first; the chart grows as sizes are finished.");
        return empty_state("times/empty", kIconLines, "No sweep yet",
                           "A sweep shows how speed depends on the size. Enter sizes above and start it.");
    }
    if (waits)
        return empty_state("times/empty", kIconClock, "Waiting for the first result",
                           "Each kernel is built, checked, and then timed in turns with the others.");
    if (*tab_ == Tab::Roofline)
        return empty_state("times/empty", kIconLines, "No roofline yet", chart_.empty_text);
    if (state.shown == nullptr || state.shown->run.results.empty())
        return empty_state("times/empty", kIconBars, "No times yet",
                           "Choose a device and some kernels, then press F5 to run them.");
    const bool lacks_baseline = *tab_ == Tab::Speedup &&
                                std::ranges::any_of(state.shown->run.results, [](const KernelResult& result) {
                                    return result.median_ms.has_value();
                                });
    empty_state("times/empty", kIconBars,
                lacks_baseline ? "No baseline to compare with" : "Nothing was timed", chart_.empty_text);
}

TimesPanel::HeightRange TimesPanel::chart_height(const DeskState& state, float room) const {
    // In pixels at scale 1.
    constexpr float kLeast = 240, kPlot = 290, kAround = 96, kRow = 24, kPhase = 14, kPhases = 5;
    constexpr float kMostRow = 150;  // thicker bars would show no more
    const auto kernels =
        static_cast<float>(state.shown != nullptr ? state.shown->run.results.size() : std::size_t{0});
    float rows = 0;
    if (*tab_ == Tab::Times || *tab_ == Tab::Distribution || *tab_ == Tab::Speedup) rows = kRow * kernels;
    if (*tab_ == Tab::Phases) rows = kPhases * kPhase * std::max(1.5f, kernels * 0.6f);
    const bool has_legend = *tab_ == Tab::Rounds || *tab_ == Tab::Sweep || *tab_ == Tab::Roofline;
    float least = std::max(has_legend ? kPlot : kLeast, kAround + rows);
    // In a low panel all bars and their axis are on the screen, as long as they are legible.
    if (rows > 0) least = std::max(kAround + rows, std::min(least, room / look().pixels()));
    const float most = rows == 0
                           ? std::numeric_limits<float>::max()
                           : std::max(least, kAround + kMostRow * (*tab_ == Tab::Phases ? kPhases : kernels));
    return {least * look().pixels(), most * look().pixels()};
}

float TimesPanel::height_of_notes(float width) const {
    ImFont& font = *fonts().small;
    float height = 0;
    for (const std::string& note : chart_.notes)
        height +=
            ImGui::GetStyle().ItemSpacing.y +
            compat::text_size(font, compat::size_of(font), note.data(), note.data() + note.size(), width).y;
    return height;
}

void TimesPanel::draw_notes() const {
    for (std::size_t i = 0; i < chart_.notes.size(); ++i)
        text("times/note/" + std::to_string(i), chart_.notes[i],
             {.tone = Tone::Muted, .font = fonts().small, .wraps = true});
}

/// Draws the chart, which gets its room first, followed by the table and the notes, which scroll if
/// necessary.
void TimesPanel::draw_chart(const DeskState& state, Commands& commands) {
    Made now{state.shown, state.compared, state.sweep, state.compared_sweep, sweep_.measure(), {}, {}, {},
             {}};
    const std::string log = log_switch();
    if (const bool* chosen = find_named(state.settings.switches, log)) now.logarithmic = *chosen;
    if (state.ceilings && state.ceilings->gflops) now.gflops = state.ceilings->gflops->value;
    if (state.ceilings && state.ceilings->gbytes_s) now.gbytes_s = state.ceilings->gbytes_s->value;
    if (*tab_ == Tab::Roofline) now.xrays = xrays_of_results(state);
    fit_to_subject(state);
    if (chart_tab_ != tab_ || made_ != now) {
        made_ = std::move(now);
        chart_tab_ = tab_;
        chart_ = make_chart(state);
        if (made_.logarithmic) set_logarithmic(chart_, *made_.logarithmic);
        ++chart_key_;
    }
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const std::size_t lines =
        state.shown == nullptr ? 0 : std::min(state.shown->labels.size(), state.shown->run.results.size());
    const bool has_table = *tab_ != Tab::Sweep && lines > 0;
    const float table = has_table ? table_height(lines) + 2 * spacing : 0;  // also below it
    const bool has_chart = plot::has_data(chart_);
    const float notes = has_chart ? height_of_notes(room.x) : 0;
    const auto [least, most] = chart_height(state, room.y - 1);
    float height = std::min(most, room.y - table - notes - 1);
    if (height < least) height = std::max(least, room.y - table - 1);
    const bool shows_map = has_chart && *tab_ == Tab::Sweep && sweep_.shows_map();
    if (shows_map) {
        DrawListCanvas canvas(*ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos());
        const ChartedSweep sweep = charted_sweep(state);
        const plot::Size least_size = sweep_map_least(canvas, sweep);
        const plot::Rect area{0, 0, std::max(room.x, least_size.width), std::max(height, least_size.height)};
        draw_sweep_map(canvas, area, sweep, chart_theme());
        ImGui::Dummy({area.width, area.height});
    } else if (has_chart) {
        const TabText& words = text_of(*tab_);
        ChartOptions options;
        options.notes = false;
        options.file_name = words.file;
        if (state.shown != nullptr && is_of_run())
            options.file_name = state.shown->run.problem + "-" + words.file;
        options.size = {0, std::floor(height)};
        options.hovered = &hovered_in(state);
        bool logarithmic = is_logarithmic(chart_);
        if (!log.empty()) options.logarithmic = &logarithmic;
        ChartWidget& widget = widgets_[static_cast<std::size_t>(*tab_)];
        widget.draw("times/chart", chart_, chart_key_, options, exports_, commands);
        if (logarithmic != is_logarithmic(chart_) && !log.empty()) {
            widget.fit();
            commands.push_back(command::ChangeSettings{
                [log, logarithmic](Settings& kept) { put_named(kept.switches, log, logarithmic); }});
        }
    } else {
        constexpr float kLeastEmpty = 120;  // in pixels at scale 1
        height = std::max(kLeastEmpty * look().pixels(), room.y - table - 1);
        compat::begin_child("times/empty", {0, std::floor(height)}, false,
                            ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        draw_empty(state);
        ImGui::EndChild();
    }
    if (has_table) {
        draw_results_table(state, hovered_, commands);
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + spacing);
    }
    if (shows_map)
        text("times/map/note",
             "The shortest median of each size has a frame; the darker a cell, the nearer it is to that.",
             {.tone = Tone::Muted, .font = fonts().small, .wraps = true});
    else if (has_chart)
        draw_notes();
}

void TimesPanel::draw(const DeskState& state, Commands& commands) {
    if (compat::begin_child("times", {0, 0}, false)) {
        if (state.shown != warnings_of_) {
            warnings_of_ = state.shown;
            warnings_ = state.shown != nullptr ? collect_warnings(*state.shown) : std::vector<std::string>();
        }
        hovered_in_sweep_.end_frame();  // of the last frame
        draw_headline(state, tab_ == Tab::Sweep, warnings_, commands);
        draw_tabs(state, commands);
        if (*tab_ == Tab::Sweep) sweep_.draw(state, commands);
        if (*tab_ == Tab::Roofline) draw_ceilings_controls(state, commands);
        if (state.shown != nullptr && !state.shown->error.empty() && !state.is_busy)
            notice("times/error", Tone::Danger, kIconWarning, "The run failed", state.shown->error);
        const float top = ImGui::GetCursorScreenPos().y;
        draw_chart(state, commands);
        if (state.is_outdated && *tab_ != Tab::Sweep) dim_from(top);
    }
    ImGui::EndChild();
}

}  // namespace kwb::gui
