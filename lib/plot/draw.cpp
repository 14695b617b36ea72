// SPDX-License-Identifier: Apache-2.0
#include "plot/draw.hpp"

#include <algorithm>
#include <array>

#include "plot/svg_canvas.hpp"

namespace kwb::plot {
namespace {

/// Draws one chart once.
class Painter {
public:
    Painter(const Chart& chart, const ChartLayout& layout, const Theme& theme, Canvas& canvas,
            std::optional<std::size_t> lit)
        : chart_(chart),
          layout_(layout),
          theme_(theme),
          canvas_(canvas),
          lit_(lit),
          has_ghosts_(std::ranges::any_of(chart.series, &Series::ghost)),
          s_(layout.frame.scale) {}

    void paint() {
        if (!layout_.empty) {
            if (!layout_.heat) paint_grid();
            canvas_.push_clip(layout_.plot);
            if (layout_.heat) paint_cells();
            paint_bars();
            paint_boxes();
            for (const DotCloud& cloud : layout_.clouds) paint_cloud(cloud);
            paint_whiskers();
            for (const RuleShape& rule : layout_.rules) paint_rule(rule);
            for (const LineShape& line : layout_.lines) paint_band(line);
            // Lit ones last.
            for (const bool dimmed : {true, false})
                for (const LineShape& line : layout_.lines)
                    if (is_dimmed(chart_.series[line.series].color_slot) == dimmed) paint_line(line);
            canvas_.pop_clip();
            // Outside the clip, so that markers at the plot's edge are not cut.
            for (const LineShape& line : layout_.lines) paint_markers(line);
            paint_points();
            paint_base();
            if (layout_.heat) paint_color_bar();
            paint_legend();
        }
        for (const PlacedText& text : layout_.texts) {
            // Labels of rules may cross bars, and numbers the end of a ghost; a background plate keeps them
            // readable.
            if (names_a_rule(text) || (text.role == TextRole::Value && has_ghosts_))
                canvas_.fill_rect(text.box.grown(1.5f * s_), faded(theme_.panel, 0.82), 3 * s_);
            canvas_.text(text.at, text.text, text.style, color_of(text), text.place);
        }
    }

private:
    /// Whether another series than those of this colour is lit.
    bool is_dimmed(std::size_t slot) const { return lit_ && slot != *lit_ && slot != kNeutralSlot; }
    Color slot_color(std::size_t slot) const {
        const Color color = theme_.series_color(slot);
        return is_dimmed(slot) ? mixed(theme_.panel, color, 0.28) : color;
    }
    Color series_color(std::size_t series) const { return slot_color(chart_.series[series].color_slot); }
    bool is_ghost(std::size_t series) const { return chart_.series[series].ghost; }
    Marker marker(std::size_t series) const { return series_marker(chart_.series[series].color_slot); }

    bool names_a_rule(const PlacedText& text) const {
        return text.role == TextRole::Label && layout_.plot.contains(text.box.center()) &&
               std::holds_alternative<Rule>(chart_.series[text.series].data);
    }

    Color color_of(const PlacedText& text) const {
        switch (text.role) {
            case TextRole::Title:
            case TextRole::AxisTitle:
                return theme_.text;
            case TextRole::Value:
                return is_ghost(text.series) || is_dimmed(chart_.series[text.series].color_slot)
                           ? theme_.muted
                           : theme_.text;
            case TextRole::TickY:
                return layout_.has_rows() ? theme_.text : theme_.muted;
            case TextRole::Missing:
                return bar_at(chart_, text.series, text.item).pending ? theme_.muted : theme_.bad;
            case TextRole::Label:
                return mixed(theme_.muted, theme_.text, 0.5);
            default:
                return theme_.muted;
        }
    }

    void paint_grid() {
        const Rect& plot = layout_.plot;
        const Color minor = mixed(theme_.panel, theme_.grid, 0.55);
        for (const bool major : {false, true}) {
            const Stroke stroke = {major ? theme_.grid : minor, std::max(1.0f, s_)};
            for (const Tick& tick : layout_.x_ticks)
                if (tick.major == major)
                    canvas_.line({tick.at_px, plot.top()}, {tick.at_px, plot.bottom()}, stroke);
            if (!layout_.has_rows())
                for (const Tick& tick : layout_.y_ticks)
                    if (tick.major == major)
                        canvas_.line({plot.left(), tick.at_px}, {plot.right(), tick.at_px}, stroke);
        }
    }

    /// The zero line of bars, or the axis line of the plot.
    void paint_base() {
        const Rect& plot = layout_.plot;
        const Stroke stroke = {theme_.axis, 1.2f * s_};
        if (layout_.heat) return canvas_.stroke_rect(plot, {theme_.axis, std::max(1.0f, s_)});
        const auto zero_of = [](const Scale& scale) {
            return scale.kind() == ScaleKind::Linear && scale.range().contains(0) ? scale.to_px(0)
                                                                                  : scale.at_low_px();
        };
        if (layout_.has_rows()) {
            const float x = zero_of(layout_.x);
            canvas_.line({x, plot.top()}, {x, plot.bottom()}, stroke);
        } else {
            const float y = zero_of(layout_.y);
            canvas_.line({plot.left(), y}, {plot.right(), y}, stroke);
        }
    }

    void paint_cells() {
        const HeatShape& heat = *layout_.heat;
        const auto& map = std::get<HeatMap>(chart_.series[heat.series].data);
        const auto pixels = [&] {
            std::vector<Color> colors(map.values.size());
            std::ranges::transform(map.values, colors.begin(), [&](float v) { return heat.colors.at(v); });
            return colors;
        };
        canvas_.image({heat.key, static_cast<int>(map.columns), static_cast<int>(map.rows), pixels},
                      heat.cells);
    }

    void paint_color_bar() {
        const HeatShape& heat = *layout_.heat;
        for (const auto& [rect, color] : heat.special) canvas_.fill_rect(rect, color, 2 * s_);
        const Rect& bar = heat.color_bar;
        if (bar.width <= 0) return;
        // Enough steps to look continuous.
        constexpr int kSteps = 256;
        const auto pixels = [&] {
            std::vector<Color> colors;
            for (int step = kSteps - 1; step >= 0; --step) {
                const float y = bar.bottom() - bar.height * (static_cast<float>(step) + 0.5f) / kSteps;
                colors.push_back(heat.colors.at(heat.bar_scale.from_px(y)));
            }
            return colors;
        };
        canvas_.image({heat.key ^ 0xC0104BA4, 1, kSteps, pixels}, bar);
        canvas_.stroke_rect(bar, {theme_.axis, std::max(1.0f, s_)});
        for (const Tick& tick : heat.bar_ticks) {
            if (tick.label.empty()) continue;
            const bool bound = tick.value == 1;
            const Stroke stroke = {bound ? theme_.text : theme_.axis, (bound ? 2.0f : 1.0f) * s_};
            canvas_.line({bound ? bar.left() - 3 * s_ : bar.right(), tick.at_px},
                         {bar.right() + 3 * s_, tick.at_px}, stroke);
        }
    }

    void paint_bars() {
        for (const BarShape& bar : layout_.bars) {
            if (bar.rect.width <= 0 || bar.rect.height <= 0) continue;
            if (bar.is_dot) {
                // Leads the eye from the name to the dot. It crosses the plot, so it is not taken for a bar.
                const float y = bar.rect.center().y;
                canvas_.line({layout_.plot.left(), y}, {layout_.plot.right(), y},
                             {theme_.grid, std::max(1.0f, s_)});
                continue;
            }
            if (is_ghost(bar.series)) continue;
            // Paler, so that the samples drawn on the bar stand out.
            const Color color =
                bar.dots ? mixed(theme_.panel, series_color(bar.series), 0.82) : series_color(bar.series);
            canvas_.fill_rect(bar.rect, color,
                              std::min(3 * s_, std::min(bar.rect.width, bar.rect.height) / 2));
        }
    }

    /// A line with caps at both ends.
    /// @param across  position on the other axis; the line runs along y if `upright`, otherwise along x
    void paint_whisker(float low_px, float high_px, float across, float cap, const Stroke& stroke,
                       bool upright = false) {
        const auto at = [&](float along, float aside) {
            return upright ? Point{across + aside, along} : Point{along, across + aside};
        };
        for (const float end : {low_px, high_px}) canvas_.line(at(end, -cap), at(end, cap), stroke);
        canvas_.line(at(low_px, 0), at(high_px, 0), stroke);
    }

    void paint_whiskers() {
        for (const BarShape& bar : layout_.bars) {
            if (!bar.whisker_px) continue;
            const float across = bar.rect.center().y;
            const auto low = static_cast<float>(bar.whisker_px->low);
            const auto high = static_cast<float>(bar.whisker_px->high);
            const float cap = std::min(7 * s_, bar.rect.height * 0.28f);
            // With an outline in the background colour, so that it is visible on any colour.
            paint_whisker(low, high, across, cap, {faded(theme_.panel, 0.55), 3.4f * s_});
            const bool dimmed = is_dimmed(chart_.series[bar.series].color_slot);
            paint_whisker(low, high, across, cap, {dimmed ? theme_.axis : theme_.text, 1.6f * s_});
        }
        for (const BarShape& bar : layout_.bars)
            if (is_ghost(bar.series)) paint_ghost(bar);
        for (const BarShape& bar : layout_.bars)
            if (bar.is_dot && !is_ghost(bar.series))
                draw_marker(canvas_, Marker::Circle, bar.rect.center(), bar.rect.height / 2,
                            series_color(bar.series), theme_.panel);
    }

    /// An outline, with one in the background colour around it, so that it is visible on the bar, too.
    void paint_ghost(const BarShape& bar) {
        if (bar.rect.width <= 0 || bar.rect.height <= 0) return;
        for (const Stroke& stroke :
             {Stroke{faded(theme_.panel, 0.7), 3.6f * s_}, Stroke{series_color(bar.series), 1.5f * s_}}) {
            if (bar.is_dot)
                canvas_.stroke_circle(bar.rect.center(), bar.rect.height / 2, stroke);
            else
                canvas_.stroke_rect(bar.rect, stroke,
                                    std::min(3 * s_, std::min(bar.rect.width, bar.rect.height) / 2));
        }
    }

    void paint_boxes() {
        for (const BoxShape& box : layout_.boxes) {
            const Color color = series_color(box.series);
            const Rect& body = box.body;
            paint_whisker(box.whisker_low_px, box.whisker_high_px, body.center().y, body.height * 0.22f,
                          {color, 1.4f * s_});
            canvas_.fill_rect(body, mixed(theme_.panel, color, theme_.dark ? 0.5 : 0.4), 2 * s_);
            canvas_.stroke_rect(body, {color, 1.4f * s_}, 2 * s_);
            // The interval of the median is drawn as a darker section of the box.
            if (box.notch_px)
                canvas_.fill_rect(rect_between({static_cast<float>(box.notch_px->low), body.top()},
                                               {static_cast<float>(box.notch_px->high), body.bottom()}),
                                  color);
            canvas_.line({box.median_px, body.top()}, {box.median_px, body.bottom()},
                         {theme_.text, 2.2f * s_});
        }
    }

    void paint_cloud(const DotCloud& cloud) {
        const bool over_bars = !bar_at(chart_, cloud.series, cloud.dots.front().item).spread;
        const float many = cloud.dots.size() > 300 ? 0.8f : 1.0f;
        const bool dimmed = is_dimmed(chart_.series[cloud.series].color_slot);
        const Color color =
            over_bars ? faded(theme_.text, dimmed ? 0.15 : 0.5) : faded(series_color(cloud.series), 0.75);
        canvas_.dots(cloud.centers, 1.7f * s_ * many, color);
    }

    void paint_rule(const RuleShape& shape) {
        const Rule& rule = std::get<Rule>(chart_.series[shape.series].data);
        const std::array ends = {shape.from, shape.to};
        if (rule.emphasized) return canvas_.polyline(ends, {mixed(theme_.muted, theme_.text, 0.6), 2 * s_});
        const Stroke stroke = {theme_.muted, 1.2f * s_};
        const std::array pattern = {5 * s_, 4 * s_};
        dashed_polyline(canvas_, ends, stroke, pattern);
    }

    void paint_band(const LineShape& line) {
        if (line.band_upper.size() >= 2)
            canvas_.band(line.band_upper, line.band_lower,
                         faded(series_color(line.series), theme_.dark ? 0.24 : 0.18));
    }

    void paint_line(const LineShape& shape) {
        const Line& line = std::get<Line>(chart_.series[shape.series].data);
        const Stroke stroke = {series_color(shape.series), (is_ghost(shape.series) ? 1.3f : 2.0f) * s_};
        dashed_polyline(canvas_, shape.points, stroke,
                        dashes_px(line.dashed, chart_.series[shape.series].color_slot, stroke.width_px));
    }

    std::span<const float> dashes_px(bool dashed, std::size_t slot, float width_px) {
        const auto pattern = dashed ? plain_dashes() : series_dashes(slot);
        dash_px_.assign(pattern.begin(), pattern.end());
        for (float& length : dash_px_) length *= width_px;
        return dash_px_;
    }

    void paint_markers(const LineShape& shape) {
        if (!shape.markers) return;
        for (const Dot& dot : shape.marks)
            draw_marker(canvas_, marker(shape.series), dot.at, 3.6f * s_, series_color(shape.series),
                        theme_.panel);
    }

    void paint_points() {
        const Rect room = layout_.plot.grown(0.5f);
        const float radius = (layout_.points.size() > 400 ? 2.4f : 4.6f) * s_;
        for (const PointShape& point : layout_.points) {
            if (!room.contains(point.at)) continue;
            const Color color = series_color(point.series);
            if (point.whisker_px) {
                const auto edge = [&](double y) {
                    return std::clamp(static_cast<float>(y), room.top(), room.bottom());
                };
                paint_whisker(edge(point.whisker_px->low), edge(point.whisker_px->high), point.at.x, 4 * s_,
                              {color, 1.4f * s_}, true);
            }
            draw_marker(canvas_, is_ghost(point.series) ? Marker::Ring : marker(point.series), point.at,
                        radius, color, theme_.panel);
        }
    }

    void paint_legend() {
        for (const LegendEntry& entry : layout_.legend) {
            const double strength = entry.hidden ? 0.35 : 1;
            const Color color = mixed(theme_.panel, slot_color(entry.color_slot), strength);
            const float y = entry.rect.center().y;
            const float x = entry.rect.x + 3 * s_;
            const TextStyle style = {12 * s_, false};
            // Leads from the line to its name, unless it would cross much of the plot.
            if (entry.line_end && entry.rect.x - entry.line_end->x < 0.2f * layout_.plot.width)
                canvas_.line(*entry.line_end, {x + 5 * s_, y}, {faded(color, 0.5), std::max(1.0f, s_)});
            if (entry.swatch == Swatch::Box && entry.ghost) {
                canvas_.stroke_rect({x, y - 5 * s_, 10 * s_, 10 * s_}, {color, 1.4f * s_}, 2 * s_);
            } else if (entry.swatch == Swatch::Box) {
                canvas_.fill_rect({x, y - 5 * s_, 10 * s_, 10 * s_}, color, 2 * s_);
            } else {
                if (entry.swatch == Swatch::Line) {
                    const std::array ends = {Point{x - 2 * s_, y}, Point{x + 12 * s_, y}};
                    dashed_polyline(canvas_, ends, {color, (entry.ghost ? 1.3f : 2.0f) * s_},
                                    dashes_px(entry.dashed, entry.color_slot, 1.4f * s_));
                }
                if (!entry.ghost)
                    draw_marker(canvas_, series_marker(entry.color_slot), {x + 5 * s_, y}, 3.6f * s_, color,
                                theme_.panel);
            }
            const Point at = {entry.rect.x + 18 * s_, y};
            canvas_.text(at, entry.text, style,
                         entry.hidden || is_dimmed(entry.color_slot) ? theme_.muted : theme_.text,
                         {AlignX::Left, AlignY::Middle, false});
            if (entry.hidden) canvas_.line({at.x, y}, {entry.rect.right() - 6 * s_, y}, {theme_.muted, s_});
        }
    }

    const Chart& chart_;
    const ChartLayout& layout_;
    const Theme& theme_;
    Canvas& canvas_;
    std::optional<std::size_t> lit_;
    bool has_ghosts_;
    float s_;
    std::vector<float> dash_px_;
};

}  // namespace

void draw(const Chart& chart, const ChartLayout& layout, const Theme& theme, Canvas& canvas,
          std::optional<std::size_t> lit) {
    Painter(chart, layout, theme, canvas, lit).paint();
}

void draw_highlight(const Hover& hover, const ChartLayout& layout, const Theme& theme, Canvas& canvas) {
    const float s = layout.frame.scale;
    canvas.push_clip(layout.plot.grown(6 * s));
    if (hover.mark.width > 0 && hover.mark.height > 0) {
        canvas.stroke_rect(hover.mark, {theme.accent, 2 * s},
                           std::min(2 * s, std::min(hover.mark.width, hover.mark.height) / 2));
    } else {
        canvas.stroke_circle(hover.at, 6.5f * s, {theme.panel, 4 * s});
        canvas.stroke_circle(hover.at, 6.5f * s, {theme.accent, 2 * s});
    }
    canvas.pop_clip();
}

std::string render_svg(const Chart& chart, const SvgOptions& options) {
    SvgCanvas canvas(options.size, chart.title);
    const Theme& theme = options.dark ? dark_theme() : light_theme();
    const Rect all = {0, 0, options.size.width, options.size.height};
    canvas.fill_rect(all, theme.panel);
    draw(chart, lay_out(chart, options.view, {all}, canvas), theme, canvas);
    return canvas.finish();
}

}  // namespace kwb::plot
