#include "plot/view.hpp"

#include <algorithm>
#include <cmath>

#include "plot/layout.hpp"

namespace kwb::plot {
namespace {

double even(ScaleKind kind, double value) {
    return is_log(kind) ? std::log2(value) : value;
}

/// The shown range as fractions of the whole range, in the transformed space (logarithms on a log scale).
struct Window {
    double low = 0;
    double high = 1;

    double span() const { return high - low; }
};

Window window_of(const Scale& scale, const Range& whole) {
    const double zero = even(scale.kind(), whole.low);
    const double span = even(scale.kind(), whole.high) - zero;
    return {(even(scale.kind(), scale.range().low) - zero) / span,
            (even(scale.kind(), scale.range().high) - zero) / span};
}

/// Converts back to values; nullopt if the window is the whole range or too small for doubles.
std::optional<Range> range_of(const Window& window, const Scale& scale, const Range& whole) {
    if (std::abs(window.low) < 1e-9 && std::abs(window.high - 1) < 1e-9) return {};
    const Range range = Scale(scale.kind(), whole, 0, 1).part(window.low, window.high);
    const bool usable =
        std::isfinite(range.span()) && range.low < range.high && (!is_log(scale.kind()) || range.low > 0);
    return usable ? std::optional(range) : std::nullopt;
}

/// Moves the window into its limits: a heat map's window stays inside the whole range, for others only its
/// centre does.
Window kept_inside(Window window, bool strictly) {
    double move = 0;
    if (strictly) {
        if (window.span() >= 1) return {0, 1};
        move = window.low < 0 ? -window.low : window.high > 1 ? 1 - window.high : 0;
    } else {
        const double middle = (window.low + window.high) / 2;
        move = std::clamp(middle, 0.0, 1.0) - middle;
    }
    return {window.low + move, window.high + move};
}

Window zoomed(const Window& window, double share, double factor, double least_span, bool strictly) {
    const double span = std::clamp(window.span() / factor, std::min(least_span, 1.0), strictly ? 1.0 : 4.0);
    const double fixed = window.low + share * window.span();
    const double low = fixed - share * span;
    return kept_inside({low, low + span}, strictly);
}

double share_at(const Scale& scale, float px) {
    return (static_cast<double>(px) - scale.at_low_px()) /
           (static_cast<double>(scale.at_high_px()) - scale.at_low_px());
}

}  // namespace

void ChartView::zoom(const ChartLayout& layout, Point at, double factor) {
    if (layout.empty || !(factor > 0) || !std::isfinite(factor) || !std::isfinite(at.x) ||
        !std::isfinite(at.y))
        return;
    const bool strictly = layout.heat.has_value();
    const auto change = [&](std::optional<Range>& range, const Scale& scale, const Range& whole, float px,
                            double least) {
        if (scale.kind() == ScaleKind::Categories) return;
        range = range_of(zoomed(window_of(scale, whole), share_at(scale, px), factor, least, strictly), scale,
                         whole);
    };
    change(x, layout.x, layout.whole_x, at.x, layout.least_span.low);
    change(y, layout.y, layout.whole_y, at.y, layout.least_span.high);
}

void ChartView::pan(const ChartLayout& layout, float dx_px, float dy_px) {
    if (layout.empty || !std::isfinite(dx_px) || !std::isfinite(dy_px)) return;
    const bool strictly = layout.heat.has_value();
    const auto change = [&](std::optional<Range>& range, const Scale& scale, const Range& whole, float px) {
        if (scale.kind() == ScaleKind::Categories) return;
        const Window window = window_of(scale, whole);
        const double move = -static_cast<double>(px) /
                            (static_cast<double>(scale.at_high_px()) - scale.at_low_px()) * window.span();
        range = range_of(kept_inside({window.low + move, window.high + move}, strictly), scale, whole);
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
