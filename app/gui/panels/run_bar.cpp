#include "gui/panels/run_bar.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/text.hpp"
#include "gui/key_table.hpp"
#include "gui/look.hpp"
#include "gui/widgets.hpp"
#include "plot/numbers.hpp"

namespace kwb::gui {
namespace {

constexpr std::size_t kMostSweepSteps = 12;

void draw_button(ChoicesEdit& edit) {
    const DeskState& state = edit.state;
    const float width = ImGui::GetContentRegionAvail().x;
    if (state.is_busy) {
        const bool stopping = state.session->phase == Snapshot::Phase::Stopping;
        if (button("experiment/stop", stopping ? "Stopping\u2026" : "Stop  (" + keys_of(Action::Stop) + ")",
                   {.icon = kIconStop, .enabled = !stopping, .width = width}))
            edit.commands.push_back(command::Stop{});
        return;
    }
    const auto& obstacle = state.preview.obstacle;
    if (button("experiment/run", "Run  (" + keys_of(Action::Run) + ")",
               {.icon = kIconPlay,
                .kind = ButtonKind::Primary,
                .enabled = !obstacle,
                .width = width,
                .tooltip = obstacle ? std::string_view(*obstacle) : "Check and time the chosen kernels"}))
        edit.commands.push_back(command::Run{});
}

void draw_state(const DeskState& state) {
    const TextOptions small = {.font = look().fonts().small};
    if (state.is_busy) {
        TextOptions muted = small;
        muted.tone = Tone::Muted;
        muted.shortens = true;
        text("experiment/progress", progress_words(state), muted);
    } else if (state.preview.obstacle) {
        TextOptions danger = small;
        danger.tone = Tone::Danger;
        danger.icon = kIconWarning;
        danger.wraps = true;
        text("experiment/obstacle", *state.preview.obstacle, danger);
    }
}

}  // namespace

std::string progress_words(const DeskState& state) {
    if (state.measuring_ceilings) return "measuring what the device can do";
    const Snapshot& session = *state.session;
    if (session.phase == Snapshot::Phase::Stopping) return "stopping";
    if (session.phase == Snapshot::Phase::Listing) return "asking the drivers for their devices";
    if (!session.progress) return state.is_busy ? "starting" : "";
    const Progress& progress = *session.progress;
    std::string words = progress.stage;
    if (!progress.kernel.empty()) words += " \u00b7 " + kernel_words(progress.kernel);
    if (progress.rounds > 0) words += " \u00b7 " + counted(progress.rounds, "round");
    if (progress.median_ms) words += " \u00b7 " + plot::format_number(*progress.median_ms) + " ms";
    return words;
}

std::vector<std::int64_t> sweep_edges(const Choices& choices) {
    std::int64_t largest = 512;
    for (const auto& size : choices.sizes) largest = std::max(largest, size.value);
    std::vector<std::int64_t> edges;
    for (std::int64_t edge = largest; edge >= 16 && edges.size() < kMostSweepSteps; edge /= 2)
        edges.push_back(std::int64_t{1} << static_cast<int>(std::log2(static_cast<double>(edge))));
    std::reverse(edges.begin(), edges.end());
    edges.erase(edges.begin(), edges.end() - std::min<std::ptrdiff_t>(7, std::ssize(edges)));
    return edges;
}

void draw_run_bar(ChoicesEdit& edit) {
    draw_state(edit.state);
    draw_button(edit);
    const std::vector<std::int64_t> edges = sweep_edges(edit.choices);
    const std::string words = "Measure at " + std::to_string(edges.front()) + " to " +
                              std::to_string(edges.back()) + ", each twice as large as the one before";
    if (tick("experiment/live", "Live", edit.choices.live, "Run again on every change, also of a file"))
        edit.choices.live = !edit.choices.live;
    ImGui::SameLine();
    const float width = button_width("Sweep sizes", kIconLines);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, ImGui::GetContentRegionAvail().x - width));
    if (button("experiment/sweep", "Sweep sizes",
               {.icon = kIconLines,
                .enabled = !edit.state.is_busy && !edit.state.preview.obstacle,
                .tooltip = words}))
        edit.commands.push_back(command::Sweep{edges});
}

}  // namespace kwb::gui
