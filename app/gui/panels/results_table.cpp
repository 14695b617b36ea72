// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/results_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "gui/fields.hpp"
#include "gui/keys.hpp"
#include "gui/table.hpp"
#include "plot/numbers.hpp"
#include "report/answer.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"

namespace kwb::gui {
namespace {

enum class Column {
    Kernel,
    Time,
    Interval,
    Gflops,
    GbytesS,
    Speedup,
    Earlier,
    Change,
    FirstRun,
    Build,
    Verdict
};

constexpr std::size_t kColumnCount = 11;
struct ColumnText {
    const char* id;
    const char* head;
    bool is_number;
    const char* term = "";  ///< of the glossary
};
constexpr ColumnText kColumns[kColumnCount] = {{"kernel", "Kernel", false, "kernel"},
                                               {"time", "Time", true, "median"},
                                               {"interval", "95 % interval", false, "95 % interval"},
                                               {"gflops", "GFLOP/s", true, "GFLOP/s"},
                                               {"gbytes_s", "GB/s", true, "GB/s"},
                                               {"speedup", "Speed-up", false, "speed-up"},
                                               {"earlier", "Earlier run", true},
                                               {"change", "Change", true},
                                               {"first_run", "First run", true, "first run"},
                                               {"build", "Build", true, "build"},
                                               {"verdict", "Verdict", false, "verdict"}};
/// The order in which columns are omitted if there is not enough room.
constexpr Column kDropped[] = {Column::Build,  Column::FirstRun, Column::GbytesS, Column::Interval,
                               Column::Gflops, Column::Earlier,  Column::Change,  Column::Speedup};

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
    return {*rate < kStrange ? group_thousands(format_digits(*rate)) : plot::format_number(*rate)};
}

std::optional<double> earlier_ms(const DeskState& state, const std::string& label) {
    if (state.compared == nullptr) return {};
    const ShownRun& run = *state.compared;
    const std::size_t known = std::min(run.labels.size(), run.run.results.size());
    for (std::size_t i = 0; i < known; ++i)
        if (run.labels[i] == label) return run.run.results[i].median_ms;
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
        case Column::Change: {
            const std::optional<double> earlier = earlier_ms(state, state.shown->labels[index]);
            if (!earlier || !result.median_ms || *earlier <= 0 ||
                state.compared->run.sizes != state.shown->run.sizes)
                return {};
            return *result.median_ms / *earlier;
        }
        case Column::FirstRun:
            return result.first_run_ms;
        case Column::Build:
            return result.build_ms;
        default:
            return {};
    }
}

CellText cell(const DeskState& state, std::size_t index, Column column) {
    const ShownRun& run = *state.shown;
    const KernelResult& result = run.run.results[index];
    switch (column) {
        case Column::Kernel:
            return {run.labels[index]};
        case Column::Interval:
            if (!result.median_ms || !result.ci95_ms) return {};
            return {format_time_interval_ms(*result.median_ms, *result.ci95_ms), Tone::Muted};
        case Column::Gflops:
        case Column::GbytesS:
            return rate_cell(number_of(state, index, column));
        case Column::Speedup:
            if (index == run.baseline) return {"baseline", Tone::Muted};
            if (result.median_ms && run.baseline < run.run.results.size() &&
                !run.run.results[run.baseline].median_ms)
                return {run.finished ? "no baseline" : "", Tone::Muted};
            return {result.speedup ? format_speedup(*result.speedup, Wording::Short) : ""};
        case Column::Change:
            if (!number_of(state, index, column)) return {};
            return {format_change(*result.median_ms, *earlier_ms(state, run.labels[index])), Tone::Muted};
        case Column::Verdict: {
            const VerdictLook seen = look_of(state, index);
            return {with_icon(seen.icon, seen.words), seen.tone};
        }
        default:
            return time_cell(number_of(state, index, column));
    }
}

/// The lines from the top down; those without a number come last.
std::vector<std::size_t> sorted_lines(const DeskState& state, std::size_t lines,
                                      const std::optional<TableOrder>& order) {
    std::vector<SortKey> keys(lines);
    for (std::size_t i = 0; order && i < lines; ++i) {
        const auto column = static_cast<Column>(order->column);
        keys[i].number = number_of(state, i, column);
        if (keys[i].number && std::isnan(*keys[i].number)) keys[i].number.reset();
        keys[i].words = column == Column::Verdict ? look_of(state, i).words : cell(state, i, column).words;
    }
    return sorted_rows(keys, order && order->is_reversed);
}

/// All columns, for a spreadsheet.
std::string copied_table(const DeskState& state, const std::vector<std::size_t>& lines) {
    const ShownRun& run = *state.shown;
    const auto number = [](const std::optional<double>& value) {
        return value ? fmt::format("{}", *value) : std::string();
    };
    std::string text =
        "kernel\ttime [ms]\tinterval from\tto\tGFLOP/s\tGB/s\tspeed-up\tinterval from\tto\tearlier run "
        "[ms]\ttime / earlier run\tfirst run [ms]\tbuild [ms]\tverdict\n";
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
                      number(earlier_ms(state, run.labels[i])), number(number_of(state, i, Column::Change)),
                      number(result.first_run_ms), number(result.build_ms), look_of(state, i).words},
                     "\t") +
                "\n";
    }
    return text;
}

float swatch_room() {
    return tokens().grip + tokens().icon_gap;
}

struct Plan {
    std::vector<TableColumn> columns;
    std::vector<std::vector<CellText>> cells;  ///< of each column
};

/// Chooses the columns that fit into `room`.
Plan make_plan(const DeskState& state, std::size_t lines, float room) {
    const float most = 16 * ImGui::GetFontSize();  // one very long number must not take all of the room
    Plan plan;
    for (std::size_t k = 0; k < kColumnCount; ++k) {
        const auto column = static_cast<Column>(k);
        TableColumn& planned =
            plan.columns.emplace_back(TableColumn{kColumns[k].id, kColumns[k].head, kColumns[k].is_number});
        planned.is_shown = column == Column::Kernel || column == Column::Verdict;
        planned.help = explain(state.course.glossary, kColumns[k].term);
        std::vector<CellText>& cells = plan.cells.emplace_back();
        planned.fit("");
        for (std::size_t i = 0; i < lines; ++i) {
            const std::string& words = cells.emplace_back(cell(state, i, column)).words;
            planned.is_shown = planned.is_shown || !words.empty();
            if (width_of(words) <= most)
                planned.fit(words);
            else
                planned.width = std::max(planned.width, most);
        }
        if (column == Column::Kernel) planned.width += swatch_room();
    }
    for (const Column dropped : kDropped)
        if (table_width(plan.columns) > room)
            plan.columns[static_cast<std::size_t>(dropped)].is_shown = false;
    // The kernel's name shrinks last; spare room is distributed among the columns.
    const float spare = room - table_width(plan.columns);
    TableColumn& kernel = plan.columns.front();
    kernel.width = std::max(swatch_room() + width_of("Kernel"), kernel.width + std::min(0.0f, spare));
    const float shown = static_cast<float>(std::ranges::count(plan.columns, true, &TableColumn::is_shown));
    for (TableColumn& column : plan.columns)
        column.width += std::floor(std::clamp(spare / shown, 0.0f, 4 * tokens().gap_small));
    return plan;
}

/// @return  whether the menu was requested
bool draw_line(const DeskState& state, Table& table, const Plan& plan, std::size_t index, Hovered& hovered,
               Commands& commands) {
    const KernelResult& result = state.shown->run.results[index];
    const std::string& label = state.shown->labels[index];
    if (table.press_row(index, index == state.selected))
        commands.push_back(command::SelectContestant{index, ImGui::GetIO().KeyCtrl});
    hovered.link_last(index);
    const bool wants_menu = (ImGui::IsItemHovered() && ImGui::IsMouseReleased(1)) ||
                            (ImGui::IsItemFocused() && pressed(Action::OpenMenu));
    if (!result.reason.empty())
        tooltip(label + ": " + result.reason);
    else if (plan.columns.front().width < width_of(label) + swatch_room())
        tooltip(label);
    draw_swatch(table.corner(), ImGui::GetTextLineHeight(), index);
    for (std::size_t k = 0; k < kColumnCount; ++k)
        table.cell(plan.cells[k][index].words, plan.cells[k][index].tone, k == 0 ? swatch_room() : 0);
    return wants_menu;
}

}  // namespace

void draw_results_table(const DeskState& state, Hovered& hovered, Commands& commands) {
    const ShownRun& run = *state.shown;
    const std::size_t lines = std::min(run.labels.size(), run.run.results.size());
    const Plan plan = make_plan(state, lines, ImGui::GetContentRegionAvail().x);
    std::vector<std::size_t> sorted;
    bool wants_menu = false;
    {
        Table table("results", plan.columns, {.sorts = true});
        sorted = sorted_lines(state, lines, table.order());
        table.draw_rows(lines, [&](std::size_t line) {
            wants_menu = draw_line(state, table, plan, sorted[line], hovered, commands) || wants_menu;
        });
    }
    constexpr const char* kMenu = "results/menu";
    if (wants_menu) ImGui::OpenPopup(kMenu);
    const Popup popup(kMenu);
    if (popup.open && option("results/copy", "Copy as table", {.tooltip = "All columns, for a spreadsheet"}))
        ImGui::SetClipboardText(copied_table(state, sorted).c_str());
}

std::string verdict_words(Verdict verdict) {
    std::string words = to_string(verdict);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

const ShownCheck* check_of(const DeskState& state, std::size_t index) {
    const auto contestant = std::ranges::find(state.result_of, std::optional(index));
    const auto place = static_cast<std::size_t>(contestant - state.result_of.begin());
    return place < state.checks.size() ? state.checks[place].get() : nullptr;
}

std::optional<VerdictLook> look_of(const ShownCheck& check) {
    const std::size_t faults = check.faults();
    if (faults == 0) {
        if (!check.is_finished()) return std::nullopt;
        const auto all_are = [&](Verdict verdict) {
            return std::ranges::all_of(check.results,
                                       [&](const KernelResult& result) { return result.verdict == verdict; });
        };
        const bool is_correct = all_are(Verdict::Correct);
        return VerdictLook{fmt::format("{} at {}",
                                       is_correct              ? "correct"
                                       : all_are(Verdict::Ran) ? "ran"
                                                               : "as expected",
                                       counted(check.planned, "size")),
                           is_correct ? Tone::Success : Tone::Muted, kIconCheck};
    }
    const Verdict verdict = check.first_fault()->verdict;
    const bool is_same = std::ranges::all_of(check.results, [&](const KernelResult& result) {
        return result.as_expected() || result.verdict == verdict;
    });
    return VerdictLook{
        fmt::format("{} at {} of {}", is_same ? verdict_words(verdict) : "at fault", faults,
                    counted(check.results.size(), "size") + (check.is_finished() ? "" : " so far")),
        is_same && verdict == Verdict::Undefined ? Tone::Undefined : Tone::Danger, kIconCross};
}

std::string checked_sizes(const ShownCheck& check) {
    std::vector<std::string> sizes;
    for (const KernelResult& result : check.results) sizes.push_back(to_string(result.size));
    return fmt::format("Checked at the size{} {}", sizes.size() == 1 ? "" : "s", join(sizes, ", "));
}

VerdictLook look_of(const DeskState& state, std::size_t index, bool names_size) {
    constexpr std::string_view kCorrect = "correct";
    const KernelResult& result = state.shown->run.results[index];
    VerdictLook seen = look_of(result);
    if (!result.judged || result.verdict != Verdict::Correct || !result.as_expected()) return seen;
    if (const ShownCheck* const check = check_of(state, index))
        if (const auto all = look_of(*check)) {
            if (check->faults() > 0) return *all;
            seen.words.replace(0, kCorrect.size(), all->words);
            return seen;
        }
    if (names_size && !result.size.empty())
        seen.words.insert(kCorrect.size(), " at " + to_string(result.size));
    return seen;
}

VerdictLook look_of(const KernelResult& result) {
    if (!result.judged) return {"not judged yet", Tone::Muted, kIconClock};
    std::string words = verdict_cell(result).text;
    std::replace(words.begin(), words.end(), '_', ' ');
    if (is_right_by_luck(result))
        words.replace(0, std::string_view("undefined").size(), "right only by luck");
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
