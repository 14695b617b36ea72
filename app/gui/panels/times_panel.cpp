#include "gui/panels/times_panel.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <span>

#include "base/text.hpp"
#include "gui/panels/results_table.hpp"
#include "gui/widgets.hpp"
#include "plot/numbers.hpp"
#include "report/charts.hpp"
#include "report/numbers.hpp"

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

std::string name_of_earlier(const ShownRun& earlier, const ShownRun& present) {
    const std::time_t when = std::chrono::system_clock::to_time_t(earlier.run.when);
    std::string name = fmt::format("earlier run of {:%H:%M}", fmt::localtime(when));
    if (earlier.run.sizes != present.run.sizes) name += " at " + to_string(earlier.run.sizes);
    return name;
}

std::string words_of(const Progress& progress) {
    std::string stage = progress.stage;
    if (stage == "build") stage = "Building";
    if (stage.starts_with("check")) stage.replace(0, 5, "Checking");
    if (stage == "time") stage = "Timing";
    std::string words = stage + " " + progress.kernel;
    if (progress.rounds > 0) words += ", " + counted(progress.rounds, "round");
    if (progress.median_ms) words += ": " + format_time_ms(*progress.median_ms, progress.ci95_ms);
    return words;
}

/// Each warning once, with the contestants that it is about.
std::vector<std::string> collect_warnings(const ShownRun& run) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<std::string>> about;
    const std::size_t known = std::min(run.labels.size(), run.run.results.size());
    for (std::size_t i = 0; i < known; ++i)
        for (const std::string& warning : run.run.results[i].warnings) {
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
    const std::string words = to_string(sizes);
    return words.find('=') == std::string::npos ? "size " + words : words;
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

Edges read_edges(std::string_view text) {
    constexpr std::int64_t kMost = 1 << 20;
    constexpr std::size_t kMostEdges = 32;
    Edges edges;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = text.find_first_not_of(" ,;\t", at);
        if (begin == std::string_view::npos) break;
        at = std::min(text.find_first_of(" ,;\t", begin), text.size());
        const std::string_view word = text.substr(begin, at - begin);
        std::int64_t value = 0;
        const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (fault != std::errc() || end != word.data() + word.size() || value < 1 || value > kMost) {
            edges.problem = fmt::format("\u201c{}\u201d is no size; write whole numbers from 1 to {}.",
                                        to_utf8(word), kMost);
            return edges;
        }
        edges.values.push_back(value);
    }
    std::sort(edges.values.begin(), edges.values.end());
    edges.values.erase(std::unique(edges.values.begin(), edges.values.end()), edges.values.end());
    if (edges.values.empty())
        edges.problem = "Write at least one size, such as 64 128 256.";
    else if (edges.values.size() > kMostEdges)
        edges.problem = fmt::format("A sweep takes at most {} sizes; leave some out.", kMostEdges);
    return edges;
}

void TimesPanel::draw_state_of_run(const DeskState& state) {
    const auto& progress = state.session->progress;
    if (state.sweep != nullptr && !state.sweep->finished && state.is_running()) {
        std::string words = fmt::format("Sweep: {} of {} done", state.sweep->results.size(),
                                        counted(state.sweep->sizes.size(), "size"));
        if (progress) words += ". " + words_of(*progress);
        text("times/progress", words, {.tone = Tone::Accent, .icon = kIconClock, .shortens = true});
    } else if (state.is_running() && progress) {
        text("times/progress", words_of(*progress),
             {.tone = Tone::Accent, .icon = kIconClock, .shortens = true});
    } else if (state.session->phase == Snapshot::Phase::Stopping) {
        text("times/progress", "Stopping\u2026", {.tone = Tone::Muted, .icon = kIconClock, .shortens = true});
    }
    if (state.shown == nullptr) return;
    const ShownRun& run = *state.shown;
    if (!run.error.empty()) {
        notice("times/error", Tone::Danger, kIconWarning, "The run came to a bad end", run.error);
        return;
    }
    std::string words = run.run.problem;
    if (!run.run.sizes.empty()) words += ", " + sizes_words(run.run.sizes);
    if (!run.run.environment.device.empty()) words += ", on " + run.run.environment.device;
    if (run.stopped) words = "Stopped before the end: " + words;
    if (state.compared != nullptr) words += ", beside the " + name_of_earlier(*state.compared, run);
    text("times/run", words,
         {.tone = run.stopped ? Tone::Warning : Tone::Muted, .font = look().fonts().small, .shortens = true});
}

void TimesPanel::draw_warnings(const std::shared_ptr<const ShownRun>& run) {
    if (run != warnings_of_) {
        warnings_ = collect_warnings(*run);
        warnings_of_ = run;
    }
    if (warnings_.empty()) return;
    constexpr const char* kPopup = "times/warnings/list";
    const std::string label = counted(warnings_.size(), "warning");
    if (button("times/warnings", label, {.icon = kIconWarning, .tooltip = "Read all warnings of this run"}))
        ImGui::OpenPopup(kPopup);
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    text("times/warnings/first", warnings_.front(), {.tone = Tone::Warning, .shortens = true});
    if (!ImGui::BeginPopup(kPopup)) return;
    ImGui::PushTextWrapPos(36 * ImGui::GetFontSize());
    for (std::size_t i = 0; i < warnings_.size(); ++i) {
        ImGui::PushStyleColor(ImGuiCol_Text, text_color(Tone::Normal));
        ImGui::TextUnformatted(warnings_[i].c_str());
        ImGui::PopStyleColor();
        probe("times/warnings/" + std::to_string(i), {.label = warnings_[i], .wraps = true});
    }
    ImGui::PopTextWrapPos();
    ImGui::EndPopup();
}

void TimesPanel::draw_tabs(const DeskState& state, Commands& commands) {
    if (!tab_) {
        tab_ = Tab::Times;
        if (const std::string* front = find_named(state.settings.tabs, kTabBar))
            for (std::size_t i = 0; i < kTabs; ++i)
                if (*front == text_of(static_cast<Tab>(i)).name) tab_ = static_cast<Tab>(i);
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
        const auto front = std::find_if(settings.tabs.begin(), settings.tabs.end(),
                                        [](const auto& bar) { return bar.name == kTabBar; });
        if (front == settings.tabs.end())
            settings.tabs.push_back({kTabBar, words.name});
        else
            front->value = words.name;
        commands.push_back(command::ChangeSettings{std::move(settings)});
    }
    ImGui::PopStyleVar();
}

void TimesPanel::draw_sweep_controls(const DeskState& state, Commands& commands) {
    const Edges edges = read_edges(edges_.data());
    const bool under_way = state.sweep != nullptr && !state.sweep->finished && state.is_running();
    const std::string start = "Start sweep", stop = "Stop sweep";
    const float width = button_width(start, kIconPlay);
    ImGui::AlignTextToFramePadding();
    text("times/sweep/label", "Sizes");
    ImGui::SameLine();
    const float field = ImGui::GetContentRegionAvail().x - width - ImGui::GetStyle().ItemSpacing.x;
    ImGui::SetNextItemWidth(std::max(field, 6 * ImGui::GetFontSize()));
    ImGui::InputText("##times/sweep/edges", edges_.data(), edges_.size());
    probe("times/sweep/edges");
    tooltip("Edges of the problem, each run with all kernels: powers of two show the steps of caches best.");
    if (field > 6 * ImGui::GetFontSize()) ImGui::SameLine();
    std::string obstacle;
    if (!edges.problem.empty()) obstacle = edges.problem;
    if (state.is_running()) obstacle = "Something is running; stop it, or wait for its end.";
    if (state.choices.contestants.empty()) obstacle = "Choose at least one kernel first.";
    if (state.device == nullptr) obstacle = "No device has been found to run on.";
    if (under_way) {
        if (button("times/sweep/stop", stop, {.icon = kIconStop, .width = width}))
            commands.push_back(command::Stop{});
    } else if (button("times/sweep/start", start,
                      {.icon = kIconPlay,
                       .kind = ButtonKind::Primary,
                       .enabled = obstacle.empty(),
                       .tooltip = obstacle.empty() ? "Measure the chosen kernels at each of these sizes"
                                                   : std::string_view(obstacle)})) {
        commands.push_back(command::Sweep{edges.values});
    }
    if (!edges.problem.empty())
        text("times/sweep/problem", edges.problem, {.tone = Tone::Warning, .wraps = true});
    if (state.sweep != nullptr && !state.sweep->error.empty())
        notice("times/sweep/error", Tone::Warning, kIconWarning, "Not all sizes were measured",
               state.sweep->error);
}

void TimesPanel::draw_roofline_controls(const DeskState& state, Commands& commands) {
    if (state.measuring_ceilings) {
        text("times/ceilings/state", "Measuring the device's ceilings: some ten seconds\u2026",
             {.tone = Tone::Accent, .icon = kIconClock, .wraps = true});
        return;
    }
    const bool known = state.ceilings && (state.ceilings->gflops || state.ceilings->gbytes_s);
    const std::string label = known ? "Measure again" : "Measure ceilings";
    std::string obstacle;
    if (state.is_running()) obstacle = "Something is running; stop it, or wait for its end.";
    if (state.device == nullptr) obstacle = "No device has been found to measure.";
    const std::string hint =
        obstacle.empty() ? "Two small kernels find out how fast the device computes and moves data at best: "
                           "some ten seconds"
                         : obstacle;
    if (button("times/ceilings/measure", label,
               {.icon = kIconBolt,
                .kind = known ? ButtonKind::Normal : ButtonKind::Primary,
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
    }
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    text("times/ceilings/state", words, {.tone = Tone::Muted, .shortens = true});
    if (!state.ceilings_error.empty())
        notice("times/ceilings/error", Tone::Danger, kIconWarning, "The ceilings could not be measured",
               state.ceilings_error);
}

plot::Chart TimesPanel::make_chart(const DeskState& state) const {
    if (*tab_ == Tab::Sweep) {
        ChartedSweep sweep;
        if (state.sweep == nullptr) return sweep_chart(sweep);
        sweep.sizes = state.sweep->sizes;
        sweep.results = state.sweep->results;
        sweep.labels = state.sweep->labels;
        sweep.device = state.sweep->environment.device;
        return sweep_chart(sweep);
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
    Made now{state.shown, state.compared, state.sweep, {}, {}};
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
    draw_state_of_run(state);
    if (state.shown != nullptr && !state.shown->run.results.empty()) {
        draw_results_table(state, kMostTableShare * whole, commands);
        draw_warnings(state.shown);
    }
    draw_tabs(state, commands);
    if (*tab_ == Tab::Sweep) draw_sweep_controls(state, commands);
    if (*tab_ == Tab::Roofline) draw_roofline_controls(state, commands);
    draw_chart(state, commands);
    ImGui::EndChild();
}

}  // namespace kwb::gui
