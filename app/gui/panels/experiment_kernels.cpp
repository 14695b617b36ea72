// SPDX-License-Identifier: Apache-2.0
// The kernels of the experiment: the lists to choose from, and their rows.
#include <algorithm>

#include "base/text.hpp"
#include "gui/panels/experiment_panel.hpp"
#include "model/request.hpp"

namespace kwb::gui {
namespace {

bool matches(const KernelEntry& entry, std::string_view filter) {
    const std::string words = to_lower(entry.name + " " + entry.title);
    for (const std::string& part : split(to_lower(trim(filter)), ' '))
        if (words.find(part) == std::string::npos) return false;
    return true;
}

}  // namespace

std::vector<std::size_t> color_slots(const DeskState& state) {
    const std::size_t count = state.choices.contestants.size();
    std::vector<std::size_t> slots(count);
    std::vector<bool> taken(2 * kMostContestants);
    const auto result_of = [&](std::size_t i) {
        return i < state.result_of.size() ? state.result_of[i] : std::nullopt;
    };
    for (std::size_t i = 0; i < count; ++i)
        if (result_of(i)) taken[slots[i] = std::min(*result_of(i), kMostContestants)] = true;
    for (std::size_t i = 0; i < count; ++i) {
        if (result_of(i)) continue;
        slots[i] = taken[i] ? static_cast<std::size_t>(std::ranges::find(taken, false) - taken.begin()) : i;
        taken[slots[i]] = true;
    }
    return slots;
}

std::optional<std::string> pick_kernel(ChoicesEdit& edit, const std::string& id,
                                       const std::vector<std::string>& chosen, Picking picking) {
    std::string& filter = edit.kernel_filter;
    const bool several = picking == Picking::Several, appears = ImGui::IsWindowAppearing();
    if (appears) filter.clear();
    const TextFieldState typed =
        text_field(id + "/filter", filter,
                   {.icon = kIconSearch, .hint = "Part of its name or title", .takes_keyboard = appears});
    std::optional<std::string> result;
    const KernelEntry* entered = nullptr;  // for Enter: exactly this name, otherwise the first
    for (const KernelEntry& entry : edit.state.kernels) {
        if (!entry.may_solve(edit.state.choices.problem) || !matches(entry, filter)) continue;
        const bool is_chosen = std::ranges::find(chosen, entry.name) != chosen.end();
        const bool usable =
            entry.error.empty() && (!several || is_chosen || chosen.size() < kMostContestants);
        const std::string name = short_kernel_name(entry.name);
        const bool taken = option(id + "/option/" + entry.name, several ? ticked(is_chosen, name) : name,
                                  {.chosen = !several && is_chosen,
                                   .enabled = usable,
                                   .keeps_open = several,
                                   .remark = entry.error.empty() ? entry.title : entry.error,
                                   .tooltip = entry.error});
        if (!usable) continue;
        if (taken) result = entry.name;
        if (several && is_chosen) continue;  // Enter adds, it does not remove
        if (!entered || short_kernel_name(entry.name) == trim(filter)) entered = &entry;
    }
    if (!entered) text(id + "/none", "No kernel has this name; open its file", {.tone = Tone::Muted});
    const bool enters = typed.entered && entered != nullptr;
    if (enters) result = entered->name;
    if (enters || typed.escaped || (result && !several)) ImGui::CloseCurrentPopup();
    return result;
}

namespace {

/// A list of kernels in which several can be ticked; those of another problem are one step away.
void draw_add_list(ChoicesEdit& edit) {
    const float width = 34 * ImGui::GetFontSize();
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, ImGui::GetIO().DisplaySize.y * 0.6f});
    const Popup popup("experiment/add/list");
    if (!popup.open) return;
    const DeskState& state = edit.state;
    std::vector<std::string> chosen_now;
    for (const Experiment::Contestant& one : state.choices.contestants) chosen_now.push_back(one.kernel);
    if (const auto kernel = pick_kernel(edit, "experiment/add", chosen_now, Picking::Several)) {
        const auto at = static_cast<std::size_t>(std::ranges::find(chosen_now, *kernel) - chosen_now.begin());
        if (at == chosen_now.size())
            edit.choices.contestants.push_back({*kernel, {}, ""});
        else
            keep_contestants(edit.choices, [&](std::size_t i) { return i != at; });
    }
    field_label("experiment/add/others", "Another problem, with its first two kernels");
    for (const ProblemEntry& entry : state.problems)
        if (entry.name != state.choices.problem &&
            option("experiment/add/problem/" + entry.name, entry.name, {.remark = entry.title}))
            edit.choices.problem = entry.name;
}

/// Starting points of a new kernel file: first for the chosen problem, then for the others.
void draw_new_list(ChoicesEdit& edit) {
    using Start = command::NewKernel::Start;
    const float width = 34 * ImGui::GetFontSize();
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, ImGui::GetIO().DisplaySize.y * 0.6f});
    const Popup popup("experiment/new/list");
    if (!popup.open) return;
    const DeskState& state = edit.state;
    const std::string& chosen = state.choices.problem;
    if (option("experiment/new/copy", "A copy of the simplest kernel of " + chosen,
               {.tooltip = "A correct kernel with explanations, for you to change"}))
        edit.pending.ask_new_kernel(chosen, Start::Copy, edit.commands);
    if (option("experiment/new/blank", "A blank for " + chosen,
               {.tooltip = "A function with all arguments of the problem and an empty body"}))
        edit.pending.ask_new_kernel(chosen, Start::Blank, edit.commands);
    field_label("experiment/new/others", "Choose another problem and copy its simplest kernel");
    for (const ProblemEntry& entry : state.problems)
        if (entry.name != chosen &&
            option("experiment/new/problem/" + entry.name, entry.name, {.remark = entry.title}))
            edit.pending.ask_new_kernel(entry.name, Start::Copy, edit.commands);
}

/// As many kernels of the series as fit, after the pinned ones.
void choose_ladder(ChoicesEdit& edit, bool whole) {
    auto& contestants = edit.choices.contestants;
    keep_contestants(edit.choices, [&](std::size_t i) { return contestants[i].pinned; });
    edit.rows.open.reset();
    if (!whole) return;
    for (const KernelEntry& entry : edit.state.kernels) {
        const bool is_chosen =
            std::ranges::find(contestants, entry.name, &Experiment::Contestant::kernel) != contestants.end();
        if (entry.shipped && entry.problem == edit.state.choices.problem && entry.error.empty() &&
            !is_chosen && contestants.size() < kMostContestants)
            contestants.push_back({entry.name, {}, ""});
    }
}

/// One change at the end of dragging, because each change starts a live run.
void drop_dragged(ChoicesEdit& edit) {
    KernelRows& rows = edit.rows;
    if (ImGui::IsMouseDown(0)) return;
    const std::size_t count = edit.choices.contestants.size();
    if (rows.dragged && rows.target && *rows.dragged != *rows.target && *rows.dragged < count &&
        *rows.target < count)
        move_contestant(edit.choices, rows, *rows.dragged, *rows.target);
    rows.dragged.reset();
    rows.target.reset();
}

}  // namespace

void draw_contestants(ChoicesEdit& edit) {
    const DeskState& state = edit.state;
    // The open row is kept by its index, which means another kernel after one was removed or the problem
    // changed.
    const std::size_t count = state.choices.contestants.size();
    const bool is_other_problem = state.choices.problem != edit.rows.problem;
    if (count < edit.rows.count || is_other_problem) edit.rows.open.reset();
    // A file that does not define its launch shows the guesses as soon as it takes part.
    const auto& previews = state.preview.contestants;
    if ((count > edit.rows.count || is_other_problem) && previews.size() == count && count > 0 &&
        previews.back().is_bare)
        edit.rows.open = count - 1;
    edit.rows.count = count;
    edit.rows.problem = state.choices.problem;
    const bool full = count >= kMostContestants;
    const std::string all = "All", clear = "Clear";
    const float right = button_width(all) + button_width(clear) + tokens().hair;
    const float begin = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x;
    text("experiment/contestants",
         shortened("Kernels, " + std::to_string(count) + " of " + std::to_string(kMostContestants),
                   room - right),
         {.tone = Tone::Muted, .in_row = true});
    ImGui::SameLine();
    ImGui::SetCursorPosX(begin + room - right);
    if (button("experiment/all", all,
               {.kind = ButtonKind::Quiet,
                .tooltip = "Replace all unpinned kernels with this problem's series, up to the "
                           "number that can be compared"}))
        choose_ladder(edit, true);
    ImGui::SameLine(0, tokens().hair);
    if (button("experiment/clear", clear,
               {.kind = ButtonKind::Quiet, .enabled = count > 0, .tooltip = "Remove all unpinned kernels"}))
        choose_ladder(edit, false);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens().gap_small, tokens().hair));
    const std::vector<std::size_t> slots = color_slots(state);
    for (std::size_t i = 0; i < count; ++i) draw_kernel_row(edit, i, slots[i]);
    ImGui::PopStyleVar();
    drop_dragged(edit);
    const float width = half_width();
    if (button("experiment/add", "Add kernel",
               {.icon = kIconPlus,
                .width = width,
                .tooltip =
                    full ? "Remove one first; charts cannot distinguish more" : "From the list of kernels"}))
        ImGui::OpenPopup("experiment/add/list");
    draw_add_list(edit);
    ImGui::SameLine(0, tokens().gap_small);
    if (button("experiment/open", "Open\u2026",
               {.icon = kIconFolderOpen,
                .width = width,
                .tooltip = "Your own kernel file (" + keys_of(Action::OpenFile) + ")"}))
        edit.commands.push_back(command::OpenDialog{FolderListing::Purpose::OpenKernels, "", {".cl"}});
    if (button("experiment/new", "New kernel\u2026",
               {.icon = kIconFile,
                .width = ImGui::GetContentRegionAvail().x,
                .tooltip = "Your own file: a copy of a simple kernel, or a blank"}))
        ImGui::OpenPopup("experiment/new/list");
    draw_new_list(edit);
}

}  // namespace kwb::gui
