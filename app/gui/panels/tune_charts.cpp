// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/tune_views.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/text.hpp"
#include "gui/panels/results_table.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"

namespace kwb::gui {
namespace {

constexpr std::size_t kTimedSlot = 0, kUntimedSlot = 6;  ///< a circle and a cross
/// The lower edge of the course, as a share of the best time, and where those without a time lie.
constexpr double kEdge = 0.8, kUntimed = 0.84;

}  // namespace

std::vector<std::size_t> ascending(const std::vector<ParamValue>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto number = [&](std::size_t i) {
        const auto* whole = std::get_if<std::int64_t>(&values[i]);
        return whole != nullptr ? *whole : std::numeric_limits<std::int64_t>::max();
    };
    std::ranges::stable_sort(order, {}, number);
    return order;
}

std::string measured_words(const Trial& trial) {
    return format_time_ms(trial.result.median_ms.value_or(*trial.cost_ms), trial.result.ci95_ms);
}

double comparable_ms(const ShownTuning& tuning, const Trial& trial) {
    const Trial& best = *tuning.trials[*tuning.best];
    return *trial.cost_ms / *best.cost_ms * best.result.median_ms.value_or(*best.cost_ms);
}

std::vector<std::string> trial_lines(const ShownTuning& tuning, std::size_t i) {
    const Trial& trial = *tuning.trials[i];
    std::vector<std::string> lines = {params_text(trial.result.params),
                                      "configuration " + std::to_string(i + 1)};
    if (trial.cost_ms) lines.push_back(measured_words(trial));
    if (!trial.cost_ms || !is_good(trial.result.verdict))
        lines.push_back(verdict_words(trial.result.verdict));
    if (!trial.result.reason.empty()) lines.push_back(split_lines(trial.result.reason).front());
    return lines;
}

plot::Chart tuning_course_chart(const ShownTuning& tuning) {
    plot::Chart chart;
    chart.x = {.label = "configuration", .whole = true};
    chart.y = {.label = "time", .unit = "ms", .kind = plot::ScaleKind::Log10};
    chart.x.low = 0;
    chart.x.high = static_cast<double>(std::max<std::size_t>(tuning.trials.size(), 9) + 1);
    chart.empty_text = "Nothing has been tried yet.";
    double best = std::numeric_limits<double>::infinity();
    plot::Line so_far;
    for (std::size_t i = 0; i < tuning.trials.size(); ++i) {
        const Trial& trial = *tuning.trials[i];
        if (!trial.cost_ms || comparable_ms(tuning, trial) >= best) continue;
        const auto x = static_cast<double>(i + 1);
        if (std::isfinite(best)) so_far.points.push_back({x, best, {}});
        best = comparable_ms(tuning, trial);
        so_far.points.push_back({x, best, {}});
    }
    if (std::isfinite(best)) so_far.points.push_back({static_cast<double>(tuning.trials.size()), best, {}});
    const bool has_best = std::isfinite(best);
    if (has_best) chart.y.low = best * kEdge;
    bool has_timed = false, has_untimed = false;
    for (std::size_t i = 0; i < tuning.trials.size(); ++i) {
        const auto& cost = tuning.trials[i]->cost_ms;
        plot::ScatterPoint point;
        point.x = static_cast<double>(i + 1);
        point.y = cost ? comparable_ms(tuning, *tuning.trials[i]) : has_best ? best * kUntimed : 1;
        bool& is_named = cost ? has_timed : has_untimed;
        chart.series.push_back({.name = cost ? "measured" : "without a time",
                                .color_slot = cost ? kTimedSlot : kUntimedSlot,
                                .data = std::move(point),
                                .in_legend = !is_named});
        is_named = true;
    }
    if (has_best)
        chart.series.push_back(
            {.name = "best so far", .color_slot = plot::kNeutralSlot, .data = std::move(so_far)});
    if (has_untimed) chart.notes.push_back("At the lower edge: configurations that failed and have no time.");
    return chart;
}

plot::Chart tuning_values_chart(const ShownTuning& tuning) {
    plot::Chart chart;
    chart.x = {.label = "time", .unit = "ms", .kind = plot::ScaleKind::Log10};
    chart.y.kind = plot::ScaleKind::Categories;
    chart.empty_text = "No parameter has been measured with two values yet.";
    std::size_t slot = 0;
    for (const auto& [name, values] : tuning.space->params()) {
        plot::Bars bars;
        std::vector<std::string> rows;
        for (const std::size_t i : ascending(values)) {
            const ParamValue& value = values[i];
            std::vector<double> times;
            for (const auto& trial : tuning.trials)
                if (const ParamValue* own = find_named(trial->result.params, name);
                    trial->cost_ms && own != nullptr && *own == value)
                    times.push_back(comparable_ms(tuning, *trial));
            if (times.empty()) continue;
            bars.bars.push_back(plot::make_box(chart.y.categories.size() + rows.size(), std::move(times)));
            rows.push_back(name + " = " + kwb::to_string(value));
        }
        if (rows.size() < 2) continue;
        chart.y.categories.insert(chart.y.categories.end(), rows.begin(), rows.end());
        chart.series.push_back({.name = name, .color_slot = slot++, .data = std::move(bars)});
    }
    return chart;
}

}  // namespace kwb::gui
