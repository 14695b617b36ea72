// SPDX-License-Identifier: Apache-2.0
#include "report/timeline.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "plot/palette.hpp"
#include "plot/svg_canvas.hpp"
#include "report/numbers.hpp"

namespace kwb {
namespace {

constexpr float kTimelineLabelPx = 150, kTimelinePx = 850, kTimelineRowPx = 22;

/// Which name took most of a pixel, and for how long.
using TimelinePixel = std::pair<std::size_t, double>;

class Timeline {
public:
    Timeline(const std::vector<TimelineRow>& rows, std::vector<std::string> names) : rows_(rows) {
        for (const std::string& name : names) slot_of(name);
        for (const TimelineRow& row : rows)
            for (const TimelineSpan& span : row.spans) {
                begin_ms_ = std::min(begin_ms_, span.begin_ms);
                end_ms_ = std::max(end_ms_, span.end_ms);
            }
        for (const TimelineRow& row : rows) pixels_.push_back(pixels_of(row));
    }

    bool is_empty() const { return !(end_ms_ > begin_ms_); }

    std::string svg(const plot::Theme& theme) const {
        const float height = kTimelineRowPx * static_cast<float>(rows_.size() + 2) + 8;
        plot::SvgCanvas canvas({kTimelineLabelPx + kTimelinePx, height}, "Timeline");
        float y = 4;
        for (std::size_t row = 0; row < rows_.size(); ++row, y += kTimelineRowPx)
            draw_row(canvas, theme, row, y);
        canvas.text({kTimelineLabelPx, y + 4}, "0", {}, theme.muted, {});
        canvas.text({kTimelineLabelPx + kTimelinePx, y + 4}, format_time_ms(end_ms_ - begin_ms_), {},
                    theme.muted, {plot::AlignX::Right, plot::AlignY::Top, false});
        y += kTimelineRowPx;
        float x = kTimelineLabelPx;
        for (std::size_t slot = 0; slot < std::min(names_.size(), plot::kSeriesColors); ++slot) {
            const bool is_rest = slot + 1 == plot::kSeriesColors && names_.size() > plot::kSeriesColors;
            const std::string name = is_rest ? "others" : names_[slot].substr(0, 24);
            canvas.fill_rect({x, y + 4, 12, 12}, color(theme, slot));
            canvas.text({x + 16, y + 2}, name, {}, theme.text, {});
            x += 28 + canvas.text_width(name, {});
        }
        return canvas.finish();
    }

private:
    void draw_row(plot::SvgCanvas& canvas, const plot::Theme& theme, std::size_t row, float y) const {
        canvas.text({0, y + kTimelineRowPx / 2}, rows_[row].label, {}, theme.text,
                    {plot::AlignX::Left, plot::AlignY::Middle, false});
        canvas.fill_rect({kTimelineLabelPx, y + 2, kTimelinePx, kTimelineRowPx - 4}, theme.grid);
        const std::vector<TimelinePixel>& pixels = pixels_[row];
        for (std::size_t from = 0, to = 0; from < pixels.size(); from = to) {
            while (to < pixels.size() && is_same(pixels[to], pixels[from])) ++to;
            if (pixels[from].second > 0)
                canvas.fill_rect({kTimelineLabelPx + static_cast<float>(from), y + 2,
                                  static_cast<float>(to - from), kTimelineRowPx - 4},
                                 color(theme, pixels[from].first));
        }
    }

    static bool is_same(const TimelinePixel& a, const TimelinePixel& b) {
        return (a.second > 0) == (b.second > 0) && (a.second <= 0 || a.first == b.first);
    }
    static plot::Color color(const plot::Theme& theme, std::size_t slot) {
        return theme.series_color(std::min(slot, plot::kSeriesColors - 1));
    }

    std::size_t slot_of(const std::string& name) {
        const auto [known, is_new] = slots_.emplace(name, names_.size());
        if (is_new) names_.push_back(name);
        return known->second;
    }

    std::vector<TimelinePixel> pixels_of(const TimelineRow& row) {
        std::vector<TimelinePixel> pixels(static_cast<std::size_t>(kTimelinePx));
        const double scale = is_empty() ? 0 : kTimelinePx / (end_ms_ - begin_ms_);
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

    const std::vector<TimelineRow>& rows_;
    double begin_ms_ = std::numeric_limits<double>::max(), end_ms_ = std::numeric_limits<double>::lowest();
    std::vector<std::vector<TimelinePixel>> pixels_;
    std::map<std::string, std::size_t> slots_;
    std::vector<std::string> names_;
};

}  // namespace

ThemedSvg timeline_svg(const std::vector<TimelineRow>& rows, std::vector<std::string> names) {
    const Timeline timeline(rows, std::move(names));
    if (timeline.is_empty()) return {};
    return {timeline.svg(plot::light_theme()), timeline.svg(plot::dark_theme())};
}

}  // namespace kwb
