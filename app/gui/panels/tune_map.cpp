// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "gui/fields.hpp"
#include "gui/panels/results_table.hpp"
#include "gui/panels/tune_views.hpp"
#include "gui/widgets.hpp"
#include "plot/count_map.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"
#include "tune/tuning.hpp"

namespace kwb::gui {
namespace {

/// Of the slowest time, as a share of the colour of the best.
constexpr double kLeastTint = 0.12, kMostTint = 0.72;

ImU32 to_u32(plot::Color color) {
    return IM_COL32(color.r, color.g, color.b, 255);
}

}  // namespace

void TuneMap::make(const std::shared_ptr<const ShownTuning>& tuning) {
    if (tuning_ == tuning && !must_fill_) return;
    const bool is_other = tuning_ == nullptr || tuning_->key != tuning->key;
    tuning_ = tuning;
    if (is_other) is_chosen_ = false;
    if (!is_chosen_) choose_axes();
    fill_cells();
    must_fill_ = false;
}

/// The two parameters whose values differ most in their mean times.
void TuneMap::choose_axes() {
    std::vector<const Trial*> trials;
    for (const auto& trial : tuning_->trials) trials.push_back(trial.get());
    const ParamSpace& params = tuning_->space->params();
    std::vector<double> reach(params.size());
    const auto effects = effects_of(trials, params);
    for (std::size_t p = 0; p < params.size(); ++p) {
        reach[p] = params[p].value.size() > 1 ? 1 : 0;
        if (effects[p].value.size() < 2) continue;
        const auto [low, high] = std::ranges::minmax(effects[p].value, {}, &ValueEffect::mean_ms);
        reach[p] = 1 + high.mean_ms / low.mean_ms;
    }
    std::size_t first = 0, second = params.size() > 1 ? 1 : 0;
    if (params.size() > 1 && reach[second] > reach[first]) std::swap(first, second);
    for (std::size_t p = 2; p < params.size(); ++p) {
        if (reach[p] > reach[first]) {
            second = std::exchange(first, p);
        } else if (reach[p] > reach[second]) {
            second = p;
        }
    }
    axes_ = {first, second};
}

void TuneMap::fill_cells() {
    const Space& space = *tuning_->space;
    const std::size_t columns = space.params()[axes_[1]].value.size();
    cells_.assign(space.params()[axes_[0]].value.size() * columns, {});
    std::array<std::vector<std::size_t>, 2> place;  // of each value
    for (std::size_t axis = 0; axis < 2; ++axis) {
        order_[axis] = ascending(space.params()[axes_[axis]].value);
        place[axis].resize(order_[axis].size());
        for (std::size_t i = 0; i < order_[axis].size(); ++i) place[axis][order_[axis][i]] = i;
    }
    const auto cell_of = [&](std::size_t configuration) -> Cell& {
        const auto indices = space.indices(configuration);
        return cells_[place[0][indices[axes_[0]]] * columns + place[1][indices[axes_[1]]]];
    };
    for (std::size_t i = 0; i < space.size(); ++i) ++cell_of(i).valid;
    best_ms_ = worst_ms_ = 0;
    for (std::size_t i = 0; i < tuning_->trials.size(); ++i) {
        const Trial& trial = *tuning_->trials[i];
        Cell& cell = cell_of(trial.configuration);
        ++cell.tried;
        if (trial.cost_ms && (!cell.best || *trial.cost_ms < *tuning_->trials[*cell.best]->cost_ms))
            cell.best = i;
    }
    for (const Cell& cell : cells_) {
        if (!cell.best) continue;
        const double time = comparable_ms(*tuning_, *tuning_->trials[*cell.best]);
        best_ms_ = best_ms_ > 0 ? std::min(best_ms_, time) : time;
        worst_ms_ = std::max(worst_ms_, time);
    }
}

void TuneMap::draw_axes() {
    const ParamSpace& params = tuning_->space->params();
    constexpr const char* kIds[] = {"tune/map/down", "tune/map/across"};
    constexpr const char* kWords[] = {"Rows", "Columns"};
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const std::string words = fmt::format("{}: {}", kWords[axis], params[axes_[axis]].name);
        const float width =
            std::min(width_of(words) + 3.5f * ImGui::GetFontSize(), ImGui::GetWindowWidth() * 0.9f);
        if (axis > 0) flow_next(width);
        const Combo combo(kIds[axis], words,
                          {.width = width, .tooltip = "The parameter whose values are the rows or columns"});
        if (!combo.open) continue;
        for (std::size_t p = 0; p < params.size(); ++p) {
            if (!option(kIds[axis] + ("/" + params[p].name), params[p].name, {.chosen = p == axes_[axis]}))
                continue;
            if (axes_[1 - axis] == p) axes_[1 - axis] = axes_[axis];
            axes_[axis] = p;
            is_chosen_ = must_fill_ = true;
        }
    }
}

std::string TuneMap::cell_words(std::size_t row, std::size_t column) const {
    const ParamSpace& params = tuning_->space->params();
    const auto& down = params[axes_[0]];
    const auto& across = params[axes_[1]];
    const Cell& cell = cells_[row * across.value.size() + column];
    std::string words = fmt::format("{}={}", down.name, kwb::to_string(down.value[order_[0][row]]));
    if (axes_[0] != axes_[1])
        words += fmt::format(", {}={}", across.name, kwb::to_string(across.value[order_[1][column]]));
    if (cell.valid == 0) return words + ": no valid configuration";
    if (cell.tried == 0) return words + fmt::format(": none of {} tried", cell.valid);
    if (!cell.best) return words + fmt::format(": {} of {} tried, none has a time", cell.tried, cell.valid);
    const Trial& trial = *tuning_->trials[*cell.best];
    return words + fmt::format(": best {} with {} ({} of {} tried). Click to load it into the experiment.",
                               format_time_ms(comparable_ms(*tuning_, trial)),
                               params_text(trial.result.params), cell.tried, cell.valid);
}

std::optional<std::size_t> TuneMap::draw_cells(ImVec2 at, ImVec2 size) {
    const ParamSpace& params = tuning_->space->params();
    const auto& down = params[axes_[0]].value;
    const auto& across = params[axes_[1]].value;
    const FontScope font(fonts().small);
    const float line = ImGui::GetTextLineHeight(), gap = tokens().gap_small;
    float left = 0;
    for (const ParamValue& value : down) left = std::max(left, width_of(kwb::to_string(value)));
    left += gap;
    const float most_width = 9 * ImGui::GetFontSize(), most_height = 3.2f * line;
    const plot::Rect area{
        std::round(at.x + left), std::round(at.y + line + tokens().hair),
        std::floor(std::min(size.x - left, most_width * static_cast<float>(across.size()))),
        std::floor(std::min(size.y - line - tokens().hair, most_height * static_cast<float>(down.size())))};
    const auto cell_at = [&](std::size_t row, std::size_t column) {
        return plot::cell_rect(area, down.size(), across.size(), row * across.size() + column);
    };
    for (std::size_t c = 0; c < across.size(); ++c) {
        const plot::Rect cell = cell_at(0, c);
        const std::string words = shortened(kwb::to_string(across[order_[1][c]]), cell.width);
        paint_text("tune/map/column/" + std::to_string(c),
                   {std::round(cell.center().x - width_of(words) / 2), at.y}, words, Tone::Muted);
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plot::Theme& theme = chart_theme();
    const double reach = worst_ms_ > best_ms_ ? std::log(worst_ms_ / best_ms_) : 1;
    for (std::size_t r = 0; r < down.size(); ++r) {
        const plot::Rect first = cell_at(r, 0);
        const std::string name = kwb::to_string(down[order_[0][r]]);
        if (first.height >= line)
            paint_text("tune/map/row/" + std::to_string(r),
                       {area.x - gap - width_of(name), std::round(first.center().y - line / 2)}, name,
                       Tone::Muted);
        for (std::size_t c = 0; c < across.size(); ++c) {
            const Cell& cell = cells_[r * across.size() + c];
            const plot::Rect place = cell_at(r, c).grown(-0.5f);
            if (cell.valid == 0) continue;
            std::string words;
            if (cell.best) {
                const double time = comparable_ms(*tuning_, *tuning_->trials[*cell.best]);
                const double share = 1 - std::log(time / best_ms_) / reach;
                fill_cell(place, to_u32(plot::mixed(theme.panel, theme.series_color(2),
                                                    kLeastTint + (kMostTint - kLeastTint) * share)));
                words = format_time_ms(time);
            } else if (cell.tried > 0) {
                words = "failed";
            }
            list.AddRect({place.x, place.y}, {place.right(), place.bottom()}, colors().border.u32());
            if (words.empty() || width_of(words) + gap > place.width || line > place.height) continue;
            paint_text(
                "tune/map/cell/" + std::to_string(r) + "/" + std::to_string(c),
                {std::round(place.center().x - width_of(words) / 2), std::round(place.center().y - line / 2)},
                words, cell.best ? Tone::Normal : Tone::Muted);
        }
    }
    const auto [hovered, pressed] = press_cells("tune/map/cells", area, down.size(), across.size());
    if (hovered) tooltip(cell_words(*hovered / across.size(), *hovered % across.size()));
    return pressed ? cells_[*pressed].best : std::nullopt;
}

std::optional<std::size_t> TuneMap::draw(const std::shared_ptr<const ShownTuning>& tuning, ImVec2 size) {
    make(tuning);
    const float top = ImGui::GetCursorScreenPos().y;
    if (tuning->space->params().size() < 2) {
        remark("tune/map/one", "This kernel has a single parameter: see Values.");
        return std::nullopt;
    }
    draw_axes();
    make(tuning);
    remark("tune/map/words",
           "Each cell: the best time over all other parameters; empty: not tried; no cell: not valid.");
    const ImVec2 at = ImGui::GetCursorScreenPos();
    return draw_cells(at, {ImGui::GetContentRegionAvail().x, size.y - (at.y - top)});
}

}  // namespace kwb::gui
