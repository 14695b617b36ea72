// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/results_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "gui/keys.hpp"
#include "plot/numbers.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"

namespace kwb::gui {
namespace {

enum class Column { Kernel, Time, Interval, Gflops, GbytesS, Speedup, Earlier, FirstRun, Build, Verdict };

struct ColumnText {
    Column column;
    const char* id;
    const char* head;
    bool right;  ///< numbers are right-aligned
};
constexpr ColumnText kColumns[] = {{Column::Kernel, "kernel", "Kernel", false},
                                   {Column::Time, "time", "Time", true},
                                   {Column::Interval, "interval", "95 % interval", false},
                                   {Column::Gflops, "gflops", "GFLOP/s", true},
                                   {Column::GbytesS, "gbytes_s", "GB/s", true},
                                   {Column::Speedup, "speedup", "Speed-up", false},
                                   {Column::Earlier, "earlier", "Earlier run", true},
                                   {Column::FirstRun, "first_run", "First run", true},
                                   {Column::Build, "build", "Build", true},
                                   {Column::Verdict, "verdict", "Verdict", false}};
/// The order in which columns are omitted if there is not enough room.
constexpr Column kDropped[] = {Column::Build,  Column::FirstRun, Column::GbytesS, Column::Interval,
                               Column::Gflops, Column::Earlier,  Column::Speedup};

struct CellText {
    std::string words;
    Tone tone = Tone::Normal;
};

/// Larger than any real measurement: such numbers come from corrupt records and have hundreds of digits.
constexpr double kStrange = 1e9;

CellText time_cell(const std::optional<double>& time_ms) {
    if (!time_ms) return {};
    return {*time_ms < kStrange ? format_time_ms(*time_ms) : plot::format_value(*time_ms, "ms")};
}

CellText rate_cell(const std::optional<double>& rate) {
    if (!rate) return {};
    return {*rate < kStrange ? format_digits(*rate) : plot::format_number(*rate)};
}

std::optional<double> earlier_ms(const DeskState& state, const std::string& label) {
    if (state.compared == nullptr) return {};
    const ShownRun& run = *state.compared;
    const std::size_t known = std::min(run.labels.size(), run.run.results.size());
    for (std::size_t i = 0; i < known; ++i)
        if (run.labels[i] == label) return run.run.results[i].median_ms;
    return {};
}

CellText cell(const DeskState& state, std::size_t index, Column column) {
    const ShownRun& run = *state.shown;
    const KernelResult& result = run.run.results[index];
    switch (column) {
        case Column::Kernel:
            return {run.labels[index]};
        case Column::Time:
            return time_cell(result.median_ms);
        case Column::Interval:
            if (!result.median_ms || !result.ci95_ms) return {};
            return {format_time_interval_ms(*result.median_ms, *result.ci95_ms), Tone::Muted};
        case Column::Gflops:
            return rate_cell(result.gflops);
        case Column::GbytesS:
            return rate_cell(result.gbytes_s);
        case Column::Speedup:
            if (index == run.baseline) return {"baseline", Tone::Muted};
            if (result.median_ms && run.baseline < run.run.results.size() &&
                !run.run.results[run.baseline].median_ms)
                return {run.finished ? "no baseline" : "", Tone::Muted};
            return {result.speedup ? format_speedup(*result.speedup, Wording::Short) : ""};
        case Column::Earlier:
            return time_cell(earlier_ms(state, run.labels[index]));
        case Column::FirstRun:
            return time_cell(result.first_run_ms);
        case Column::Build:
            return time_cell(result.build_ms);
        case Column::Verdict: {
            const VerdictLook seen = look_of(result);
            return {with_icon(seen.icon, seen.words), seen.tone};
        }
    }
    return {};
}

/// The number of a cell, in milliseconds or in the unit of the head; none for a column of words.
std::optional<double> number_of(const DeskState& state, std::size_t index, Column column) {
    const KernelResult& result = state.shown->run.results[index];
    switch (column) {
        case Column::Time:
            return result.median_ms;
        case Column::Interval:  // its relative width: the uncertainty of the median
            if (!result.median_ms || !result.ci95_ms) return {};
            return (result.ci95_ms->high - result.ci95_ms->low) / *result.median_ms;
        case Column::Gflops:
            return result.gflops;
        case Column::GbytesS:
            return result.gbytes_s;
        case Column::Speedup:
            if (index == state.shown->baseline && result.median_ms) return 1;
            return result.speedup ? std::optional(result.speedup->value) : std::nullopt;
        case Column::Earlier:
            return earlier_ms(state, state.shown->labels[index]);
        case Column::FirstRun:
            return result.first_run_ms;
        case Column::Build:
            return result.build_ms;
        default:
            return {};
    }
}

/// The lines from the top down; those without a number come last.
std::vector<std::size_t> sorted_lines(const DeskState& state, std::size_t lines,
                                      const std::optional<ResultsTable::Order>& order) {
    std::vector<std::size_t> sorted(lines);
    std::iota(sorted.begin(), sorted.end(), std::size_t{0});
    if (!order) return sorted;
    const Column column = kColumns[order->column].column;
    std::vector<std::optional<double>> numbers(lines);
    std::vector<std::string> words(lines);
    for (std::size_t i = 0; i < lines; ++i) {
        numbers[i] = number_of(state, i, column);
        if (numbers[i] && std::isnan(*numbers[i])) numbers[i].reset();
        if (!numbers[i])
            words[i] = column == Column::Verdict ? look_of(state.shown->run.results[i]).words
                                                 : cell(state, i, column).words;
    }
    std::ranges::stable_sort(sorted, [&](std::size_t a, std::size_t b) {
        if (numbers[a].has_value() != numbers[b].has_value()) return numbers[a].has_value();
        if (order->reversed) std::swap(a, b);
        return numbers[a] ? *numbers[a] < *numbers[b] : words[a] < words[b];
    });
    return sorted;
}

/// All columns, for a spreadsheet.
std::string copied_table(const DeskState& state, const std::vector<std::size_t>& lines) {
    const ShownRun& run = *state.shown;
    const auto number = [](const std::optional<double>& value) {
        return value ? fmt::format("{}", *value) : std::string();
    };
    std::string text =
        "kernel\ttime [ms]\tinterval from\tto\tGFLOP/s\tGB/s\tspeed-up\tinterval from\tto\tearlier run "
        "[ms]\tfirst run [ms]\tbuild [ms]\tverdict\n";
    for (const std::size_t i : lines) {
        const KernelResult& result = run.run.results[i];
        const auto ends = [&](const std::optional<Interval>& interval) {
            return interval ? number(interval->low) + "\t" + number(interval->high) : std::string("\t");
        };
        std::string label = run.labels[i];
        std::ranges::replace(label, '\t', ' ');
        text += join({label, number(result.median_ms), ends(result.ci95_ms), number(result.gflops),
                      number(result.gbytes_s), number(number_of(state, i, Column::Speedup)),
                      ends(result.speedup ? result.speedup->interval : std::nullopt),
                      number(earlier_ms(state, run.labels[i])), number(result.first_run_ms),
                      number(result.build_ms), look_of(result).words},
                     "\t") +
                "\n";
    }
    return text;
}

struct Planned {
    const ColumnText* text;
    std::string head;
    std::vector<CellText> cells;  ///< per contestant
    float x = 0, width = 0;
};
using Plan = std::vector<Planned>;

float swatch_room() {
    return tokens().grip + tokens().icon_gap;
}

/// Chooses the columns that fit into `room`, from left to right.
Plan make_plan(const DeskState& state, std::size_t lines, const std::optional<ResultsTable::Order>& order,
               float room) {
    const float gap = tokens().gap_small * 2;
    const float most = 16 * ImGui::GetFontSize();  // one very long number must not take all of the room
    Plan plan;
    float sum = -gap;
    for (const ColumnText& text : kColumns) {
        bool any = text.column == Column::Kernel || text.column == Column::Verdict;
        Planned planned{.text = &text, .head = text.head, .cells = {}};
        if (order && &text == &kColumns[order->column])
            planned.head += order->reversed ? " \u2193" : " \u2191";
        planned.width = width_of(planned.head);
        for (std::size_t i = 0; i < lines; ++i) {
            const CellText& shown = planned.cells.emplace_back(cell(state, i, text.column));
            any = any || !shown.words.empty();
            planned.width = std::max(planned.width, std::min(most, width_of(shown.words)));
        }
        if (text.column == Column::Kernel) planned.width += swatch_room();
        if (!any) continue;
        sum += planned.width + gap;
        plan.push_back(std::move(planned));
    }
    for (const Column dropped : kDropped) {
        if (sum <= room) break;
        std::erase_if(plan, [&](const Planned& planned) {
            if (planned.text->column != dropped) return false;
            sum -= planned.width + gap;
            return true;
        });
    }
    // The kernel's name shrinks last; spare room is distributed among the columns.
    Planned& kernel = plan.front();
    const float least = swatch_room() + width_of("Kernel");
    kernel.width = std::max(least, kernel.width + std::min(0.0f, room - sum));
    const float spare = std::max(0.0f, room - sum) / static_cast<float>(plan.size());
    float x = 0;
    for (Planned& planned : plan) {
        planned.x = x;
        x += planned.width + gap + std::min(spare, 2 * gap);
    }
    return plan;
}

void put(const std::string& id, const Planned& planned, ImVec2 line, float left, std::string_view words,
         Tone tone) {
    if (words.empty()) return;
    if (planned.text->right) left = planned.width - width_of(words);
    paint_text(id, {std::round(line.x + planned.x + left), std::round(line.y)}, words, tone);
}

float line_height() {
    return ImGui::GetTextLineHeight() + 2 * tokens().hair;
}

/// @return  the column whose head was clicked
std::optional<std::size_t> draw_head(const Plan& plan) {
    const FontScope font(fonts().small);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float inset = tokens().hair, height = ImGui::GetTextLineHeight();
    std::optional<std::size_t> clicked;
    for (const Planned& planned : plan) {
        const std::string id = std::string("results/sort/") + planned.text->id;
        ImGui::SetCursorScreenPos({at.x + planned.x, at.y});
        if (ImGui::Selectable(("##" + id).c_str(), false, 0, {planned.width + 2 * inset, height}))
            clicked = static_cast<std::size_t>(planned.text - kColumns);
        probe(id, {.container = true});
        tooltip("Sort by this column; another click reverses, a third restores the order");
        put(std::string("results/head/") + planned.text->id, planned, {at.x + inset, at.y}, 0, planned.head,
            Tone::Muted);
    }
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({1, height + inset});
    return clicked;
}

void draw_swatch(ImVec2 at, std::size_t slot) {
    const float side = tokens().grip, top = at.y + (ImGui::GetTextLineHeight() - side) / 2;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side}, series_color(slot),
                                              side / 4);
}

/// @return  whether the menu was requested
bool draw_line(const DeskState& state, const Plan& plan, std::size_t index, Hovered& hovered,
               Commands& commands) {
    const KernelResult& result = state.shown->run.results[index];
    const std::string number = std::to_string(index);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable(("##results/row/" + number).c_str(), index == state.selected, 0,
                          {0, line_height()}))
        commands.push_back(command::SelectContestant{index});
    probe("results/row/" + number, {.container = true});
    hovered.link_last(index);
    const bool wants_menu = (ImGui::IsItemHovered() && ImGui::IsMouseReleased(1)) ||
                            (ImGui::IsItemFocused() && pressed(Action::OpenMenu));
    const std::string& label = state.shown->labels[index];
    const bool is_cut = plan.front().width < width_of(label) + swatch_room();
    if (!result.reason.empty())
        tooltip(label + ": " + result.reason);
    else if (is_cut)
        tooltip(label);
    const ImVec2 line = {at.x + tokens().hair, at.y + tokens().hair};
    draw_swatch(line, index);
    for (const Planned& planned : plan) {
        const CellText& shown = planned.cells[index];
        const float left = planned.text->column == Column::Kernel ? swatch_room() : 0;
        put("results/cell/" + number + "/" + planned.text->id, planned, line, left,
            shortened(shown.words, planned.width - left + 1), shown.tone);
    }
    return wants_menu;
}

}  // namespace

float results_table_height(std::size_t lines) {
    const float head = compat::size_of(*fonts().small) + tokens().hair;
    return head + static_cast<float>(lines) * line_height();
}

void ResultsTable::draw(const DeskState& state, Hovered& hovered, Commands& commands) {
    const ShownRun& run = *state.shown;
    const std::size_t lines = std::min(run.labels.size(), run.run.results.size());
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    const float room = ImGui::GetContentRegionAvail().x - 2 * tokens().hair;
    const Plan plan = make_plan(state, lines, order_, room);
    const auto clicked = draw_head(plan);
    const std::vector<std::size_t> sorted = sorted_lines(state, lines, order_);
    bool wants_menu = false;
    for (const std::size_t i : sorted)
        wants_menu = draw_line(state, plan, i, hovered, commands) || wants_menu;
    ImGui::PopStyleVar();
    if (clicked && (!order_ || order_->column != *clicked))
        order_ = Order{*clicked, false};
    else if (clicked)
        order_ = order_->reversed ? std::nullopt : std::optional(Order{*clicked, true});

    constexpr const char* kMenu = "results/menu";
    if (wants_menu) ImGui::OpenPopup(kMenu);
    const Popup popup(kMenu);
    if (popup.open &&
        menu_item("results/copy", "Copy as table", {.tooltip = "All columns, for a spreadsheet"}))
        ImGui::SetClipboardText(copied_table(state, sorted).c_str());
}

std::string verdict_words(Verdict verdict) {
    std::string words = to_string(verdict);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

VerdictLook look_of(const KernelResult& result) {
    if (!result.judged) return {"not judged yet", Tone::Muted, kIconClock};
    std::string words = verdict_cell(result).text;
    std::replace(words.begin(), words.end(), '_', ' ');
    if (result.verdict == Verdict::Ran && result.as_expected()) return {words, Tone::Muted, kIconCheck};
    if (result.verdict == Verdict::Correct && result.as_expected() && !result.hints.empty())
        return {words + " \u00b7 " + counted(result.hints.size(), "hint"), Tone::Warning, kIconWarning};
    if (result.as_expected()) return {words, Tone::Success, kIconCheck};
    switch (result.verdict) {
        case Verdict::Skipped:
        case Verdict::Constraint:
        case Verdict::Unsupported:
            return {words, Tone::Muted, kIconForbidden};
        case Verdict::Undefined:
            return {words, Tone::Undefined, kIconQuestion};
        default:
            return {words, Tone::Danger, kIconCross};
    }
}

}  // namespace kwb::gui
