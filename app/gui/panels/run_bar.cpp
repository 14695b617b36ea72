// The lower end of the experiment panel: Run, Stop, progress, sweep and live.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "desk/choices.hpp"
#include "gui/fields.hpp"
#include "gui/panels/experiment_panel.hpp"
#include "report/numbers.hpp"

namespace kwb::gui {
namespace {

/// Why nothing can run, or null if a run is possible.
const std::string* obstacle_of(const ChoicesEdit& edit) {
    if (const std::string* refusal = edit.typing.refusal()) return refusal;
    return edit.state.preview.obstacle ? &*edit.state.preview.obstacle : nullptr;
}

void draw_button(ChoicesEdit& edit, float width) {
    const DeskState& state = edit.state;
    if (state.is_busy) {
        const bool stopping = state.session->phase == Snapshot::Phase::Stopping;
        if (button("experiment/stop", stopping ? "Stopping\u2026" : "Stop  (" + keys_of(Action::Stop) + ")",
                   {.icon = kIconStop, .enabled = !stopping, .width = width}))
            edit.commands.push_back(command::Stop{});
        return;
    }
    const std::string* obstacle = obstacle_of(edit);
    if (button("experiment/run", "Run  (" + keys_of(Action::Run) + ")",
               {.icon = kIconPlay,
                .kind = ButtonKind::Primary,
                .enabled = !obstacle,
                .width = width,
                .tooltip = obstacle
                               ? std::string_view(*obstacle)
                               : "Check and time the chosen kernels; uses edited sources even if not saved"}))
        edit.commands.push_back(command::Run{});
}

/// Shows which kernels cannot run as chosen, because their blocks, which give the reason, may be out of
/// sight.
void draw_misfits(const DeskState& state) {
    std::vector<std::string> names;
    std::string reasons;
    for (const Preview::Contestant& shown : state.preview.contestants)
        if (shown.obstacle) {
            names.push_back(shown.label);
            reasons += (reasons.empty() ? "" : "\n\n") + shown.label + ": " + *shown.obstacle;
        }
    if (names.empty()) return;
    text("experiment/misfits",
         std::to_string(names.size()) + " of " + std::to_string(state.preview.contestants.size()) +
             (names.size() == 1 ? " does not fit: " : " do not fit: ") + join(names, ", "),
         {.tone = Tone::Warning, .font = fonts().small, .icon = kIconWarning, .shortens = true});
    tooltip(reasons);
}

void draw_state(const ChoicesEdit& edit) {
    const DeskState& state = edit.state;
    if (state.is_busy)
        text("experiment/progress", progress_words(state),
             {.tone = Tone::Muted, .font = fonts().small, .shortens = true});
    else if (const std::string* obstacle = obstacle_of(edit))
        remark("experiment/obstacle", *obstacle, Tone::Danger, kIconWarning);
    else
        draw_misfits(state);
}

}  // namespace

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
    if (!session.progress) return state.is_busy ? "Starting" : "";
    const Progress& progress = *session.progress;
    constexpr std::string_view kCheck = "check";
    std::string words = progress.stage;
    if (progress.stage == "build") words = "Building";
    if (progress.stage.starts_with(kCheck)) words = "Checking" + progress.stage.substr(kCheck.size());
    if (progress.stage == "time") words = "Timing";
    if (!progress.kernel.empty()) words += " " + short_kernel_name(progress.kernel);
    if (progress.rounds > 0) words += ", " + counted(progress.rounds, "round");
    if (const std::string waiting = waiting_words(progress); !waiting.empty())
        words += ": " + waiting;
    else if (progress.median_ms)
        words += ": " + format_time_ms(*progress.median_ms, progress.ci95_ms);
    return words;
}

namespace {

/// Draws the sweep's button and its first and last size. A typed value is kept; an empty field follows the
/// problem size again.
void draw_sweep(ChoicesEdit& edit) {
    const DeskState& state = edit.state;
    const float gap = tokens().gap_small;
    const SweepRange range = sweep_range(state.choices);
    const std::vector<std::int64_t> edges = sweep_steps(state.choices);
    const std::string* obstacle = obstacle_of(edit);
    std::string words = "Measure all kernels at " + counted(edges.size(), "size") + " from " +
                        std::to_string(range.from) + " to " + std::to_string(range.to) +
                        ", each twice as large as the one before";
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
        tooltip("Extent of the problem in every direction; empty it to follow the size above");
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

}  // namespace

void draw_run_bar(ChoicesEdit& edit) {
    draw_state(edit);
    const float gap = tokens().gap_small;
    const float live =
        ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize("Live").x;
    draw_button(edit, ImGui::GetContentRegionAvail().x - live - gap);
    ImGui::SameLine(0, gap);
    if (tick("experiment/live", "Live", edit.choices.live,
             "Run again after every change of the choices or a file"))
        edit.choices.live = !edit.choices.live;
    draw_sweep(edit);
}

}  // namespace kwb::gui
