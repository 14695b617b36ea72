// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "gui/panels/results_table.hpp"
#include "gui/panels/tune_views.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"

namespace kwb::gui {
namespace {

/// The verdict of a failure, and the first line of its reason.
constexpr std::size_t kMostReason = 200;

std::string short_reason(const std::string& reason) {
    if (reason.empty()) return "";
    std::string first = split_lines(reason).front();
    if (first.size() > kMostReason) first = to_utf8(first.substr(0, kMostReason)) + "\u2026";
    return first;
}

constexpr std::size_t kTimeColumn = 1;

}  // namespace

void TuneTable::make(const std::shared_ptr<const ShownTuning>& tuning, const std::vector<Term>& glossary) {
    if (tuning_ == tuning) return;
    tuning_ = tuning;
    columns_.clear();
    cells_.clear();
    measured_at_ = 0;
    const auto add = [&](std::string head, bool is_number, auto cell_of) {
        columns_.push_back({std::to_string(columns_.size()), std::move(head), is_number});
        std::vector<Cell>& cells = cells_.emplace_back();
        for (std::size_t i = 0; i < tuning->trials.size(); ++i)
            cells.push_back(cell_of(i, *tuning->trials[i]));
    };
    add("#", true, [](std::size_t i, const Trial&) {
        return Cell{std::to_string(i + 1), Tone::Muted, static_cast<double>(i)};
    });
    columns_.back().help = "The order in which the configurations were measured.";
    add("Time (95 % interval)", false, [](std::size_t, const Trial& trial) {
        return trial.cost_ms ? Cell{measured_words(trial), Tone::Normal, trial.cost_ms} : Cell{};
    });
    columns_.back().help = trim(explain(glossary, "median") + "\n\n" + explain(glossary, "95 % interval"));
    const double best_ms = tuning->best ? *tuning->trials[*tuning->best]->cost_ms : 0;
    add("Vs. best, in turns", false, [&](std::size_t i, const Trial& trial) {
        if (!trial.cost_ms) return Cell{verdict_words(trial.result.verdict), look_of(trial.result).tone};
        if (i == tuning->best) return Cell{"the best", Tone::Success, 1.0};
        const double ratio = *trial.cost_ms / best_ms;
        if (trial.result.speedup && is_undecided(*trial.result.speedup))
            return Cell{"no difference seen", Tone::Normal, ratio};
        return Cell{"\u00d7 " + format_digits(ratio), Tone::Muted, ratio};
    });
    columns_.back().help =
        "How many times the time of the best configuration, by runs in turns with it. It may differ from the "
        "quotient of "
        "the times beside it, which are of different moments.";
    for (const auto& [name, values] : tuning->space->params()) {
        add(name, true, [&, &param = name, &order = values](std::size_t, const Trial& trial) {
            const ParamValue* value = find_named(trial.result.params, param);
            if (value == nullptr) return Cell{};
            const auto at = std::ranges::find(order, *value) - order.begin();
            const auto* whole = std::get_if<std::int64_t>(value);
            return Cell{kwb::to_string(*value), Tone::Normal,
                        static_cast<double>(whole != nullptr ? *whole : at)};
        });
        columns_.back().help = "The value of this parameter of the kernel.";
    }
    add("Verdict", false, [](std::size_t, const Trial& trial) {
        const VerdictLook seen = look_of(trial.result);
        const std::string reason = short_reason(trial.result.reason);
        return Cell{with_icon(seen.icon, reason.empty() ? seen.words : seen.words + ": " + reason),
                    seen.tone};
    });
    columns_.back().help = explain(glossary, "verdict");
    // Where all are good, it says nothing.
    columns_.back().is_shown = !std::ranges::all_of(tuning->trials, [](const auto& trial) {
        return trial->cost_ms.has_value() && trial->result.reason.empty();
    });
    sort();
}

void TuneTable::sort() {
    const TableOrder order = order_.value_or(TableOrder{kTimeColumn});
    std::vector<SortKey> keys;
    for (const Cell& cell : cells_[order.column]) keys.push_back({cell.number, cell.words});
    rows_ = sorted_rows(keys, order.is_reversed);
}

void TuneTable::measure() {
    const float size = ImGui::GetFontSize();
    if (std::exchange(measured_at_, size) == size) return;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        columns_[k].width = columns_[k].cells = columns_[k].least = 0;
        for (const Cell& cell : cells_[k]) columns_[k].fit(cell.words);
    }
    // Where room is short, the reasons of failures are cut: the tooltips have them.
    TableColumn verdict{"", columns_.back().head};
    for (const auto& trial : tuning_->trials) {
        const VerdictLook seen = look_of(trial->result);
        verdict.fit(with_icon(seen.icon, seen.words));
    }
    columns_.back().cells = columns_.back().least = verdict.width;
}

std::optional<std::size_t> TuneTable::draw(const std::shared_ptr<const ShownTuning>& tuning,
                                           const std::vector<Term>& glossary,
                                           const std::vector<ParamPreview>& chosen, ImVec2 size) {
    make(tuning, glossary);
    const FontScope font(fonts().small);
    measure();
    std::vector<std::string> values;
    for (const ParamPreview& param : chosen) values.push_back(param.name + "=" + param.chosen);
    const std::string now = join(values, " ");
    std::vector<TableColumn> columns = columns_;
    narrow_columns(columns, (size.x > 0 ? size.x : ImGui::GetContentRegionAvail().x) - tokens().scrollbar);
    Table table("tune", columns,
                {.size = size, .sorts = true, .flags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY});
    if (order_ != table.order()) {
        order_ = table.order();
        sort();
    }
    std::optional<std::size_t> clicked;
    table.draw_rows(rows_.size(), [&](std::size_t row) {
        const std::size_t i = rows_[row];
        const KernelResult& result = tuning->trials[i]->result;
        if (table.press_row(i, params_text(result.params) == now)) clicked = i;
        constexpr std::string_view kHint = "Click to load these values into the experiment";
        if (result.reason.empty())
            tooltip(kHint);
        else
            message_tooltip(kHint, result.reason);
        for (const std::vector<Cell>& cells : cells_) table.cell(cells[i].words, cells[i].tone);
    });
    return clicked;
}

}  // namespace kwb::gui
