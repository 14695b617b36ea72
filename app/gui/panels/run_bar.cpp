// SPDX-License-Identifier: Apache-2.0
// Run, Stop, live, progress and Export in the heading bar, and the sweep.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/text.hpp"
#include "experiment/experiment.hpp"
#include "gui/panels/experiment_panel.hpp"
#include "report/numbers.hpp"

namespace kwb::gui {
namespace {

constexpr const char* kLive = "Live";
constexpr const char* kExport = "Export";

std::string stop_words() {
    return "Stop  (" + keys_of(Action::Stop) + ")";
}

std::string run_words() {
    return "Run  (" + keys_of(Action::Run) + ")";
}

/// Wide enough for each of its labels, so that nothing moves when a run begins.
float run_width() {
    return std::max(button_width(run_words(), kIconPlay), button_width(stop_words(), kIconStop));
}

/// Which kernels cannot run as chosen, and why.
void draw_misfits(const DeskState& state, float room) {
    std::vector<std::string> names;
    std::string reasons, word;
    for (const Preview::Contestant& shown : state.preview.contestants)
        if (shown.obstacle) {
            names.push_back(shown.label);
            reasons += (reasons.empty() ? "" : "\n\n") + shown.label + ": " + *shown.obstacle;
            const std::string one = misfit_word(shown);
            word = word.empty() || word == one ? one : "cannot run";
        }
    if (names.empty()) return;
    const bool is_one = names.size() == 1;
    if (word == "does not fit")
        word = is_one ? word : "do not fit";
    else if (word != "cannot run")
        word = (is_one ? "is " : "are ") + word;
    text("experiment/misfits",
         fmt::format("{} of {} {}: {}", names.size(), state.preview.contestants.size(), word,
                     join(names, ", ")),
         {.icon = kIconForbidden, .shortens = true, .room = room});
    tooltip(reasons);
}

void draw_state(const ChoicesEdit& edit, float room) {
    const DeskState& state = edit.state;
    ImGui::AlignTextToFramePadding();
    if (state.is_busy) return;  // the headline says how far it is
    if (const std::string* obstacle = obstacle_of(edit))
        text("experiment/obstacle", *obstacle, {.icon = kIconForbidden, .shortens = true, .room = room});
    else if (state.live_waits)
        text("experiment/live_waits", "Runs when you pause",
             {.tone = Tone::Muted, .icon = kIconClock, .shortens = true, .room = room});
    else
        draw_misfits(state, room);
}

}  // namespace

const std::string* obstacle_of(const ChoicesEdit& edit) {
    if (const std::string* refusal = edit.typing.refusal()) return refusal;
    return edit.state.preview.obstacle ? &*edit.state.preview.obstacle : nullptr;
}

void draw_run_button(ChoicesEdit& edit) {
    const DeskState& state = edit.state;
    if (state.is_busy) {
        const bool stopping = state.session->phase == Snapshot::Phase::Stopping;
        if (button("experiment/stop", stopping ? "Stopping\u2026" : stop_words(),
                   {.icon = kIconStop, .enabled = !stopping, .width = run_width()}))
            edit.commands.push_back(command::Stop{});
        return;
    }
    const std::string* obstacle = obstacle_of(edit);
    if (button("experiment/run", run_words(),
               {.icon = kIconPlay,
                .kind = ButtonKind::Primary,
                .enabled = !obstacle,
                .width = run_width(),
                .tooltip = obstacle
                               ? std::string_view(*obstacle)
                               : "Check and time the chosen kernels; uses edited sources even if not saved"}))
        edit.commands.push_back(command::Run{});
}

float run_controls_width() {
    return run_width() + tick_width(kLive) + ImGui::GetStyle().ItemSpacing.x;
}

void draw_run_controls(ChoicesEdit& edit, float progress) {
    draw_run_button(edit);
    ImGui::SameLine();
    if (tick("experiment/live", kLive, edit.choices.live,
             "Run again after every change of the choices or a file, and when you pause typing"))
        edit.choices.live = !edit.choices.live;
    const float least = 6 * ImGui::GetFontSize();
    const float room = progress - ImGui::GetStyle().ItemSpacing.x - tokens().gap;
    if (room < least) return;
    ImGui::SameLine(0, tokens().gap);
    draw_state(edit, room);
}

float export_width(ExportAs shown) {
    if (shown == ExportAs::Nothing) return 0;
    return shown == ExportAs::Words ? button_width(kExport, kIconExport)
                                    : button_width(icon_alone(kIconExport, kExport));
}

void draw_export(ChoicesEdit& edit, ExportAs shown) {
    if (shown == ExportAs::Nothing) return;
    constexpr const char* kMenu = "experiment/export/menu";
    const bool has_words = shown == ExportAs::Words;
    const std::string_view obstacle = export_obstacle(edit.state);
    ImGui::SameLine();
    if (button("experiment/export", has_words ? kExport : icon_alone(kIconExport, kExport),
               {.icon = has_words ? kIconExport : nullptr,
                .enabled = obstacle.empty(),
                .tooltip = obstacle.empty() ? "Export the results: a page, numbers or a table" : obstacle}))
        ImGui::OpenPopup(kMenu);
    const ImVec2 corner = ImGui::GetItemRectMax();
    ImGui::SetNextWindowPos({corner.x, corner.y + tokens().hair}, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowSizeConstraints({18 * ImGui::GetFontSize(), 0}, ImGui::GetIO().DisplaySize);
    const Popup popup(kMenu);
    if (!popup.open) return;
    if (!obstacle.empty()) return ImGui::CloseCurrentPopup();  // a new run has begun meanwhile
    draw_export_items("experiment/export", export_name(edit.state), std::nullopt, edit.pending,
                      edit.commands);
}

std::string progress_words(const DeskState& state) {
    if (state.measuring_ceilings) return "Measuring the device's ceilings";
    const Snapshot& session = *state.session;
    if (session.phase == Snapshot::Phase::Stopping) return "Stopping";
    if (session.phase == Snapshot::Phase::Listing) {
        std::string words = session.devices ? starting_words(*session.devices) : "";
        if (words.empty()) return "Querying the drivers for devices";
        words.front() = 'W';
        return words;
    }
    if (session.phase == Snapshot::Phase::Observing) return "";  // in the background
    if (!session.progress) return state.is_busy ? "Starting" : "";
    const Progress& progress = *session.progress;
    constexpr std::string_view kCheck = "check";
    std::string words = progress.stage;
    if (progress.stage == "build") words = "Building";
    if (progress.stage.starts_with(kCheck)) words = "Checking" + progress.stage.substr(kCheck.size());
    constexpr unsigned kRoundsOfInterval = 6;  // with fewer, noise is unknown
    if (progress.stage == "time")
        words = progress.is_extended && progress.rounds >= kRoundsOfInterval ? "Still too noisy, timing"
                                                                             : "Timing";
    if (progress.stage == "what if") words = "Experimenting with";
    if (!progress.kernel.empty()) words += " " + short_kernel_name(progress.kernel);
    if (progress.contestant && session.results.size() > 1)
        words += fmt::format(" ({} of {})", *progress.contestant + 1, session.results.size());
    if (progress.rounds > 0) words += ", " + counted(progress.rounds, "round");
    if (const std::string waiting = waiting_words(progress); !waiting.empty())
        words += ": " + waiting;
    else if (progress.median_ms)
        words += ": " + format_time_ms(*progress.median_ms, progress.ci95_ms);
    return words;
}

/// A typed value is kept; an empty field follows the problem size again.
void draw_sweep(ChoicesEdit& edit) {
    const DeskState& state = edit.state;
    const float gap = tokens().gap_small;
    const SweepRange range = sweep_range(state.choices);
    const std::vector<std::int64_t> edges = sweep_steps(state.choices);
    const std::string* obstacle = obstacle_of(edit);
    std::string words = "Measure all kernels at " + counted(edges.size(), "size") + " from " +
                        std::to_string(range.from) + " to " + std::to_string(range.to) +
                        ", each double the one before";
    if (obstacle) words = *obstacle;
    if (button("experiment/sweep", "Sweep",
               {.icon = kIconLines, .enabled = !state.is_busy && !obstacle, .tooltip = words}))
        edit.commands.push_back(command::Sweep{edges});
    const std::string to = "to";
    ImGui::SameLine(0, gap);
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(to.c_str()).x - 2 * gap;
    const float width = std::floor(room / 2);
    const auto edge = [&](const std::string& id, std::int64_t value, std::optional<std::int64_t>& chosen) {
        const auto typed = typed_field(id, std::to_string(value), edit.typing, width);
        tooltip("Extent of the problem in every dimension; leave empty to follow the size above");
        if (!typed) return;
        if (trim(*typed).empty())
            chosen.reset();
        else if (const auto extent = read_extent(*typed); extent && *extent <= kMostSweepEdge)
            chosen = *extent;
        else
            edit.typing.refuse("Sweep: " + not_a_number(*typed, "1 to " + std::to_string(kMostSweepEdge)));
    };
    edge("experiment/sweep/from", range.from, edit.choices.sweep_from);
    ImGui::SameLine(0, gap);
    text("experiment/sweep/label", to, {.tone = Tone::Muted});
    ImGui::SameLine(0, gap);
    edge("experiment/sweep/to", range.to, edit.choices.sweep_to);
}

}  // namespace kwb::gui
