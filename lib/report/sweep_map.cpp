// SPDX-License-Identifier: Apache-2.0
#include "report/sweep_map.hpp"

#include <algorithm>
#include <numeric>

#include "model/problem.hpp"
#include "plot/svg_canvas.hpp"
#include "report/numbers.hpp"

namespace kwb {
namespace {

constexpr float kMapRowPx = 26, kMapGapPx = 10;
constexpr plot::TextStyle kMapText{}, kMapBest{.bold = true};

std::string map_text(const KernelResult& result) {
    if (!is_timed(result)) return missing_text(result);
    return result.gflops ? format_digits(*result.gflops) : format_time_ms(*result.median_ms);
}

/// The columns in ascending order of their sizes: indices of ChartedSweep::results.
std::vector<std::size_t> map_columns(const ChartedSweep& sweep) {
    std::vector<std::size_t> columns(std::min(sweep.sizes.size(), sweep.results.size()));
    std::iota(columns.begin(), columns.end(), 0);
    const auto elements = [&](std::size_t i) {
        double product = 1;
        for (const auto& extent : sweep.sizes[i]) product *= static_cast<double>(extent.value);
        return product;
    };
    std::ranges::stable_sort(columns, {}, elements);
    return columns;
}

float label_width(const plot::Canvas& canvas, const ChartedSweep& sweep) {
    float width = 0;
    for (const std::string& label : sweep.labels) width = std::max(width, canvas.text_width(label, kMapText));
    return width + kMapGapPx;
}

float least_cell_width(const plot::Canvas& canvas, const ChartedSweep& sweep) {
    float width = 0;
    for (const Sizes& size : sweep.sizes)
        width = std::max(width, canvas.text_width(to_string(size), kMapText));
    for (const auto& results : sweep.results)
        for (const KernelResult& result : results)
            width = std::max(width, canvas.text_width(map_text(result), kMapBest));
    return width + kMapGapPx;
}

}  // namespace

plot::Size sweep_map_least(const plot::Canvas& canvas, const ChartedSweep& sweep) {
    return {label_width(canvas, sweep) +
                least_cell_width(canvas, sweep) * static_cast<float>(map_columns(sweep).size()),
            kMapRowPx * static_cast<float>(sweep.labels.size() + 1)};
}

void draw_sweep_map(plot::Canvas& canvas, const plot::Rect& area, const ChartedSweep& sweep,
                    const plot::Theme& theme) {
    const std::vector<std::size_t> columns = map_columns(sweep);
    if (columns.empty() || sweep.labels.empty()) return;
    constexpr plot::TextPlace kCentred{plot::AlignX::Center, plot::AlignY::Middle};
    const float left = area.x + label_width(canvas, sweep);
    const float width = (area.right() - left) / static_cast<float>(columns.size());
    const float height = std::min(area.height / static_cast<float>(sweep.labels.size() + 1), 2 * kMapRowPx);
    const auto middle = [&](std::size_t row) { return area.y + (static_cast<float>(row) + 0.5f) * height; };
    bool has_rates = false;
    for (const auto& results : sweep.results)
        for (const KernelResult& result : results) has_rates = has_rates || result.gflops.has_value();
    canvas.text({area.x, middle(0)}, has_rates ? "GFLOP/s" : "time", kMapText, theme.muted,
                {plot::AlignX::Left, plot::AlignY::Middle});
    for (std::size_t row = 0; row < sweep.labels.size(); ++row)
        canvas.text({area.x, middle(row + 1)}, sweep.labels[row], kMapText, theme.text,
                    {plot::AlignX::Left, plot::AlignY::Middle});
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::vector<KernelResult>& results = sweep.results[columns[c]];
        const float x = left + static_cast<float>(c) * width;
        canvas.text({x + width / 2, middle(0)}, to_string(sweep.sizes[columns[c]]), kMapText, theme.muted,
                    kCentred);
        double best_ms = 0;
        for (const KernelResult& result : results)
            if (is_timed(result) && (best_ms == 0 || *result.median_ms < best_ms))
                best_ms = *result.median_ms;
        for (std::size_t row = 0; row < std::min(results.size(), sweep.labels.size()); ++row) {
            const KernelResult& result = results[row];
            const plot::Rect cell{x + 1, middle(row + 1) - height / 2 + 1, width - 2, height - 2};
            const bool is_best = is_timed(result) && *result.median_ms == best_ms;
            const double share = is_timed(result) ? best_ms / *result.median_ms : 0;
            // At most half of the colour, so that text stays legible on it.
            canvas.fill_rect(cell, mixed(theme.grid, theme.series_color(0), share / 2));
            if (is_best) canvas.stroke_rect(cell, {theme.text, 1.5f});
            canvas.text(cell.center(), map_text(result), is_best ? kMapBest : kMapText,
                        is_timed(result) ? theme.text : theme.muted, kCentred);
        }
    }
}

std::string sweep_map_svg(const ChartedSweep& sweep, const plot::Theme& theme) {
    const plot::SvgCanvas ruler({1, 1});
    const plot::Size size = sweep_map_least(ruler, sweep);
    plot::SvgCanvas canvas(size, "Map of the sweep");
    draw_sweep_map(canvas, {0, 0, size.width, size.height}, sweep, theme);
    return canvas.finish();
}

}  // namespace kwb
