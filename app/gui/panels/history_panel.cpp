// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/history_panel.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "gui/fields.hpp"

namespace kwb::gui {
namespace {

constexpr const char* kPopup = "history/menu";

/// The proposed file name: "matmul-512-2026-11-19", "matmul-sweep-16-to-512-2026-11-19".
std::string export_name(const RunSummary& run) {
    std::string name = run.problem + (run.is_sweep() ? "-sweep" : "");
    for (const char c : "-" + sizes_of(run)) name += c == ' ' || c == '=' || c == '/' ? '-' : c;
    return name + local_time(run.when, "-%Y-%m-%d");
}

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

void HistoryPanel::draw(const DeskState& state, Commands& commands) {
    draw_filter(state, commands);
    draw_remarks(state, commands);
    draw_rows(state, commands);
    menu_.draw(state, now_(), commands);
}

void HistoryPanel::draw_filter(const DeskState& state, Commands& commands) {
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
    ImGui::SameLine(0, tokens().gap_small);
    if (toggle("history/this_problem", "This problem", of_problem,
               !problem.empty() || !filter.problem.empty(),
               problem.empty() ? "No problem is chosen" : "Only runs of " + problem))
        filter.problem = of_problem || problem.empty() ? "" : problem;
    const std::string count = counted(state.history.size(), "run");
    const float width = ImGui::CalcTextSize(count.c_str()).x;
    ImGui::SameLine(0, tokens().gap_small);
    if (ImGui::GetContentRegionAvail().x >= width) {
        align_right(width);
        text("history/count", count, {.tone = Tone::Muted, .in_row = true});
    } else {
        ImGui::NewLine();
    }
    const HistoryFilter& before = state.history_filter;
    if (filter.text != before.text || filter.device != before.device || filter.problem != before.problem)
        commands.emplace_back(command::FilterHistory{filter});
}

void HistoryPanel::draw_remarks(const DeskState& state, Commands& commands) {
    if (!state.history_is_kept)
        text("history/kept", "Kept only until the program ends",
             {.tone = Tone::Warning, .font = fonts().small, .icon = kIconWarning, .shortens = true});
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
    const float room = ImGui::GetContentRegionAvail().x - width - tokens().gap_small;
    const float start = ImGui::GetCursorPosX();
    text("history/compared",
         shortened(words, room - ImGui::CalcTextSize(with_icon(kIconColumns, "").c_str()).x),
         {.tone = Tone::Accent, .icon = kIconColumns});
    ImGui::SameLine(start + room + tokens().gap_small);
    if (button("history/stop_comparing", "Stop", {.icon = kIconCross, .tooltip = "Stop comparing"}))
        commands.emplace_back(command::CompareWith{});
}

void HistoryPanel::draw_rows(const DeskState& state, Commands& commands) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));  // rows would grow by the spacing
    compat::begin_child("history/rows", {0, 0}, false);
    ImRect shown = ImGui::GetCurrentWindow()->Rect();
    shown.Max.x -= tokens().scrollbar;
    probe_rect("history/rows", shown, {.container = true});
    if (state.history.empty() && is_empty(state.history_filter)) {
        empty_state("history/empty", kIconHistory, "No runs yet",
                    "Choose a kernel and press " + keys_of(Action::Run) + ": every run is listed here.");
    } else if (state.history.empty()) {
        empty_state("history/empty", kIconFilter, "No run matches", "Try another filter.");
        const float width = button_width("Show all runs", kIconHistory);
        ImGui::Dummy({0, tokens().gap});
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
    ImGui::PopStyleVar();
}

Comparing comparing(const DeskState& state, const RunSummary& run) {
    const auto is = [&run](const auto& one, const auto& sweep) {
        return (one && one->run.id == run.id) || (sweep && sweep->id == run.id);
    };
    Comparing can;
    can.shown = is(state.shown, state.sweep);
    can.compared = is(state.compared, state.compared_sweep);
    can.possible = !can.shown && (run.is_sweep() ? state.sweep && state.sweep->problem == run.problem
                                                 : state.shown != nullptr);
    const std::string kind = run.is_sweep() ? "sweep" : "run";
    if (can.compared)
        can.hint = "Stop comparing with this " + kind + " (C)";
    else if (can.shown)
        can.hint = "This " + kind + " is the one shown; compare it with another";
    else if (can.possible)
        can.hint = "Compare the shown " + kind + " with this one (C)";
    else if (run.is_sweep() && state.sweep)
        can.hint =
            "The sweep shown is one of " + state.sweep->problem + "; show one of " + run.problem + " first";
    else
        can.hint = "Show a " + kind + " first, then compare it with this one";
    return can;
}

void toggle_comparing(const DeskState& state, const RunSummary& run, Commands& commands) {
    const Comparing can = comparing(state, run);
    if (can.compared)
        commands.emplace_back(command::CompareWith{});
    else if (can.possible)
        commands.emplace_back(command::CompareWith{run.id});
}

void HistoryMenu::open_for(const RunSummary& run) {
    run_ = run.id;
    opens_ = true;
}

bool HistoryMenu::is_open_for(const RunSummary& run) const {
    return run_ == run.id && ImGui::IsPopupOpen(kPopup);
}

void HistoryMenu::draw(const DeskState& state, Moment now, Commands& commands) {
    if (std::exchange(opens_, false)) ImGui::OpenPopup(kPopup);
    if (const Popup popup(kPopup); popup.open) {
        const auto found = std::find_if(state.history.begin(), state.history.end(),
                                        [&](const RunSummary& run) { return run.id == run_; });
        if (found == state.history.end() || pressed(plain(Key::Escape))) {
            ImGui::CloseCurrentPopup();
        } else {
            const RunSummary& run = *found;
            text("history/menu_title", run.problem + " " + sizes_of(run) + ", " + short_time(run.when, now),
                 {.tone = Tone::Muted});
            const Comparing can = comparing(state, run);
            const char* label = can.compared     ? "Stop comparing with it"
                                : run.is_sweep() ? "Compare the shown sweep with it"
                                                 : "Compare the shown run with it";
            if (option("history/compare", with_icon(kIconColumns, label),
                       {.enabled = can.compared || can.possible, .tooltip = can.hint}))
                toggle_comparing(state, run, commands);
            ImGui::Separator();
            draw_export_items("history/export", export_name(run), run.id, pending_, commands);
            ImGui::Separator();
            if (option("history/forget",
                       with_icon(kIconTrash,
                                 run.is_sweep() ? "Forget this sweep\u2026" : "Forget this run\u2026"),
                       {.tooltip = "Remove it from the history (Delete)"}))
                ask_to_forget(run);
        }
    }
    question_.draw(commands);
}

void HistoryMenu::ask_to_forget(const RunSummary& run) {
    const std::string kind = run.is_sweep() ? "sweep" : "run";
    question_.ask(
        confirm("Forget this " + kind + "?",
                "The " + run.problem + " " + kind + " of " + local_time(run.when, "%d %B %Y, %H:%M") +
                    " with " + counted(run.kernels.size(), "kernel") +
                    " will be removed from the history permanently. Files stay as they are.",
                "Forget", kIconTrash,
                [id = run.id](Commands& commands) { commands.emplace_back(command::ForgetRun{id}); }));
}

}  // namespace kwb::gui
