#include "gui/panels/run_bar.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/text.hpp"
#include "desk/sweep_steps.hpp"
#include "gui/keys.hpp"
#include "gui/look.hpp"
#include "gui/widgets.hpp"
#include "report/numbers.hpp"
#include "report/waiting.hpp"

namespace kwb::gui {
namespace {

/// Why nothing can run; null: it can.
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
    if (button(
            "experiment/run", "Run  (" + keys_of(Action::Run) + ")",
            {.icon = kIconPlay,
             .kind = ButtonKind::Primary,
             .enabled = !obstacle,
             .width = width,
             .tooltip = obstacle
                            ? std::string_view(*obstacle)
                            : "Check and time the chosen kernels; edited texts as they stand, saved or not"}))
        edit.commands.push_back(command::Run{});
}

/// Names those that cannot run as chosen, because their blocks, which say why, may be out of sight.
void draw_misfits(const DeskState& state, TextOptions options) {
    std::vector<std::string> names;
    std::string reasons;
    for (const ContestantPreview& shown : state.preview.contestants)
        if (shown.obstacle) {
            names.push_back(shown.label);
            reasons += (reasons.empty() ? "" : "\n\n") + shown.label + ": " + *shown.obstacle;
        }
    if (names.empty()) return;
    options.tone = Tone::Warning;
    options.icon = kIconWarning;
    options.shortens = true;
    text("experiment/misfits",
         std::to_string(names.size()) + " of " + std::to_string(state.preview.contestants.size()) +
             (names.size() == 1 ? " does not fit: " : " do not fit: ") + join(names, ", "),
         options);
    tooltip(reasons);
}

void draw_state(const ChoicesEdit& edit) {
    const DeskState& state = edit.state;
    const TextOptions small = {.font = look().fonts().small};
    if (state.is_busy) {
        TextOptions muted = small;
        muted.tone = Tone::Muted;
        muted.shortens = true;
        text("experiment/progress", progress_words(state), muted);
    } else if (const std::string* obstacle = obstacle_of(edit)) {
        TextOptions danger = small;
        danger.tone = Tone::Danger;
        danger.icon = kIconWarning;
        danger.wraps = true;
        text("experiment/obstacle", *obstacle, danger);
    } else {
        draw_misfits(state, small);
    }
}

}  // namespace

std::string progress_words(const DeskState& state) {
    if (state.measuring_ceilings) return "Measuring what the device can do";
    const Snapshot& session = *state.session;
    if (session.phase == Snapshot::Phase::Stopping) return "Stopping";
    if (session.phase == Snapshot::Phase::Listing) {
        std::string words = session.devices ? starting_words(*session.devices) : "";
        if (words.empty()) return "Asking the drivers for their devices";
        words.front() = 'W';
        return words;
    }
    if (!session.progress) return state.is_busy ? "Starting" : "";
    const Progress& progress = *session.progress;
    std::string words = progress.stage;
    if (words == "build") words = "Building";
    if (words.starts_with("check")) words.replace(0, 5, "Checking");
    if (words == "time") words = "Timing";
    if (!progress.kernel.empty()) words += " " + kernel_words(progress.kernel);
    if (progress.rounds > 0) words += ", " + counted(progress.rounds, "round");
    if (const std::string waiting = waiting_words(progress); !waiting.empty())
        words += ": " + waiting;
    else if (progress.median_ms)
        words += ": " + format_time_ms(*progress.median_ms, progress.ci95_ms);
    return words;
}

namespace {

/// Where the sweep begins and ends. What is typed stays chosen; an emptied field follows the size again.
void draw_sweep(ChoicesEdit& edit) {
    const DeskState& state = edit.state;
    const float gap = look().tokens().gap_small;
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
    const float gap = look().tokens().gap_small;
    const float live =
        ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize("Live").x;
    draw_button(edit, ImGui::GetContentRegionAvail().x - live - gap);
    ImGui::SameLine(0, gap);
    if (tick("experiment/live", "Live", edit.choices.live, "Run again on every change, also of a file"))
        edit.choices.live = !edit.choices.live;
    draw_sweep(edit);
}

}  // namespace kwb::gui
