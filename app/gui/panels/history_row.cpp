// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/history_panel.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "gui/panels/results_table.hpp"
#include "gui/tooltip.hpp"
#include "gui/widgets.hpp"
#include "report/numbers.hpp"

namespace kwb::gui {
namespace {

/// In em: narrower rows have no Compare button.
constexpr float kWideRow = 26;

struct KernelLook {
    const char* icon;
    Tone tone;
};

KernelLook kernel_look(const PastKernel& kernel) {
    if (kernel.verdict == Verdict::Correct && kernel.as_expected) return {kIconGood, Tone::Success};
    if (kernel.verdict == Verdict::Skipped) return {kIconMinus, Tone::Muted};
    if (kernel.verdict == Verdict::Ran && kernel.as_expected) return {kIconGood, Tone::Muted};
    if (kernel.as_expected) return {kIconGood, Tone::Warning};  // wrong, as its file announces
    if (kernel.verdict == Verdict::Undefined) return {kIconQuestion, Tone::Undefined};
    return {kIconBad, Tone::Danger};
}

/// Consecutive kernels with the same name and verdict.
struct KernelGroup {
    const PastKernel* first;
    int count;
};

std::vector<KernelGroup> group(const std::vector<PastKernel>& kernels) {
    std::vector<KernelGroup> groups;
    for (const PastKernel& kernel : kernels) {
        const bool again = !groups.empty() && groups.back().first->kernel == kernel.kernel &&
                           groups.back().first->verdict == kernel.verdict;
        if (again)
            ++groups.back().count;
        else
            groups.push_back({&kernel, 1});
    }
    return groups;
}

/// The fastest of the good kernels; null if there is none.
const PastKernel* best_of(const RunSummary& run) {
    const PastKernel* best = nullptr;
    for (const PastKernel& kernel : run.kernels)
        if (is_good(kernel.verdict) && kernel.median_ms &&
            (best == nullptr || *kernel.median_ms < *best->median_ms))
            best = &kernel;
    return best;
}

/// "421 µs", the best time of the correct kernels, or "no time"; for a sweep "6 sizes".
std::string outcome_of(const RunSummary& run) {
    if (run.is_sweep()) return counted(run.steps.size(), "size");
    const PastKernel* best = best_of(run);
    return best != nullptr ? format_time_ms(*best->median_ms) : "no time";
}

/// "+12 %": how the time of its fastest kernel differs from that of the shown run. Empty where they do not
/// compare: another problem, size or device, or no time.
std::string change_of(const DeskState& state, const RunSummary& run) {
    const ShownRun* const shown = state.shown.get();
    const PastKernel* const best = best_of(run);
    if (best == nullptr || run.is_sweep() || shown == nullptr || !shown->finished ||
        shown->run.id == run.id || run.problem != shown->run.problem || run.sizes != shown->run.sizes ||
        run.device != shown->run.environment.device)
        return "";
    std::optional<double> now_ms;
    for (const KernelResult& result : shown->run.results)
        if (is_good(result.verdict) && result.median_ms && result.median_ms < now_ms.value_or(HUGE_VAL))
            now_ms = result.median_ms;
    return now_ms ? format_change(*best->median_ms, *now_ms) : "";
}

/// All facts about a run, one per line, for its tooltip.
std::string details_of(const RunSummary& run) {
    std::string words = local_time(run.when, "%A, %d %B %Y, %H:%M:%S") + "\n" + run.problem + "  " +
                        sizes_of(run) + "\n" + run.device +
                        (run.driver.empty() ? "" : ", driver " + run.driver);
    if (run.is_sweep()) words += "\nA sweep over " + counted(run.steps.size(), "size") + "; at the largest:";
    for (const PastKernel& kernel : run.kernels) {
        words += "\n" + kernel.kernel + ": " + verdict_words(kernel.verdict);
        if (!is_good(kernel.verdict) && kernel.as_expected) words += ", as expected";
        if (kernel.median_ms) words += ", " + format_time_ms(*kernel.median_ms);
    }
    return words;
}

/// Draws text in a row, with a probe.
void paint(const std::string& id, ImVec2 at, const std::string& words, ImFont* font, Tone tone) {
    const FontScope scope(font);
    paint_text(id, at, words, tone);
}

std::string cut(const std::string& words, ImFont* font, float room) {
    const FontScope scope(font);
    return shortened(words, room);
}

/// Draws the time of the run, its problem and its best time.
/// @param change  see change_of()
void paint_first_line(const std::string& id, const RunSummary& run, const std::string& change, Moment now,
                      ImVec2 at, float right) {
    const std::string outcome = outcome_of(run);
    ImFont* outcome_font = run.is_sweep() ? fonts().body : fonts().mono;
    float end = right - width_of(outcome, outcome_font);
    paint(id + "/time", {end, at.y}, outcome, outcome_font,
          best_of(run) != nullptr && !run.is_sweep() ? Tone::Normal : Tone::Muted);
    end -= tokens().gap;
    if (!change.empty()) {
        end -= width_of(change, fonts().small);
        paint(id + "/change", {end, at.y}, change, fonts().small, Tone::Muted);
        end -= tokens().gap;
    }
    const std::string when = short_time(run.when, now);
    if (at.x + width_of(when, fonts().body) < end) paint(id + "/when", at, when, fonts().body, Tone::Muted);
    float x = at.x + std::max(width_of(when, fonts().body), width_of("00 Mmm", fonts().body)) + tokens().gap;
    if (end - x <= 2 * tokens().gap_large) return;
    if (run.is_sweep()) {
        const std::string mark = with_icon(kIconLines, "Sweep");
        if (const float width = width_of(mark, fonts().body) + tokens().gap; x + 2 * width < end) {
            paint(id + "/sweep", {x, at.y}, mark, fonts().body, Tone::Accent);
            x += width;
        }
    }
    paint(id + "/subject", {x, at.y}, cut(run.problem + "  " + sizes_of(run), fonts().strong, end - x),
          fonts().strong, Tone::Normal);
}

/// Draws as many kernels with their verdicts as fit, and the number of the others.
/// @return  x position for the next item
float paint_kernels(const std::string& id, const RunSummary& run, ImVec2 at, float right) {
    ImFont* font = fonts().small;
    const std::vector<KernelGroup> groups = group(run.kernels);
    float x = at.x;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const PastKernel& kernel = *groups[i].first;
        std::string name = short_kernel_name(kernel.kernel);
        if (groups[i].count > 1) name += " \u00d7" + std::to_string(groups[i].count);
        const std::string icon = with_icon(kernel_look(kernel).icon, "");
        const std::string rest = "+" + std::to_string(groups.size() - i);
        const bool is_last = i + 1 == groups.size();
        const float reserve = is_last ? 0 : width_of(rest, font) + tokens().gap;
        const float icon_width = fonts().has_icons ? width_of(icon, font) : 0;
        float width = icon_width + width_of(name, font);
        if (x + width + reserve > right) {
            if (i > 0) {
                paint(id + "/rest", {x, at.y}, rest, font, Tone::Muted);
                return x + width_of(rest, font) + tokens().gap;
            }
            name = cut(name, font, right - x - icon_width - reserve);
            width = icon_width + width_of(name, font);
        }
        if (icon_width > 0)
            paint(id + "/verdict/" + std::to_string(i), {x, at.y}, icon, font, kernel_look(kernel).tone);
        paint(id + "/kernel/" + std::to_string(i), {x + icon_width, at.y}, name, font,
              kernel.as_expected ? Tone::Muted : kernel_look(kernel).tone);
        x += width + tokens().gap;
    }
    return x;
}

/// Draws the kernels and the device.
void paint_second_line(const std::string& id, const RunSummary& run, ImVec2 at, float right) {
    ImFont* font = fonts().small;
    const float after = paint_kernels(id, run, at, right);
    if (right - after <= 5 * tokens().gap_large) return;
    const std::string device = cut(run.device, font, right - after);
    paint(id + "/device", {right - width_of(device, font), at.y}, device, font, Tone::Muted);
}

/// Draws the buttons at the right end of the row that begins at `start`.
/// @return  their total width
float draw_buttons(const std::string& id, const DeskState& state, const RunSummary& run, const Comparing& can,
                   ImVec2 start, ImVec2 size, HistoryMenu& menu, Commands& commands) {
    const char* label = can.compared ? "Compared" : "Compare";
    const float compare = button_width(label, kIconColumns) + tokens().hair;
    const bool is_wide = size.x >= kWideRow * compat::size_of(*fonts().body);
    const float width = (is_wide ? compare : 0) + button_width("More", kIconMore);
    ImGui::SetCursorPos(
        {start.x + size.x - width - tokens().gap_small, start.y + (size.y - ImGui::GetFrameHeight()) / 2});
    if (is_wide) {
        if (button(id + "/compare", label,
                   {.icon = kIconColumns,
                    .kind = can.compared ? ButtonKind::Primary : ButtonKind::Normal,
                    .enabled = can.compared || can.possible,
                    .tooltip = can.hint}))
            toggle_comparing(state, run, commands);
        ImGui::SameLine(0, tokens().hair);
    }
    if (button(id + "/more", "More", {.icon = kIconMore, .tooltip = "Compare, export or forget it (E)"}))
        menu.open_for(run);
    return width + tokens().gap_small;
}

}  // namespace

float history_row_height() {
    return compat::size_of(*fonts().body) + compat::size_of(*fonts().small) + 2 * tokens().gap_small +
           tokens().hair;
}

void draw_history_row(const DeskState& state, const RunSummary& run, Moment now, HistoryMenu& menu,
                      Commands& commands) {
    const std::string id = "history/row/" + std::to_string(run.id);
    const Comparing can = comparing(state, run);
    const ImVec2 start = ImGui::GetCursorPos(), corner = ImGui::GetCursorScreenPos();
    const ImVec2 size = {ImGui::GetContentRegionAvail().x, history_row_height()};

    compat::allow_overlap_of_next();
    const bool is_pressed =
        ImGui::Selectable(("##" + id).c_str(), can.shown, ImGuiSelectableFlags_AllowItemOverlap, size);
    compat::allow_overlap_of_last();
    probe(id, {.container = true});
    const bool has_keyboard = ImGui::IsItemFocused();
    const auto has_focus = [&](const char* part) {
        return GImGui->NavId == ImGui::GetID(("###" + id + part).c_str());
    };
    const bool shows_buttons = has_keyboard || has_focus("/more") || has_focus("/compare");
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    const bool is_under_pointer = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                                  pointer.x >= corner.x && pointer.x < corner.x + size.x &&
                                  pointer.y >= corner.y && pointer.y < corner.y + size.y;
    if (is_pressed || (has_keyboard && pressed(plain(Key::Enter))))
        commands.emplace_back(command::ShowRun{run.id});
    if (has_keyboard && pressed(Action::CompareRun)) toggle_comparing(state, run, commands);
    if (has_keyboard && pressed(Action::ForgetRun)) menu.ask_to_forget(run);
    if ((has_keyboard && (pressed(Action::ExportRun) || pressed(Action::OpenMenu))) ||
        (is_under_pointer && ImGui::IsMouseReleased(ImGuiMouseButton_Right)))
        menu.open_for(run);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (can.shown || can.compared)
        list.AddRectFilled(corner, {corner.x + tokens().hair, corner.y + size.y},
                           (can.shown ? colors().accent : colors().warning).u32());
    float right = corner.x + size.x - tokens().gap_small;
    if (can.shown || can.compared || is_under_pointer || shows_buttons || menu.is_open_for(run))
        right -= draw_buttons(id, state, run, can, start, size, menu, commands);
    const float left = corner.x + tokens().gap, first = corner.y + tokens().gap_small;
    const std::string change = change_of(state, run);
    paint_first_line(id, run, change, now, {left, first}, right);
    paint_second_line(id, run, {left, first + compat::size_of(*fonts().body) + tokens().hair}, right);
    list.AddLine({corner.x, corner.y + size.y - 1}, {corner.x + size.x, corner.y + size.y - 1},
                 colors().border.u32());
    ImGui::SetCursorPos({start.x, start.y + size.y});
    if (is_under_pointer && !ImGui::IsAnyItemActive() && GImGui->HoveredIdTimer > 0.6f && pointer.x < right &&
        !modal_is_open()) {
        const Tooltip box({corner, {corner.x + size.x, corner.y + size.y}}, {},
                          ImGui::GetCurrentWindow()->Rect());
        ImGui::TextUnformatted(details_of(run).c_str());
        if (!change.empty())
            ImGui::TextUnformatted(
                (change + ": its fastest kernel against the fastest of the run shown").c_str());
    }
}

std::string short_time(Moment when, Moment now) {
    if (local_time(when, "%F") == local_time(now, "%F")) return local_time(when, "%H:%M");
    std::string day = local_time(when, "%e %b");
    day.erase(0, day.find_first_not_of(' '));
    return local_time(when, "%Y") == local_time(now, "%Y") ? day : day + local_time(when, " %Y");
}

std::string sizes_of(const RunSummary& run) {
    if (run.steps.size() < 2) return to_string(run.sizes);
    return to_string(run.steps.front()) + " to " + to_string(run.steps.back());
}

}  // namespace kwb::gui
