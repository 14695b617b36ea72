#include "gui/panels/history_panel.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "gui/fields.hpp"
#include "gui/keys.hpp"
#include "gui/panels/history_parts.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {
namespace {

bool is_same(const std::string& filter, const std::string& present) {
    return !present.empty() && filter == present;
}

bool is_empty(const HistoryFilter& filter) {
    return filter == HistoryFilter{};
}

bool toggle(std::string_view id, std::string_view label, bool is_on, bool enabled, std::string_view tooltip) {
    return button(id, label,
                  {.icon = is_on ? kIconCheck : nullptr,
                   .kind = is_on ? ButtonKind::Primary : ButtonKind::Normal,
                   .enabled = enabled,
                   .tooltip = tooltip});
}

}  // namespace

HistoryPanel::HistoryPanel(PendingSave& pending, WallClock now) : menu_(pending), now_(std::move(now)) {}

void HistoryPanel::draw(const DeskState& state, Commands& commands) {
    draw_filter(state, commands);
    draw_remarks(state, commands);
    draw_rows(state, commands);
    menu_.draw(state, now_(), commands);
}

void HistoryPanel::draw_filter(const DeskState& state, Commands& commands) {
    const Tokens& tokens = look().tokens();
    if (!types_filter_) filter_ = state.history_filter.text;
    const TextFieldState typed =
        text_field("history/filter", filter_, {.icon = kIconSearch, .hint = "Kernel, problem or device"});
    types_filter_ = typed.active;
    HistoryFilter filter = state.history_filter;
    if (typed.escaped) filter_.clear();
    if (typed.changed || typed.escaped) filter.text = filter_;

    const std::string device = state.device != nullptr ? state.device->name : "";
    const std::string& problem = state.choices.problem;
    const bool of_device = is_same(filter.device, device), of_problem = is_same(filter.problem, problem);
    if (toggle("history/this_device", "This device", of_device, !device.empty() || !filter.device.empty(),
               device.empty() ? "No device is chosen" : "Only runs on " + device))
        filter.device = of_device || device.empty() ? "" : device;
    ImGui::SameLine(0, tokens.gap_small);
    if (toggle("history/this_problem", "This problem", of_problem,
               !problem.empty() || !filter.problem.empty(),
               problem.empty() ? "No problem is chosen" : "Only runs of " + problem))
        filter.problem = of_problem || problem.empty() ? "" : problem;
    const std::string count = counted(state.history.size(), "run");
    const float width = ImGui::CalcTextSize(count.c_str()).x;
    ImGui::SameLine(0, tokens.gap_small);
    if (ImGui::GetContentRegionAvail().x >= width) {
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width);
        ImGui::AlignTextToFramePadding();
        text("history/count", count, {.tone = Tone::Muted});
    } else {
        ImGui::NewLine();
    }
    const HistoryFilter& before = state.history_filter;
    if (filter.text != before.text || filter.device != before.device || filter.problem != before.problem)
        commands.emplace_back(command::FilterHistory{filter});
}

void HistoryPanel::draw_remarks(const DeskState& state, Commands& commands) {
    const Tokens& tokens = look().tokens();
    if (!state.history_is_kept)
        text("history/kept", "Kept only until the program ends",
             {.tone = Tone::Warning, .font = look().fonts().small, .icon = kIconWarning, .shortens = true});
    if (!state.compared && !state.compared_sweep) return;
    const float width = button_width("Stop", kIconCross);
    ImGui::AlignTextToFramePadding();
    std::string words = "Compared with ";
    if (state.compared) {
        const PastRun& run = state.compared->run;
        words += short_time(run.when, now_()) + ", " + run.problem + " " + to_string(run.sizes);
    } else {
        const ShownSweep& sweep = *state.compared_sweep;
        words += "the sweep of " + short_time(sweep.when, now_()) + ", " + sweep.problem;
    }
    const float room = ImGui::GetContentRegionAvail().x - width - tokens.gap_small;
    const float start = ImGui::GetCursorPosX();
    text("history/compared",
         shortened(words, room - ImGui::CalcTextSize(with_icon(kIconColumns, "").c_str()).x),
         {.tone = Tone::Accent, .icon = kIconColumns});
    ImGui::SameLine(start + room + tokens.gap_small);
    if (button("history/stop_comparing", "Stop", {.icon = kIconCross, .tooltip = "Compare with no run"}))
        commands.emplace_back(command::CompareWith{});
}

void HistoryPanel::draw_rows(const DeskState& state, Commands& commands) {
    const Tokens& tokens = look().tokens();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));  // rows would grow by the spacing
    compat::begin_child("history/rows", {0, 0}, false);
    const ImVec2 from = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const Rect shown = {from.x, from.y, from.x + extent.x - tokens.scrollbar, from.y + extent.y};
    probe_rect("history/rows", shown, {.container = true});
    if (state.history.empty() && is_empty(state.history_filter)) {
        empty_state("history/empty", kIconHistory, "No runs yet",
                    "Choose a kernel and press " + keys_of(Action::Run) + ": every run is listed here.");
    } else if (state.history.empty()) {
        empty_state("history/empty", kIconFilter, "No run matches", "Another filter may find it.");
        const float width = button_width("Show all runs", kIconHistory);
        ImGui::Dummy({0, tokens.gap});
        ImGui::SetCursorPosX(std::max(0.0f, (ImGui::GetWindowWidth() - width) / 2));
        if (button("history/clear", "Show all runs", {.icon = kIconHistory})) {
            filter_.clear();
            commands.emplace_back(command::FilterHistory{});
        }
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(state.history.size()), history_row_height());
    const auto now = now_();
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
            draw_history_row(state, state.history[static_cast<std::size_t>(i)], now, menu_, commands);
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
}

}  // namespace kwb::gui
