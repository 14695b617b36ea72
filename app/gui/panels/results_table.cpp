#include "gui/panels/results_table.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/text.hpp"
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
                                   {Column::Speedup, "speedup", "Times as fast", false},
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

CellText earlier_cell(const DeskState& state, const std::string& label) {
    if (state.compared == nullptr) return {};
    const ShownRun& run = *state.compared;
    const std::size_t known = std::min(run.labels.size(), run.run.results.size());
    for (std::size_t i = 0; i < known; ++i)
        if (run.labels[i] == label) return time_cell(run.run.results[i].median_ms);
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
            return earlier_cell(state, run.labels[index]);
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

struct Planned {
    const ColumnText* text;
    std::vector<CellText> cells;  ///< per contestant
    float x = 0, width = 0;
};
using Plan = std::vector<Planned>;

float swatch_room() {
    return tokens().grip + tokens().icon_gap;
}

/// Chooses the columns that fit into `room`, from left to right.
Plan make_plan(const DeskState& state, std::size_t lines, float room) {
    const float gap = tokens().gap_small * 2;
    const float most = 16 * ImGui::GetFontSize();  // one very long number must not take all of the room
    Plan plan;
    float sum = -gap;
    for (const ColumnText& text : kColumns) {
        bool any = text.column == Column::Kernel || text.column == Column::Verdict;
        Planned planned{.text = &text, .cells = {}, .width = width_of(text.head)};
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

void draw_head(const Plan& plan) {
    const FontScope font(fonts().small);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float inset = tokens().hair;
    for (const Planned& planned : plan)
        put(std::string("results/head/") + planned.text->id, planned, {at.x + inset, at.y}, 0,
            planned.text->head, Tone::Muted);
    ImGui::Dummy({1, ImGui::GetTextLineHeight() + inset});
}

void draw_swatch(ImVec2 at, std::size_t slot) {
    const float side = tokens().grip, top = at.y + (ImGui::GetTextLineHeight() - side) / 2;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side}, series_color(slot),
                                              side / 4);
}

void draw_line(const DeskState& state, const Plan& plan, std::size_t index, Commands& commands) {
    const KernelResult& result = state.shown->run.results[index];
    const std::string number = std::to_string(index);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable(("##results/row/" + number).c_str(), index == state.selected, 0,
                          {0, line_height()}))
        commands.push_back(command::SelectContestant{index});
    probe("results/row/" + number, {.container = true});
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
}

}  // namespace

float results_table_height(std::size_t lines) {
    const float head = compat::size_of(*fonts().small) + tokens().hair;
    return head + static_cast<float>(lines) * line_height();
}

void draw_results_table(const DeskState& state, Commands& commands) {
    const ShownRun& run = *state.shown;
    const std::size_t lines = std::min(run.labels.size(), run.run.results.size());
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    const float room = ImGui::GetContentRegionAvail().x - 2 * tokens().hair;
    const Plan plan = make_plan(state, lines, room);
    draw_head(plan);
    for (std::size_t i = 0; i < lines; ++i) draw_line(state, plan, i, commands);
    ImGui::PopStyleVar();
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
        default:
            return {words, Tone::Danger, kIconCross};
    }
}

}  // namespace kwb::gui
