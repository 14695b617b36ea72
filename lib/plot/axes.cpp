// Where the axes, their numbers and their names lie.
#include <algorithm>
#include <cmath>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {
namespace {

constexpr float kTickGapPx =
    7.5f;  ///< between plot and numbers; more than half a line: the corner's two do not meet

bool is_slots(const AxisPlan& plan) {
    return plan.kind == ScaleKind::Categories;
}

/// @param horizontal  an x axis
Scale make_scale(const AxisPlan& plan, const Rect& plot, bool horizontal) {
    if (horizontal) return {plan.kind, plan.shown, plot.left(), plot.right()};
    if (plan.downwards) return {plan.kind, plan.shown, plot.top(), plot.bottom()};
    return {plan.kind, plan.shown, plot.bottom(), plot.top()};
}

/// How names of categories lie below an x axis.
struct NamesBelow {
    bool upright = false;
    float most_px = 0;    ///< length of a name
    float height_px = 0;  ///< of the whole line
};

NamesBelow fit_names_below(const Work& work, const AxisPlan& plan, float plot_px, float room_px) {
    const Sizes& sizes = work.sizes;
    const float line_px = sizes.line_px(sizes.tick);
    const float slot_px = plot_px / static_cast<float>(std::max<std::size_t>(1, plan.categories.size()));
    float longest = 0;
    for (const std::string& name : plan.categories) longest = std::max(longest, work.width(name, sizes.tick));
    const float flat_px = slot_px - 8 * sizes.scale;
    const float upright_px = std::min(longest + 1, room_px * 0.36f);
    // Turned names are hard to read: only where much more of them is seen.
    const bool flat = longest <= flat_px || (flat_px >= 34 * sizes.scale && upright_px < flat_px * 1.6f) ||
                      flat_px >= 72 * sizes.scale;
    if (flat) return {false, flat_px, line_px};
    return {true, upright_px, upright_px};
}

struct Margins {
    float left = 0;
    float right = 0;
    float bottom = 0;
    float top = 0;
};

void place_x_names(Work& work, const NamesBelow& names) {
    const Sizes& sizes = work.sizes;
    const float top = work.out.plot.bottom() + kTickGapPx * sizes.scale;
    const float line_px = sizes.line_px(sizes.tick);
    float free_from = -1e9f;
    for (Tick& tick : work.out.x_ticks) {
        const float half = names.upright ? line_px / 2 : 0;
        if (names.upright && tick.at_px - half < free_from) {
            tick.label.clear();
            continue;
        }
        const TextPlace how = names.upright ? TextPlace{AlignX::Right, AlignY::Middle, true}
                                            : TextPlace{AlignX::Center, AlignY::Top, false};
        const auto box =
            work.place(TextRole::TickX, tick.label, {tick.at_px, top}, sizes.tick, how, names.most_px);
        if (!box)
            tick.label.clear();
        else
            free_from = box->right();
    }
}

void place_x_numbers(Work& work) {
    const Sizes& sizes = work.sizes;
    const float top = work.out.plot.bottom() + kTickGapPx * sizes.scale;
    for (const Tick& tick : work.out.x_ticks)
        if (!tick.label.empty())
            work.place(TextRole::TickX, tick.label, {tick.at_px, top}, sizes.tick,
                       {AlignX::Center, AlignY::Top, false}, 1e9f);
}

void place_y_labels(Work& work, float most_px) {
    const Sizes& sizes = work.sizes;
    const float right = work.out.plot.left() - kTickGapPx * sizes.scale;
    for (Tick& tick : work.out.y_ticks) {
        if (tick.label.empty()) continue;
        const TextStyle& style = is_slots(work.plans.y) ? sizes.row : sizes.tick;
        const auto box = work.place(TextRole::TickY, tick.label, {right, tick.at_px}, style,
                                    {AlignX::Right, AlignY::Middle, false}, most_px);
        if (!box) tick.label.clear();
    }
}

/// The whole title, or where that has no room the unit alone: numbers without a unit say little.
/// A little smaller first.
std::string_view fitting_title(const Work& work, const AxisPlan& plan, float most_px, TextStyle& style) {
    constexpr float kLeast = 0.84f;
    const float width = work.width(plan.title, style);
    if (width > most_px) style.size_px *= std::max(kLeast, most_px / width * 0.99f);
    if (work.width(plan.title, style) <= most_px || plan.unit.unit.empty()) return plan.title;
    const std::size_t bracket = plan.title.rfind('[');
    return std::string_view(plan.title).substr(bracket == std::string::npos ? 0 : bracket);
}

void place_axis_titles(Work& work, const Rect& room, bool x_title, bool y_title) {
    const Sizes& sizes = work.sizes;
    const Rect& plot = work.out.plot;
    if (x_title) {
        const float most_px = 2 * std::min(plot.center().x - room.left(), room.right() - plot.center().x);
        TextStyle style = sizes.axis_title;
        const std::string_view title = fitting_title(work, work.plans.x, most_px, style);
        work.place(TextRole::AxisTitle, title, {plot.center().x, room.bottom()}, style,
                   {AlignX::Center, AlignY::Bottom, false}, most_px);
    }
    if (y_title) {
        const float most_px = 2 * std::min(plot.center().y - room.top(), room.bottom() - plot.center().y);
        TextStyle style = sizes.axis_title;
        const std::string_view title = fitting_title(work, work.plans.y, most_px, style);
        work.place(TextRole::AxisTitle, title, {room.left(), plot.center().y}, style,
                   {AlignX::Center, AlignY::Top, true}, most_px);
    }
}

/// Low rows have small words: rather than every second name none is left out, down to a size that a person
/// can still read.
TextStyle style_of_rows(const Sizes& sizes, const AxisPlan& plan, float plot_px) {
    constexpr float kLeast = 0.72f;
    TextStyle style = sizes.tick;
    const float slot_px = plot_px / static_cast<float>(std::max<std::size_t>(1, plan.categories.size()));
    style.size_px *= std::clamp(0.99f * slot_px / sizes.line_px(style), kLeast, 1.0f);
    return style;
}

/// A map keeps its shape, unless that would be a thread.
Rect shaped(const Rect& plot, const AxisPlan& x, const AxisPlan& y) {
    const double aspect = std::clamp(x.whole.span() / y.whole.span(), 0.4, 2.5);
    Rect result = plot;
    result.width = std::min(plot.width, static_cast<float>(plot.height * aspect));
    result.height = std::min(plot.height, static_cast<float>(result.width / aspect));
    return result;
}

/// Room for the numbers at the ends of bars.
void add_headroom(Work& work) {
    bool bars = false;
    for (const Series& series : work.chart.series)
        bars |= std::holds_alternative<Bars>(series.data) || std::holds_alternative<StackedBars>(series.data);
    AxisPlan& plan = work.plans.lying ? work.plans.x : work.plans.y;
    const Axis& axis = work.plans.lying ? work.chart.x : work.chart.y;
    if (!bars || axis.high || plan.kind == ScaleKind::Categories) return;
    const float length_px = work.plans.lying ? work.out.plot.width : work.out.plot.height;
    const float room_px = work.plans.lying ? 36 * work.sizes.scale : work.sizes.line_px(work.sizes.label);
    if (length_px < 2 * room_px) return;
    const bool zoomed = !(plan.shown == plan.whole);
    const Range higher =
        Scale(plan.kind, plan.whole, 0, 1).part(0, 1 + static_cast<double>(room_px / (length_px - room_px)));
    if (std::isfinite(higher.high)) plan.whole.high = higher.high;
    if (!zoomed) plan.shown = plan.whole;
}

}  // namespace

void place_axes(Work& work, Rect room) {
    const Sizes& sizes = work.sizes;
    const float s = sizes.scale;
    Plans& plans = work.plans;
    const float tick_line_px = sizes.line_px(sizes.tick);
    const float title_line_px = sizes.line_px(sizes.axis_title);
    const bool x_title = !plans.x.title.empty() && room.height > 66 * s;
    const bool y_title = !plans.y.title.empty() && room.width > 130 * s && room.height > 60 * s;

    HeatShape heat;
    BarNeeds needs;
    if (plans.heat) {
        heat = plan_heat(*plans.heat, plans.heat_series);
        const float used = place_specials(work, room, heat);
        room = {room.x, room.y + used, room.width, std::max(0.0f, room.height - used)};
        if (room.width > 150 * s) {
            const Scale probe(heat.colors.scale, heat.colors.range, std::max(20.0f, room.height - 40 * s), 0);
            needs.gap_px = 18 * s;
            needs.bar_px = 12 * s;
            needs.labels_px = widest(work, bar_ticks(work, heat.colors, probe), sizes.tick);
            const bool titled = !plans.heat->value_label.empty() || !plans.heat->value_unit.empty();
            if (titled && room.width > 210 * s) needs.title_px = title_line_px + 4 * s;
        }
    }

    // Numbers at the left need the plot's height, names below need its width: twice round suffices.
    Margins margins;
    margins.bottom = tick_line_px + kTickGapPx * s + (x_title ? title_line_px + 4 * s : 0);
    margins.left = 40 * s;
    margins.top = tick_line_px / 2;
    NamesBelow names;
    Rect& plot = work.out.plot;
    const float most_y_px = room.width * 0.4f;
    for (int round = 0; round < 3; ++round) {
        margins.right = std::max(margins.right, needs.sum());
        plot = {room.x + margins.left, room.y + margins.top,
                std::max(8.0f, room.width - margins.left - margins.right),
                std::max(8.0f, room.height - margins.top - margins.bottom)};
        if (plans.heat) plot = shaped(plot, plans.x, plans.y);
        work.out.x = make_scale(plans.x, plot, true);
        work.out.y = make_scale(plans.y, plot, false);
        work.out.x_ticks = is_slots(plans.x) ? slot_ticks(plans.x, work.out.x)
                                             : number_ticks(work, plans.x, work.out.x, true);
        work.out.y_ticks = is_slots(plans.y) ? slot_ticks(plans.y, work.out.y)
                                             : number_ticks(work, plans.y, work.out.y, false);
        const TextStyle& y_style = is_slots(plans.y) ? work.sizes.row : work.sizes.tick;
        if (is_slots(plans.y)) {
            work.sizes.row = style_of_rows(work.sizes, plans.y, plot.height);
            keep_apart(work, work.out.y_ticks, y_style, false, 0);
        }
        if (round == 2) break;

        if (round == 0) add_headroom(work);
        const float labels_px = std::min(widest(work, work.out.y_ticks, y_style) + 1, most_y_px);
        margins.left = labels_px + kTickGapPx * s + (y_title ? title_line_px + 5 * s : 0);
        if (is_slots(plans.x)) {
            names = fit_names_below(work, plans.x, plot.width, room.height);
            margins.bottom = names.height_px + kTickGapPx * s + (x_title ? title_line_px + 4 * s : 0);
        } else {
            // The last number may reach beyond the plot, but not beyond the picture.
            for (const Tick& tick : work.out.x_ticks)
                margins.right =
                    std::max(margins.right, cover_of(work, tick, sizes.tick, true).high_px - plot.right());
            if (!work.out.x_ticks.empty() && !work.out.x_ticks.front().label.empty())
                margins.left =
                    std::max(margins.left,
                             plot.left() - cover_of(work, work.out.x_ticks.front(), sizes.tick, true).low_px);
        }
    }
    if (is_slots(plans.x))
        names.most_px =
            names.upright
                ? names.most_px
                : plot.width / static_cast<float>(std::max<std::size_t>(1, plans.x.categories.size())) -
                      8 * s;

    // Labels that would leave the picture, as in tiny frames, are left out.
    const Rect frame = work.out.frame.rect;
    for (Tick& tick : work.out.x_ticks) {
        if (is_slots(plans.x)) break;
        const Cover cover = cover_of(work, tick, sizes.tick, true);
        if (cover.low_px < frame.left() || cover.high_px > frame.right()) tick.label.clear();
    }
    if (is_slots(plans.x))
        place_x_names(work, names);
    else
        place_x_numbers(work);
    place_y_labels(work, most_y_px);
    Rect titles = room;
    if (plans.heat) titles.height = std::min(room.height, plot.bottom() + margins.bottom - room.y);
    place_axis_titles(work, titles, x_title, y_title);

    work.out.whole_x = plans.x.whole;
    work.out.whole_y = plans.y.whole;
    work.out.least_span = {1e-6, 1e-6};
    if (!plans.heat) return;
    work.out.least_span = {2.0 / static_cast<double>(plans.heat->columns),
                           2.0 / static_cast<double>(plans.heat->rows)};
    if (needs.bar_px > 0) place_color_bar(work, needs, heat);
    work.out.heat = std::move(heat);
}

}  // namespace kwb::plot::parts
