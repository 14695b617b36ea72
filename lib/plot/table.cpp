// SPDX-License-Identifier: Apache-2.0
#include "plot/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace kwb::plot {
namespace {

using Cells = std::vector<std::string>;

std::string number(double value) {
    return std::isnan(value) ? "" : fmt::format("{}", value);
}

std::string number(const std::optional<double>& value) {
    return value ? number(*value) : "";
}

/// "time of one run [ms]"
std::string head(const Axis& axis, const char* otherwise) {
    const std::string label = axis.label.empty() ? otherwise : axis.label;
    return axis.unit.empty() ? label : label + " [" + axis.unit + "]";
}

std::string name_of(const Series& series) {
    return series.subject.empty() ? series.name : series.subject + ", " + series.name;
}

std::string text_of(std::vector<Cells> lines) {
    std::string text;
    for (Cells& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i) {
            std::ranges::replace_if(
                line[i], [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
            text += line[i] + (i + 1 < line.size() ? '\t' : '\n');
        }
    return text;
}

/// Removes columns without any content below the head.
void drop_empty_columns(std::vector<Cells>& lines) {
    for (std::size_t column = lines.front().size(); column-- > 0;) {
        const auto is_empty = [&](const Cells& line) { return line[column].empty(); };
        if (!std::all_of(lines.begin() + 1, lines.end(), is_empty)) continue;
        for (Cells& line : lines) line.erase(line.begin() + static_cast<std::ptrdiff_t>(column));
    }
}

void add_interval(Cells& line, const std::optional<Interval>& interval) {
    line.push_back(interval ? number(interval->low) : "");
    line.push_back(interval ? number(interval->high) : "");
}

std::vector<Cells> bars_table(const Chart& chart, const std::vector<const Series*>& shown) {
    std::vector<Cells> lines = {{chart.y.label.empty() ? "name" : chart.y.label, "of", head(chart.x, "value"),
                                 "interval from", "to", "5 %", "25 %", "75 %", "95 %", "missing"}};
    for (const Series* series : shown) {
        const auto* bars = std::get_if<Bars>(&series->data);
        if (!bars) continue;
        for (const Bar& bar : bars->bars) {
            const auto& names = chart.y.categories;
            Cells line = {bar.category < names.size() ? names[bar.category]
                                                      : fmt::format("{}", bar.category)};
            line.push_back(series->name == line.front() ? "" : series->name);
            line.push_back(number(bar.value));
            add_interval(line, bar.interval);
            const Spread spread = bar.spread.value_or(Spread{NAN, NAN, NAN, NAN});
            for (const double value :
                 {spread.whisker_low, spread.quartile_low, spread.quartile_high, spread.whisker_high})
                line.push_back(number(value));
            line.push_back(bar.value ? "" : bar.missing);
            lines.push_back(std::move(line));
        }
    }
    drop_empty_columns(lines);
    return lines;
}

std::vector<Cells> lines_table(const Chart& chart, const std::vector<const Series*>& shown) {
    Cells heads = {head(chart.x, "x")};
    std::map<double, Cells> lines;  // by x
    for (const Series* series : shown) {
        const auto* line = std::get_if<Line>(&series->data);
        if (!line) continue;
        const std::size_t first = heads.size();
        const std::string unit = chart.y.unit.empty() ? "" : " [" + chart.y.unit + "]";
        heads.insert(heads.end(), {name_of(*series) + unit, "interval from", "to"});
        for (const LinePoint& point : line->points) {
            if (!std::isfinite(point.x)) continue;
            Cells& cells = lines[point.x];
            cells.resize(first);
            cells.push_back(number(point.y));
            add_interval(cells, point.band);
        }
    }
    std::vector<Cells> table = {heads};
    for (auto& [x, cells] : lines) {
        cells.resize(heads.size());
        cells.front() = number(x);
        table.push_back(std::move(cells));
    }
    drop_empty_columns(table);
    return table;
}

std::vector<Cells> points_table(const Chart& chart, const std::vector<const Series*>& shown) {
    std::vector<Cells> lines = {{"name", head(chart.x, "x"), head(chart.y, "y"), "interval from", "to"}};
    for (const Series* series : shown) {
        const auto* point = std::get_if<ScatterPoint>(&series->data);
        if (!point) continue;
        Cells line = {name_of(*series), number(point->x), number(point->y)};
        add_interval(line, point->interval);
        lines.push_back(std::move(line));
    }
    drop_empty_columns(lines);
    return lines;
}

std::vector<Cells> map_table(const Chart& chart, const HeatMap& map) {
    const auto index = [](std::size_t cell, double a_cell) {
        return number(std::floor(static_cast<double>(cell) * a_cell));
    };
    std::vector<Cells> lines = {{head(chart.y, "row") + " \\ " + head(chart.x, "column")}};
    for (std::size_t column = 0; column < map.columns; ++column)
        lines.front().push_back(index(column, map.columns_a_cell));
    for (std::size_t row = 0; row < map.rows; ++row) {
        Cells& line = lines.emplace_back(Cells{index(row, map.rows_a_cell)});
        for (std::size_t column = 0; column < map.columns; ++column) {
            const float value = map.values[row * map.columns + column];
            line.push_back(std::isnan(value) ? "nan" : fmt::format("{}", value));
        }
    }
    return lines;
}

}  // namespace

std::string to_table(const Chart& chart, const ChartView& view) {
    std::vector<const Series*> shown;
    for (const Series& series : chart.series)
        if (view.shows(series.name) && !std::holds_alternative<Rule>(series.data)) shown.push_back(&series);
    if (!has_data(chart) || shown.empty()) return {};
    const SeriesData& first = shown.front()->data;
    if (const auto* map = std::get_if<HeatMap>(&first)) return text_of(map_table(chart, *map));
    if (std::holds_alternative<Bars>(first)) return text_of(bars_table(chart, shown));
    if (std::holds_alternative<Line>(first)) return text_of(lines_table(chart, shown));
    return text_of(points_table(chart, shown));
}

}  // namespace kwb::plot
