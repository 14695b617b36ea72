#include "gui/panels/history_panel.hpp"

#include <algorithm>
#include <ctime>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "gui/dialogs/modal.hpp"
#include "gui/fields.hpp"
#include "gui/key_table.hpp"
#include "gui/widgets.hpp"
#include "report/numbers.hpp"

namespace kwb::gui {
namespace {

using Time = std::chrono::system_clock::time_point;

std::tm local_parts(Time when) {
    const std::time_t seconds = std::chrono::system_clock::to_time_t(when);
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    return parts;
}

std::string formatted(const std::tm& parts, const char* pattern) {
    char words[64] = "";
    std::strftime(words, sizeof words, pattern, &parts);
    return words;
}

const PastKernel* best_of(const RunSummary& run) {
    const PastKernel* best = nullptr;
    for (const PastKernel& kernel : run.kernels)
        if (kernel.verdict == Verdict::Correct && kernel.median_ms &&
            (best == nullptr || *kernel.median_ms < *best->median_ms))
            best = &kernel;
    return best;
}

std::string subject_of(const RunSummary& run) {
    return run.problem + "  " + to_string(run.sizes);
}

/// "matmul-512-2026-11-19"
std::string export_name(const RunSummary& run) {
    std::string name = run.problem;
    for (const char c : "-" + to_string(run.sizes)) name += c == ' ' || c == '=' || c == '/' ? '-' : c;
    return name + formatted(local_parts(run.when), "-%Y-%m-%d");
}

struct Manner {
    const char* icon;
    Tone tone;
};

Manner manner_of(const PastKernel& kernel) {
    if (kernel.verdict == Verdict::Correct && kernel.as_expected) return {kIconGood, Tone::Success};
    if (kernel.verdict == Verdict::Skipped) return {kIconMinus, Tone::Muted};
    if (kernel.as_expected) return {kIconGood, Tone::Warning};  // wrong, as its file says it is
    return {kIconBad, Tone::Danger};
}

/// Kernels of one name and verdict that stand one after the other.
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

/// Everything about a run, for the pointer that rests on it.
std::string details_of(const RunSummary& run) {
    std::string words = formatted(local_parts(run.when), "%A, %d %B %Y, %H:%M:%S") + "\n" + subject_of(run) +
                        "\n" + run.device + (run.driver.empty() ? "" : ", driver " + run.driver);
    for (const PastKernel& kernel : run.kernels) {
        std::string verdict = to_string(kernel.verdict);
        std::replace(verdict.begin(), verdict.end(), '_', ' ');
        words += "\n" + kernel.kernel + ": " + verdict;
        if (kernel.verdict != Verdict::Correct && kernel.as_expected) words += ", as expected";
        if (kernel.median_ms) words += ", " + format_time_ms(*kernel.median_ms);
    }
    return words;
}

bool is_same(const std::string& filter, const std::string& present) {
    return !present.empty() && filter == present;
}

bool is_empty(const HistoryFilter& filter) {
    return filter.text.empty() && filter.device.empty() && filter.driver.empty() && filter.kernel.empty() &&
           filter.problem.empty() && !filter.sizes && !filter.source_sha256 && !filter.verdict;
}

/// A button that stays pressed.
bool toggle(std::string_view id, std::string_view label, bool is_on, bool enabled, std::string_view tooltip) {
    return button(id, label,
                  {.icon = is_on ? kIconCheck : nullptr,
                   .kind = is_on ? ButtonKind::Primary : ButtonKind::Normal,
                   .enabled = enabled,
                   .tooltip = tooltip});
}

/// Words in a line of a row, painted, with a probe.
void paint(const std::string& id, ImVec2 at, const std::string& words, ImFont* font, Tone tone) {
    const FontScope scope(font);
    ImGui::GetWindowDrawList()->AddText(at, ImGui::GetColorU32(text_color(tone)), words.c_str());
    const ImVec2 size = ImGui::CalcTextSize(words.c_str());
    probe_rect(id, {at.x, at.y, at.x + size.x, at.y + size.y}, {.label = words});
}

float width_of(const std::string& words, ImFont* font) {
    const FontScope scope(font);
    return ImGui::CalcTextSize(words.c_str()).x;
}

std::string cut(const std::string& words, ImFont* font, float room) {
    const FontScope scope(font);
    return shortened(words, room);
}

/// As many kernels with their verdicts as there is room for, then how many more.
/// @return  where the next thing may begin
float paint_kernels(const std::string& id, const RunSummary& run, ImVec2 at, float right) {
    const Tokens& tokens = look().tokens();
    ImFont* font = look().fonts().small;
    const std::vector<KernelGroup> groups = group(run.kernels);
    float x = at.x;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const PastKernel& kernel = *groups[i].first;
        std::string name = short_kernel_name(kernel.kernel);
        if (groups[i].count > 1) name += " \u00d7" + std::to_string(groups[i].count);
        const std::string icon = with_icon(manner_of(kernel).icon, "");
        const std::string rest = "+" + std::to_string(groups.size() - i);
        const bool is_last = i + 1 == groups.size();
        const float reserve = is_last ? 0 : width_of(rest, font) + tokens.gap;
        const float icon_width = look().fonts().has_icons ? width_of(icon, font) : 0;
        float width = icon_width + width_of(name, font);
        if (x + width + reserve > right) {
            if (i > 0) {
                paint(id + "/rest", {x, at.y}, rest, font, Tone::Muted);
                return x + width_of(rest, font) + tokens.gap;
            }
            name = cut(name, font, right - x - icon_width - reserve);
            width = icon_width + width_of(name, font);
        }
        if (icon_width > 0)
            paint(id + "/verdict/" + std::to_string(i), {x, at.y}, icon, font, manner_of(kernel).tone);
        paint(id + "/kernel/" + std::to_string(i), {x + icon_width, at.y}, name, font,
              kernel.as_expected ? Tone::Muted : manner_of(kernel).tone);
        x += width + tokens.gap;
    }
    return x;
}

/// In letters' heights: narrower rows have no button of their own for comparing.
constexpr float kWideRow = 26;

float row_height() {
    const Tokens& tokens = look().tokens();
    const Fonts& fonts = look().fonts();
    return compat::size_of(*fonts.body) + compat::size_of(*fonts.small) + 2 * tokens.gap_small + tokens.hair;
}

}  // namespace

std::string short_time(Time when, Time now) {
    const std::tm then = local_parts(when), today = local_parts(now);
    if (then.tm_year == today.tm_year && then.tm_yday == today.tm_yday) return formatted(then, "%H:%M");
    std::string day = formatted(then, "%e %b");
    day.erase(0, day.find_first_not_of(' '));
    return then.tm_year == today.tm_year ? day : day + formatted(then, " %Y");
}

std::string short_kernel_name(std::string_view kernel) {
    const std::size_t slash = kernel.rfind('/');
    if (slash != std::string_view::npos && slash + 1 < kernel.size()) kernel.remove_prefix(slash + 1);
    if (kernel.ends_with(".cl")) kernel.remove_suffix(3);
    return to_utf8(kernel);
}

HistoryPanel::HistoryPanel(PendingSave& pending, WallClock now) : pending_(pending), now_(std::move(now)) {}

void HistoryPanel::draw(const DeskState& state, Commands& commands) {
    draw_filter(state, commands);
    draw_remarks(state, commands);
    draw_rows(state, commands);
    draw_menu(state, commands);
    question_.draw(commands);
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
    if (!state.compared) return;
    const PastRun& run = state.compared->run;
    const float width = button_width("Stop", kIconCross);
    ImGui::AlignTextToFramePadding();
    const std::string words =
        "Compared with " + short_time(run.when, now_()) + ", " + run.problem + " " + to_string(run.sizes);
    const float room = ImGui::GetContentRegionAvail().x - width - tokens.gap_small;
    const float start = ImGui::GetCursorPosX();
    text("history/compared",
         shortened(words, room - width_of(with_icon(kIconColumns, ""), look().fonts().body)),
         {.tone = Tone::Accent, .icon = kIconColumns});
    ImGui::SameLine(start + room + tokens.gap_small);
    if (button("history/stop_comparing", "Stop", {.icon = kIconCross, .tooltip = "Compare with no run"}))
        commands.emplace_back(command::CompareWith{});
}

void HistoryPanel::draw_rows(const DeskState& state, Commands& commands) {
    const Tokens& tokens = look().tokens();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));  // else rows reach over the sides
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
    clipper.Begin(static_cast<int>(state.history.size()), row_height());
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
            draw_row(state, state.history[static_cast<std::size_t>(i)], commands);
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
}

void HistoryPanel::draw_row(const DeskState& state, const RunSummary& run, Commands& commands) {
    const Tokens& tokens = look().tokens();
    const Fonts& fonts = look().fonts();
    const Palette& colors = look().colors();
    const std::string id = "history/row/" + std::to_string(run.id);
    const bool is_shown = state.shown && state.shown->run.id == run.id;
    const bool is_compared = state.compared && state.compared->run.id == run.id;
    const ImVec2 start = ImGui::GetCursorPos(), corner = ImGui::GetCursorScreenPos();
    const ImVec2 size = {ImGui::GetContentRegionAvail().x, row_height()};

    compat::allow_overlap_of_next();
    const bool is_pressed =
        ImGui::Selectable(("##" + id).c_str(), is_shown, ImGuiSelectableFlags_AllowItemOverlap, size);
    compat::allow_overlap_of_last();
    probe(id, {.container = true});
    const bool has_keyboard = ImGui::IsItemFocused();
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    const bool is_under_pointer = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                                  pointer.x >= corner.x && pointer.x < corner.x + size.x &&
                                  pointer.y >= corner.y && pointer.y < corner.y + size.y;
    const bool has_buttons = is_shown || is_compared || is_under_pointer || has_keyboard ||
                             (menu_run_ == run.id && ImGui::IsPopupOpen("history/menu"));
    if (is_pressed || (has_keyboard && pressed(plain(Key::Enter))))
        commands.emplace_back(command::ShowRun{run.id});
    if (has_keyboard && pressed(Action::CompareRun)) toggle_comparing(state, run, commands);
    if (has_keyboard && pressed(Action::ForgetRun)) ask_to_forget(run);
    if ((has_keyboard && pressed(Action::ExportRun)) ||
        (is_under_pointer && ImGui::IsMouseReleased(ImGuiMouseButton_Right)))
        open_menu(run);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (is_shown || is_compared)
        list.AddRectFilled(corner, {corner.x + tokens.hair, corner.y + size.y},
                           (is_shown ? colors.accent : colors.warning).u32());
    const float left = corner.x + tokens.gap;
    float right = corner.x + size.x - tokens.gap_small;
    if (has_buttons) {
        const float compare = button_width(is_compared ? "Compared" : "Compare", kIconColumns) + tokens.hair;
        const bool is_wide = size.x >= kWideRow * compat::size_of(*fonts.body);
        const float width = (is_wide ? compare : 0) + button_width("More", kIconMore);
        ImGui::SetCursorPos(
            {start.x + size.x - width - tokens.gap_small, start.y + (size.y - ImGui::GetFrameHeight()) / 2});
        if (is_wide) draw_compare_button(state, run, commands);
        if (button(id + "/more", "More",
                   {.icon = kIconMore, .tooltip = "Compare, export or forget this run (E)"}))
            open_menu(run);
        right -= width + tokens.gap_small;
    }

    // First line: when, what, how fast. Second line: which kernels, where.
    const float first = corner.y + tokens.gap_small;
    const float second = first + compat::size_of(*fonts.body) + tokens.hair;
    const PastKernel* best = best_of(run);
    const std::string time = best != nullptr ? format_time_ms(*best->median_ms) : "no time";
    float end = right - width_of(time, fonts.mono);
    const Tone time_tone = best != nullptr ? Tone::Normal : Tone::Muted;
    paint(id + "/time", {end, first}, time, fonts.mono, time_tone);
    end -= tokens.gap;
    const std::string when = short_time(run.when, now_());
    if (left + width_of(when, fonts.body) < end)
        paint(id + "/when", {left, first}, when, fonts.body, Tone::Muted);
    const float clock = std::max(width_of(when, fonts.body), width_of("00 Mmm", fonts.body)) + tokens.gap;
    if (const std::string subject = cut(subject_of(run), fonts.strong, end - left - clock);
        end - left - clock > 2 * tokens.gap_large)
        paint(id + "/subject", {left + clock, first}, subject, fonts.strong, Tone::Normal);
    const float after = paint_kernels(id, run, {left, second}, right);
    const std::string device = cut(run.device, fonts.small, right - after);
    if (right - after > 5 * tokens.gap_large)
        paint(id + "/device", {right - width_of(device, fonts.small), second}, device, fonts.small,
              Tone::Muted);
    list.AddLine({corner.x, corner.y + size.y - 1}, {corner.x + size.x, corner.y + size.y - 1},
                 colors.border.u32());
    ImGui::SetCursorPos({start.x, start.y + size.y});
    if (is_under_pointer && !ImGui::IsAnyItemActive() && GImGui->HoveredIdTimer > 0.6f && pointer.x < right &&
        !modal_is_open()) {
        ImGui::BeginTooltip();
        ImGui::TextUnformatted(details_of(run).c_str());
        ImGui::EndTooltip();
    }
}

void HistoryPanel::draw_compare_button(const DeskState& state, const RunSummary& run, Commands& commands) {
    const std::string id = "history/row/" + std::to_string(run.id);
    const bool is_compared = state.compared && state.compared->run.id == run.id;
    const bool is_shown = state.shown && state.shown->run.id == run.id;
    if (button(id + "/compare", is_compared ? "Compared" : "Compare",
               {.icon = kIconColumns,
                .kind = is_compared ? ButtonKind::Primary : ButtonKind::Normal,
                .enabled = is_compared || (!is_shown && state.shown != nullptr),
                .tooltip = is_compared    ? "Compare with no run (C)"
                           : is_shown     ? "This run is the one shown; compare it with another one"
                           : !state.shown ? "Show a run first, then compare it with this one"
                                          : "Compare the shown run with this one (C)"}))
        toggle_comparing(state, run, commands);
    ImGui::SameLine(0, look().tokens().hair);
}

void HistoryPanel::toggle_comparing(const DeskState& state, const RunSummary& run, Commands& commands) {
    const bool is_compared = state.compared && state.compared->run.id == run.id;
    if (is_compared)
        commands.emplace_back(command::CompareWith{});
    else if (state.shown && state.shown->run.id != run.id)
        commands.emplace_back(command::CompareWith{run.id});
}

void HistoryPanel::open_menu(const RunSummary& run) {
    menu_run_ = run.id;
    opens_menu_ = true;
}

void HistoryPanel::draw_menu(const DeskState& state, Commands& commands) {
    if (std::exchange(opens_menu_, false)) ImGui::OpenPopup("history/menu");
    if (!ImGui::BeginPopup("history/menu")) return;
    const auto found = std::find_if(state.history.begin(), state.history.end(),
                                    [&](const RunSummary& run) { return run.id == menu_run_; });
    if (found == state.history.end() || pressed(plain(Key::Escape))) {
        ImGui::CloseCurrentPopup();
        return ImGui::EndPopup();
    }
    const RunSummary& run = *found;
    text("history/menu_title", run.problem + " " + to_string(run.sizes) + ", " + short_time(run.when, now_()),
         {.tone = Tone::Muted});
    const struct {
        const char *id, *label, *hint;
        command::ExportForm form;
    } kForms[] = {
        {"history/export_json", "Export as JSON\u2026", "Every number, for programs",
         command::ExportForm::Json},
        {"history/export_csv", "Export as CSV\u2026", "A line a kernel, for spreadsheets",
         command::ExportForm::Csv},
        {"history/export_html", "Export the session as HTML\u2026",
         "This run first, then the others of this session, with charts: one page for a browser",
         command::ExportForm::Html},
    };
    const auto item = [](const char* id, const char* icon, const char* label, std::string_view hint,
                         bool enabled = true) {
        ImGui::BeginDisabled(!enabled);
        const bool chosen = ImGui::MenuItem((with_icon(icon, label) + "##" + id).c_str());
        probe(id, {.label = with_icon(icon, label)});
        ImGui::EndDisabled();
        tooltip(hint);
        return chosen;
    };
    const bool is_compared = state.compared && state.compared->run.id == run.id;
    if (item("history/compare", kIconColumns,
             is_compared ? "Do not compare with it any more" : "Compare the shown run with it",
             is_compared ? "Compare with no run (C)" : "Its times stand beside those of the run shown (C)",
             is_compared || (state.shown && state.shown->run.id != run.id)))
        toggle_comparing(state, run, commands);
    ImGui::Separator();
    for (const auto& form : kForms) {
        if (!item(form.id, kIconExport, form.label, form.hint)) continue;
        if (!state.shown || state.shown->run.id != run.id) commands.emplace_back(command::ShowRun{run.id});
        pending_.ask_run(form.form, export_name(run), commands);
    }
    ImGui::Separator();
    if (item("history/forget", kIconTrash, "Forget this run\u2026", "Take it out of the history (Delete)"))
        ask_to_forget(run);
    ImGui::EndPopup();
}

void HistoryPanel::ask_to_forget(const RunSummary& run) {
    question_.ask(
        confirm("Forget this run?",
                "The " + run.problem + " run of " + formatted(local_parts(run.when), "%d %B %Y, %H:%M") +
                    " with " + counted(run.kernels.size(), "kernel") +
                    " will be gone from the history for good. Files are not touched.",
                "Forget", kIconTrash,
                [id = run.id](Commands& commands) { commands.emplace_back(command::ForgetRun{id}); }));
}

}  // namespace kwb::gui
