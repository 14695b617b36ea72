// SPDX-License-Identifier: Apache-2.0
#include "plot/draw.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "plot/numbers.hpp"

namespace kwb::plot {
namespace {

/// Finds one mark and describes it.
class Finder {
public:
    Finder(const Chart& chart, const ChartLayout& layout, Point at)
        : chart_(chart), layout_(layout), at_(at), s_(layout.frame.scale) {}

    std::optional<Hover> find() const {
        if (layout_.empty) return {};
        if (const auto found = missing_value()) return found;
        if (const auto found = shortened_text()) return found;
        if (!layout_.plot.grown(5 * s_).contains(at_)) return {};
        if (layout_.heat) return cell();
        if (const auto found = nearest_sample()) return found;
        if (const auto found = nearest_point()) return found;
        for (const bool ghost : {false, true})
            if (const auto found = bar(ghost)) return found;
        if (const auto found = box()) return found;
        return rule();
    }

private:
    const std::string& x_unit() const { return chart_.x.unit; }
    const std::string& y_unit() const { return chart_.y.unit; }
    std::string name(std::size_t series) const {
        return head(chart_.series[series].subject, chart_.series[series].name);
    }
    bool is_ghost(std::size_t series) const { return chart_.series[series].ghost; }

    /// "naive · tiled 16", or just one of them if they are equal or one is empty.
    static std::string head(const std::string& a, const std::string& b) {
        if (a.empty() || a == b) return b;
        return b.empty() ? a : a + " · " + b;
    }

    const Bar& bar_of(const auto& mark) const { return bar_at(chart_, mark.series, mark.item); }

    /// The category of the bar and the name of its series.
    std::string row_name(const auto& mark) const {
        const std::size_t index = bar_of(mark).category;
        const auto& names = chart_.y.categories;
        return head(index < names.size() ? names[index] : fmt::format("{}", index),
                    chart_.series[mark.series].name);
    }

    std::optional<Hover> missing_value() const {
        for (const PlacedText& text : layout_.texts)
            if (text.role == TextRole::Missing && text.box.contains(at_))
                return Hover{text.series,     text.item,         {},
                             bar_lines(text), text.box.center(), text.box.grown(2 * s_)};
        return {};
    }

    /// The full text of a shortened name.
    std::optional<Hover> shortened_text() const {
        for (const PlacedText& text : layout_.texts)
            if (text.shortened && text.box.contains(at_))
                return Hover{chart_.series.size(), 0, {}, {text.whole}, text.box.center(), text.box};
        for (const LegendEntry& entry : layout_.legend)
            if (entry.text != entry.name && entry.rect.contains(at_))
                return Hover{chart_.series.size(), 0, {}, {entry.name}, entry.rect.center(), entry.rect};
        return {};
    }

    float distance(Point p) const { return std::hypot(p.x - at_.x, p.y - at_.y); }

    std::optional<Hover> nearest_sample() const {
        float nearest = 4.5f * s_;
        const DotCloud* cloud = nullptr;
        const Dot* found = nullptr;
        for (const DotCloud& candidate : layout_.clouds)
            for (const Dot& dot : candidate.dots)
                if (const float d = distance(dot.at); d < nearest)
                    nearest = d, cloud = &candidate, found = &dot;
        if (!found) return {};
        Hover hover{cloud->series, found->item, found->sample, {}, found->at, {}};
        const std::vector<double>& samples = bar_of(hover).samples;
        const double value = samples[found->sample];
        hover.lines = {row_name(hover), fmt::format("sample {} of {}: {}", found->sample + 1, samples.size(),
                                                    format_value(value, x_unit(), 4))};
        if (!layout_.x.range().contains(value)) hover.lines.push_back("beyond the axis");
        return hover;
    }

    std::optional<Hover> nearest_point() const {
        float nearest = 14 * s_;
        std::optional<Hover> found;
        const auto see = [&](std::size_t series, std::size_t item, Point at) {
            if (const float d = distance(at); d < nearest)
                nearest = d, found = {series, item, {}, {}, at, {}};
        };
        for (const PointShape& point : layout_.points) see(point.series, 0, point.at);
        for (const LineShape& line : layout_.lines)
            for (const Dot& dot : line.marks) see(line.series, dot.item, dot.at);
        if (!found) return {};
        const SeriesData& data = chart_.series[found->series].data;
        if (const auto* line = std::get_if<Line>(&data)) {
            const auto& [x, y, band] = line->points[found->item];
            found->lines = point_lines(name(found->series), x, y, band);
        } else {
            const auto& [x, y, interval, label] = std::get<ScatterPoint>(data);
            found->lines = point_lines(head(name(found->series), label), x, y, interval);
        }
        return found;
    }

    std::vector<std::string> point_lines(const std::string& heading, double x, double y,
                                         const std::optional<Interval>& interval) const {
        std::vector<std::string> lines = {heading, labelled(chart_.x.label, exact(x, chart_.x), "x"),
                                          labelled(chart_.y.label, format_value(y, y_unit(), 4), "y")};
        if (interval) lines.push_back("interval " + format_interval(*interval, y_unit()));
        return lines;
    }

    static std::string labelled(const std::string& label, const std::string& value, const char* otherwise) {
        return (label.empty() ? std::string(otherwise) : label) + ": " + value;
    }

    /// Sizes and counts with all digits.
    static std::string exact(double value, const Axis& axis) {
        const bool countable = axis.whole || axis.kind == ScaleKind::Log2;
        if (!countable || value != std::floor(value) || std::abs(value) >= 1e15)
            return format_value(value, axis.unit, 4);
        return fmt::format("{:.0f}{}{}", value, axis.unit.empty() ? "" : " ", axis.unit);
    }

    /// The description of a bar or box, or why it is missing.
    std::vector<std::string> bar_lines(const auto& mark) const {
        const Bar& bar = bar_of(mark);
        const std::string& unit = x_unit();
        std::vector<std::string> lines = {row_name(mark)};
        if (bar.value)
            lines.push_back((bar.spread ? "median " : "") + format_value(*bar.value, unit, 4));
        else
            lines.push_back(bar.missing.empty() ? "not measured" : bar.missing);
        if (bar.interval) lines.push_back("interval " + format_interval(*bar.interval, unit));
        if (bar.spread) {
            const auto [low, quartile_low, quartile_high, high] = *bar.spread;
            lines.push_back("middle half " + format_interval({quartile_low, quartile_high}, unit));
            lines.push_back("5 to 95 % " + format_interval({low, high}, unit));
        }
        if (!bar.samples.empty()) lines.push_back(counted(bar.samples.size(), "sample"));
        for (const BarShape& ghost : layout_.bars)
            if (is_ghost(ghost.series) && !is_ghost(mark.series) &&
                chart_.series[ghost.series].color_slot == chart_.series[mark.series].color_slot &&
                bar_of(ghost).category == bar.category)
                lines.push_back(chart_.series[ghost.series].name + ": " +
                                format_value(*bar_of(ghost).value, unit, 4));
        return lines;
    }

    /// Short bars, and those without a value, get a larger hit area.
    std::optional<Hover> bar(bool ghost) const {
        const float least = 8 * s_;
        for (auto at = layout_.bars.rbegin(); at != layout_.bars.rend(); ++at) {
            const BarShape& shape = *at;
            if (is_ghost(shape.series) != ghost) continue;
            Rect area = shape.rect;
            if (area.width < least) area = {area.x - least / 2, area.y, area.width + least, area.height};
            if (area.contains(at_))
                return Hover{shape.series,     shape.item,          {},
                             bar_lines(shape), shape.rect.center(), visible(shape.rect)};
        }
        return {};
    }

    std::optional<Hover> box() const {
        for (const BoxShape& shape : layout_.boxes)
            if (shape.whole.contains(at_) && at_.x >= shape.whisker_low_px - 6 * s_ &&
                at_.x <= shape.whisker_high_px + 6 * s_)
                return Hover{shape.series,     shape.item,          {},
                             bar_lines(shape), shape.body.center(), visible(shape.body)};
        return {};
    }

    Rect visible(const Rect& rect) const {
        const auto inside = [&](float x, float y) {
            const Rect& plot = layout_.plot;
            return Point{std::clamp(x, plot.left(), plot.right()), std::clamp(y, plot.top(), plot.bottom())};
        };
        return rect_between(inside(rect.left(), rect.top()), inside(rect.right(), rect.bottom()));
    }

    std::optional<Hover> rule() const {
        for (const RuleShape& shape : layout_.rules) {
            const float dx = shape.to.x - shape.from.x;
            const float dy = shape.to.y - shape.from.y;
            const float along = (at_.x - shape.from.x) * dx + (at_.y - shape.from.y) * dy;
            const float length = dx * dx + dy * dy;
            const float share = length > 0 ? std::clamp(along / length, 0.0f, 1.0f) : 0;
            const Point foot = {shape.from.x + share * dx, shape.from.y + share * dy};
            if (distance(foot) > 5 * s_) continue;
            const Rule& source = std::get<Rule>(chart_.series[shape.series].data);
            Hover hover{shape.series, 0, {}, {head(name(shape.series), source.label)}, foot, {}};
            if (source.kind != Rule::Kind::Sloped)
                hover.lines.push_back(format_value(
                    source.value, source.kind == Rule::Kind::Horizontal ? y_unit() : x_unit(), 4));
            return hover;
        }
        return {};
    }

    /// "row 0 – 7": the range of indices that a cell represents.
    static std::string cells(const std::string& label, const char* otherwise, std::size_t index,
                             double a_cell) {
        const double first = static_cast<double>(index) * a_cell;
        const std::string what = label.empty() ? otherwise : label;
        if (a_cell <= 1) return fmt::format("{} {:.0f}", what, first);
        return fmt::format("{} {:.0f} – {:.0f}", what, first, std::ceil(first + a_cell) - 1);
    }

    std::optional<Hover> cell() const {
        const HeatShape& heat = *layout_.heat;
        if (!layout_.plot.contains(at_) || heat.cells.width <= 0 || heat.cells.height <= 0) return {};
        const auto& map = std::get<HeatMap>(chart_.series[heat.series].data);
        const auto index = [](double share, std::size_t count) {
            return static_cast<std::size_t>(
                std::clamp(share * static_cast<double>(count), 0.0, static_cast<double>(count) - 1));
        };
        const std::size_t column = index((at_.x - heat.cells.x) / heat.cells.width, map.columns);
        const std::size_t row = index((at_.y - heat.cells.y) / heat.cells.height, map.rows);
        const float value = map.values[row * map.columns + column];
        const float width = heat.cells.width / static_cast<float>(map.columns);
        const float height = heat.cells.height / static_cast<float>(map.rows);
        const Rect mark = {heat.cells.x + static_cast<float>(column) * width,
                           heat.cells.y + static_cast<float>(row) * height, width, height};
        std::vector<std::string> lines = {
            cells(chart_.y.label, "row", row, map.rows_a_cell) + ", " +
                cells(chart_.x.label, "column", column, map.columns_a_cell),
            labelled(map.value_label, std::isinf(value) ? map.infinity_meaning : format_number(value),
                     name(heat.series).c_str())};
        if (std::isfinite(value))
            lines.push_back(value <= 1 ? "within the error bound" : "beyond the error bound");
        return Hover{heat.series, row * map.columns + column, {}, lines, mark.center(), mark};
    }

    const Chart& chart_;
    const ChartLayout& layout_;
    Point at_;
    float s_;
};

}  // namespace

std::optional<Hover> find_mark(const Chart& chart, const ChartLayout& layout, Point at) {
    return Finder(chart, layout, at).find();
}

}  // namespace kwb::plot
