// SPDX-License-Identifier: Apache-2.0
#include "plot/layout.hpp"

#include <algorithm>
#include <cmath>

namespace kwb::plot {
namespace {

/// The shown range as fractions of the whole range, in the transformed space (logarithms on a log scale).
Range window_of(const Scale& scale, const Range& whole) {
    const Scale fractions(scale.kind(), whole, 0, 1);
    return {fractions.to_exact_px(scale.range().low), fractions.to_exact_px(scale.range().high)};
}

/// Converts back to values; nullopt if the window is the whole range or too small for doubles.
std::optional<Range> range_of(const Range& window, const Scale& scale, const Range& whole) {
    if (std::abs(window.low) < 1e-9 && std::abs(window.high - 1) < 1e-9) return {};
    const Range range = Scale(scale.kind(), whole, 0, 1).part(window.low, window.high);
    const bool usable =
        std::isfinite(range.span()) && range.low < range.high && (!is_log(scale.kind()) || range.low > 0);
    return usable ? std::optional(range) : std::nullopt;
}

/// Moves the window into its limits: a heat map's window stays inside the whole range, for others only its
/// centre does.
Range kept_inside(const Range& window, bool strictly) {
    if (strictly && window.span() >= 1) return {0, 1};
    const double least = strictly ? window.span() / 2 : 0;
    const double middle = (window.low + window.high) / 2;
    const double move = std::clamp(middle, least, 1 - least) - middle;
    return {window.low + move, window.high + move};
}

/// Where 0 is in the whole range, as a fraction.
double zero_of(const Range& whole) {
    return -whole.low / whole.span();
}

/// Scales the window from zero, which keeps its place.
Range zoomed_from(double zero, const Range& window, double factor, double least_span) {
    const double span = std::clamp(window.span() / factor, std::min(least_span, 1.0), 4.0);
    const double low = zero + (window.low - zero) * span / window.span();
    return {low, low + span};
}

/// Moves the window within the whole range, zero included.
Range moved_around(double zero, const Range& window, double move) {
    const double least = std::max(-window.low, zero - window.high);
    const double most = std::min(1 - window.high, zero - window.low);
    if (least > most) return window;  // zoomed out: it shows more than the whole range
    move = std::clamp(move, least, most);
    return {window.low + move, window.high + move};
}

Range zoomed(const Range& window, double share, double factor, double least_span, bool strictly) {
    const double span = std::clamp(window.span() / factor, std::min(least_span, 1.0), strictly ? 1.0 : 4.0);
    const double low = window.low + share * (window.span() - span);
    return kept_inside({low, low + span}, strictly);
}

/// Pixels from the low to the high end; negative where the axis runs to the left or upwards.
double signed_length(const Scale& scale) {
    return static_cast<double>(scale.at_high_px()) - scale.at_low_px();
}

}  // namespace

void ChartView::zoom(const ChartLayout& layout, Point at, double factor) {
    if (layout.empty || !(factor > 0) || !std::isfinite(factor) || !std::isfinite(at.x) ||
        !std::isfinite(at.y))
        return;
    const auto change = [&](std::optional<Range>& range, const Scale& scale, const Range& whole, double px,
                            double least) {
        if (scale.kind() == ScaleKind::Categories) return;
        const double share = (px - scale.at_low_px()) / signed_length(scale);
        const Range window = window_of(scale, whole);
        const bool from_zero = layout.keeps_zero && &scale == &layout.x;
        range = range_of(from_zero ? zoomed_from(zero_of(whole), window, factor, least)
                                   : zoomed(window, share, factor, least, layout.heat.has_value()),
                         scale, whole);
    };
    change(x, layout.x, layout.whole_x, at.x, layout.least_span.low);
    change(y, layout.y, layout.whole_y, at.y, layout.least_span.high);
}

void ChartView::pan(const ChartLayout& layout, float dx_px, float dy_px) {
    if (layout.empty || !std::isfinite(dx_px) || !std::isfinite(dy_px)) return;
    const auto change = [&](std::optional<Range>& range, const Scale& scale, const Range& whole, double px) {
        if (scale.kind() == ScaleKind::Categories) return;
        const Range window = window_of(scale, whole);
        const double move = -px / signed_length(scale) * window.span();
        const bool keeps_zero = layout.keeps_zero && &scale == &layout.x;
        range = range_of(keeps_zero
                             ? moved_around(zero_of(whole), window, move)
                             : kept_inside({window.low + move, window.high + move}, layout.heat.has_value()),
                         scale, whole);
    };
    change(x, layout.x, layout.whole_x, dx_px);
    change(y, layout.y, layout.whole_y, dy_px);
}

void ChartView::fit() {
    x.reset();
    y.reset();
}

void ChartView::toggle(std::string_view series) {
    const auto found = hidden.find(series);
    if (found == hidden.end())
        hidden.emplace(series);
    else
        hidden.erase(found);
}

}  // namespace kwb::plot
