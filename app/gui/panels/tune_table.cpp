// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/tune_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.hpp"
#include "gui/panels/results_table.hpp"
#include "gui/panels/tune_charts.hpp"
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

float tune_row_height() {
    return compat::size_of(*fonts().small) + 2 * tokens().hair;
}

float tune_column_gap() {
    return 2 * tokens().gap_small;
}

}  // namespace

void TuneTable::make(const std::shared_ptr<const ShownTuning>& tuning) {
    if (tuning_ == tuning) return;
    tuning_ = tuning;
    columns_.clear();
    measured_at_ = 0;
    const auto add = [&](std::string head, bool is_number, auto cell_of) {
        Column& column = columns_.emplace_back(Column{std::move(head), is_number});
        for (std::size_t i = 0; i < tuning->trials.size(); ++i)
            column.cells.push_back(cell_of(i, *tuning->trials[i]));
    };
    add("#", true, [](std::size_t i, const Trial&) {
        return Cell{std::to_string(i + 1), Tone::Muted, static_cast<double>(i)};
    });
    add("Time (95 % interval)", false, [](std::size_t, const Trial& trial) {
        return trial.cost_ms ? Cell{measured_words(trial), Tone::Normal, trial.cost_ms} : Cell{};
    });
    const double best_ms = tuning->best ? *tuning->trials[*tuning->best]->cost_ms : 0;
    add("Vs. best", false, [&](std::size_t i, const Trial& trial) {
        if (!trial.cost_ms) return Cell{verdict_words(trial.result.verdict), look_of(trial.result).tone};
        if (i == tuning->best) return Cell{"the best", Tone::Success, 1.0};
        const double ratio = *trial.cost_ms / best_ms;
        if (trial.result.speedup && is_undecided(*trial.result.speedup))
            return Cell{"no difference seen", Tone::Normal, ratio};
        return Cell{"\u00d7 " + format_digits(ratio), Tone::Muted, ratio};
    });
    for (const auto& [name, values] : tuning->space->params())
        add(name, true, [&, &param = name, &order = values](std::size_t, const Trial& trial) {
            const ParamValue* value = find_named(trial.result.params, param);
            if (value == nullptr) return Cell{};
            const auto at = std::ranges::find(order, *value) - order.begin();
            const auto* whole = std::get_if<std::int64_t>(value);
            return Cell{kwb::to_string(*value), Tone::Normal,
                        static_cast<double>(whole != nullptr ? *whole : at)};
        });
    add("Verdict", false, [](std::size_t, const Trial& trial) {
        const VerdictLook seen = look_of(trial.result);
        const std::string reason = short_reason(trial.result.reason);
        return Cell{with_icon(seen.icon, reason.empty() ? seen.words : seen.words + ": " + reason),
                    seen.tone};
    });
    rows_.resize(tuning->trials.size());
    if (sorted_by_ && *sorted_by_ >= columns_.size()) sorted_by_.reset();
    sort();
}

void TuneTable::sort() {
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
    const std::vector<Cell>& cells = columns_[sorted_by_.value_or(kTimeColumn)].cells;
    std::ranges::stable_sort(rows_, [&](std::size_t a, std::size_t b) {
        const auto &one = cells[a].number, &other = cells[b].number;
        if (one.has_value() != other.has_value()) return one.has_value();
        if (reversed_) std::swap(a, b);
        return one ? *cells[a].number < *cells[b].number : cells[a].words < cells[b].words;
    });
}

void TuneTable::measure() {
    const float size = compat::size_of(*fonts().small);
    if (measured_at_ == size) return;
    measured_at_ = size;
    for (Column& column : columns_) {
        column.width = width_of(column.head + " \u2193");
        for (const Cell& cell : column.cells) column.width = std::max(column.width, width_of(cell.words));
        column.width = std::ceil(column.width);
    }
}

void TuneTable::draw_head(float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    float x = at.x + tokens().hair;
    std::optional<std::size_t> clicked;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        Column& column = columns_[k];
        const std::string id = "tune/sort/" + std::to_string(k);
        ImGui::SetCursorScreenPos({x - tokens().hair, at.y});
        if (ImGui::Selectable(("##" + id).c_str(), false, 0,
                              {column.width + 2 * tokens().hair, tune_row_height()}))
            clicked = k;
        probe(id, {.container = true});
        tooltip("Sort by this column; another click reverses, a third restores the order");
        const std::string head =
            sorted_by_ == k ? column.head + (reversed_ ? " \u2193" : " \u2191") : column.head;
        const float inset = column.is_number ? column.width - width_of(head) : 0;
        paint_text("tune/head/" + std::to_string(k), {std::round(x + inset), at.y + tokens().hair}, head,
                   Tone::Muted);
        x += column.width + tune_column_gap();
    }
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, tune_row_height()});
    if (!clicked) return;
    if (sorted_by_ != *clicked) {
        sorted_by_ = *clicked;
        reversed_ = false;
    } else if (!reversed_) {
        reversed_ = true;
    } else {
        sorted_by_.reset();
        reversed_ = false;
    }
    sort();
}

void TuneTable::draw_row(std::size_t i, bool is_chosen, float width, std::size_t contestant,
                         Commands& commands) const {
    const std::string id = "tune/row/" + std::to_string(i);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Trial& trial = *tuning_->trials[i];
    if (ImGui::Selectable(("##" + id).c_str(), is_chosen, 0, {width, tune_row_height()}))
        commands.push_back(command::LoadConfiguration{contestant, trial.result.params});
    probe(id, {.container = true});
    if (trial.result.reason.empty())
        tooltip("Click to load these values into the experiment");
    else
        message_tooltip("Click to load these values into the experiment", trial.result.reason);
    float x = at.x + tokens().hair;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        const Column& column = columns_[k];
        const Cell& cell = column.cells[i];
        const float inset = column.is_number ? column.width - width_of(cell.words) : 0;
        if (!cell.words.empty())
            paint_text(id + "/" + std::to_string(k), {std::round(x + inset), at.y + tokens().hair},
                       cell.words, cell.tone);
        x += column.width + tune_column_gap();
    }
}

void TuneTable::draw(const DeskState& state, const std::shared_ptr<const ShownTuning>& tuning,
                     std::size_t contestant, ImVec2 size, Commands& commands) {
    make(tuning);
    const FontScope font(fonts().small);
    measure();
    float width = 2 * tokens().hair - tune_column_gap();
    for (const Column& column : columns_) width += column.width + tune_column_gap();
    std::vector<std::string> values;
    for (const ParamPreview& param : state.preview.contestants[contestant].params)
        values.push_back(param.name + "=" + param.chosen);
    const std::string now = join(values, " ");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::SetNextWindowContentSize({width, 0});
    compat::begin_child("tune/rows", size, false, ImGuiWindowFlags_HorizontalScrollbar);
    width = std::max(width, ImGui::GetContentRegionAvail().x);
    draw_head(width);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows_.size()), tune_row_height());
    while (clipper.Step())
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
            const std::size_t i = rows_[static_cast<std::size_t>(row)];
            draw_row(i, params_text(tuning->trials[i]->result.params) == now, width, contestant, commands);
        }
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

}  // namespace kwb::gui
