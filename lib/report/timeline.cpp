// SPDX-License-Identifier: Apache-2.0
#include "report/timeline.hpp"

#include <algorithm>
#include <limits>

#include "plot/svg_canvas.hpp"
#include "report/numbers.hpp"

namespace kwb {
namespace {

constexpr float kTimelineLabelPx = 150, kTimelineRowPx = 22, kLeastTimelinePx = 100;
constexpr plot::TextStyle kTimelineText{};

plot::Color timeline_color(const plot::Theme& theme, std::size_t slot) {
    return theme.series_color(std::min(slot, plot::kSeriesColors - 1));
}

}  // namespace

Timeline::Timeline(const std::vector<TimelineRow>& rows, const std::vector<std::string>& names,
                   float width_px)
    : width_px_(std::max(width_px - kTimelineLabelPx, kLeastTimelinePx)),
      begin_ms_(std::numeric_limits<double>::max()),
      end_ms_(std::numeric_limits<double>::lowest()) {
    for (const std::string& name : names) slot_of(name);
    for (const TimelineRow& row : rows)
        for (const TimelineSpan& span : row.spans) {
            begin_ms_ = std::min(begin_ms_, span.begin_ms);
            end_ms_ = std::max(end_ms_, span.end_ms);
        }
    for (const TimelineRow& row : rows) {
        labels_.push_back(row.label);
        pixels_.push_back(pixels_of(row));
    }
}

plot::Size Timeline::size() const {
    return {kTimelineLabelPx + width_px_, kTimelineRowPx * static_cast<float>(labels_.size() + 2) + 8};
}

void Timeline::draw(plot::Canvas& canvas, const plot::Theme& theme) const {
    float y = 4;
    for (std::size_t row = 0; row < labels_.size(); ++row, y += kTimelineRowPx)
        draw_row(canvas, theme, row, y);
    canvas.text({kTimelineLabelPx, y + 4}, "0", kTimelineText, theme.muted, {});
    canvas.text({kTimelineLabelPx + width_px_, y + 4}, format_time_ms(end_ms_ - begin_ms_), kTimelineText,
                theme.muted, {plot::AlignX::Right, plot::AlignY::Top, false});
    y += kTimelineRowPx;
    float x = kTimelineLabelPx;
    for (std::size_t slot = 0; slot < std::min(names_.size(), plot::kSeriesColors); ++slot) {
        const bool is_rest = slot + 1 == plot::kSeriesColors && names_.size() > plot::kSeriesColors;
        const std::string name = is_rest ? "others" : shortened(canvas, names_[slot], kTimelineText, 150);
        const float width = canvas.text_width(name, kTimelineText);
        if (x + 16 + width > kTimelineLabelPx + width_px_) break;
        canvas.fill_rect({x, y + 4, 12, 12}, timeline_color(theme, slot));
        canvas.text({x + 16, y + 2}, name, kTimelineText, theme.text, {});
        x += 28 + width;
    }
}

std::string Timeline::svg(bool is_dark) const {
    plot::SvgCanvas canvas(size(), "Timeline");
    draw(canvas, is_dark ? plot::dark_theme() : plot::light_theme());
    return canvas.finish();
}

void Timeline::draw_row(plot::Canvas& canvas, const plot::Theme& theme, std::size_t row, float y) const {
    canvas.text({0, y + kTimelineRowPx / 2},
                shortened(canvas, labels_[row], kTimelineText, kTimelineLabelPx - 8, plot::Keep::BothEnds),
                kTimelineText, theme.text, {plot::AlignX::Left, plot::AlignY::Middle, false});
    canvas.fill_rect({kTimelineLabelPx, y + 2, width_px_, kTimelineRowPx - 4}, theme.grid);
    const std::vector<Pixel>& pixels = pixels_[row];
    const auto is_same = [](const Pixel& a, const Pixel& b) {
        return (a.second > 0) == (b.second > 0) && (a.second <= 0 || a.first == b.first);
    };
    for (std::size_t from = 0, to = 0; from < pixels.size(); from = to) {
        while (to < pixels.size() && is_same(pixels[to], pixels[from])) ++to;
        if (pixels[from].second > 0)
            canvas.fill_rect({kTimelineLabelPx + static_cast<float>(from), y + 2,
                              static_cast<float>(to - from), kTimelineRowPx - 4},
                             timeline_color(theme, pixels[from].first));
    }
}

std::size_t Timeline::slot_of(const std::string& name) {
    const auto [known, is_new] = slots_.emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return known->second;
}

std::vector<Timeline::Pixel> Timeline::pixels_of(const TimelineRow& row) {
    std::vector<Pixel> pixels(static_cast<std::size_t>(width_px_));
    const double scale = is_empty() ? 0 : width_px_ / (end_ms_ - begin_ms_);
    for (const TimelineSpan& span : row.spans) {
        const double from = (span.begin_ms - begin_ms_) * scale;
        const double to = std::max((span.end_ms - begin_ms_) * scale, from + 1e-3);
        const std::size_t slot = slot_of(span.name);
        const std::size_t last = std::min(static_cast<std::size_t>(to), pixels.size() - 1);
        for (auto pixel = std::min(static_cast<std::size_t>(from), last); pixel <= last; ++pixel) {
            const auto left = static_cast<double>(pixel);
            const double part = std::min(to, left + 1) - std::max(from, left);
            if (part > pixels[pixel].second) pixels[pixel] = {slot, part};
        }
    }
    return pixels;
}

}  // namespace kwb
