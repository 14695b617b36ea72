// SPDX-License-Identifier: Apache-2.0
// The names of lines at their right ends.
#include <algorithm>
#include <cmath>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {
namespace {

constexpr float kNameSwatchPx = 18;  // at scale 1, as in the legend above the plot
constexpr float kNameGapPx = 4;      ///< between the plot and the names

float row_px(const Work& work) {
    return work.sizes.line_px(work.sizes.label) + 2 * work.sizes.scale;
}

/// The rightmost point of the lines with this name in the plot; nullopt if none is in sight.
std::optional<Point> end_of(const Work& work, const std::string& name) {
    const Rect& plot = work.out.plot;
    std::optional<Point> end;
    const auto see = [&](Point at) {
        if (at.x >= plot.left() && (!end || at.x > end->x)) end = at;
    };
    for (const LineShape& line : work.out.lines) {
        if (work.chart.series[line.series].name != name) continue;
        for (const Dot& mark : line.marks) see(mark.at);
        for (std::size_t i = 1; i < line.points.size(); ++i) {
            const auto [a, b] = std::pair(line.points[i - 1], line.points[i]);
            if (b.x <= plot.right())
                see(b);
            else if (a.x <= plot.right())
                see({plot.right(), std::lerp(a.y, b.y, (plot.right() - a.x) / (b.x - a.x))});
        }
    }
    if (end && (end->y < plot.top() || end->y > plot.bottom())) return {};
    return end;
}

/// Moves ascending positions apart to a distance of at least `pitch`, by as little as possible, within [low,
/// high]. Neighbours that are too close form a group, which is centred on their mean.
void spread(std::vector<float>& positions, float pitch, float low, float high) {
    struct Group {
        std::size_t count = 0;
        float sum = 0;  ///< of the positions, each less its distance from the group's first
        float first = 0;
    };
    std::vector<Group> groups;
    for (const float position : positions) {
        groups.push_back({1, position, 0});
        for (;;) {
            Group& last = groups.back();
            const auto count = static_cast<float>(last.count);
            last.first = std::clamp(last.sum / count, low, std::max(low, high - (count - 1) * pitch));
            if (groups.size() < 2) break;
            Group& before = groups[groups.size() - 2];
            const float end = before.first + static_cast<float>(before.count) * pitch;
            if (end <= last.first) break;
            before.sum += last.sum - count * static_cast<float>(before.count) * pitch;
            before.count += last.count;
            groups.pop_back();
        }
    }
    auto position = positions.begin();
    for (const Group& group : groups)
        for (std::size_t i = 0; i < group.count; ++i)
            *position++ = group.first + static_cast<float>(i) * pitch;
}

}  // namespace

void reserve_line_names(Work& work, const Rect& room, std::vector<LegendEntry>& legend) {
    if (!work.chart.label_lines) return;
    const float s = work.sizes.scale;
    const auto is_named = [](const LegendEntry& entry) {
        return entry.swatch == Swatch::Line && !entry.ghost;
    };
    float widest = 0, names = 0;
    for (const LegendEntry& entry : legend) {
        if (!is_named(entry)) continue;
        widest = std::max(widest, work.width(entry.name, work.sizes.label) + 1);
        ++names;
    }
    constexpr float kAxisPx = 60, kLeastPx = 44, kMostShare = 0.24f;
    const float name_px = std::min(widest, room.width * kMostShare - kNameSwatchPx * s);
    if (names == 0 || name_px < std::min(widest, kLeastPx * s) ||
        names * row_px(work) > room.height - kAxisPx * s)
        return;
    work.line_names_px = (kNameGapPx + kNameSwatchPx) * s + name_px;
    const auto others = std::stable_partition(legend.begin(), legend.end(), is_named);
    for (auto entry = legend.begin(); entry != others; ++entry) {
        entry->swatch = Swatch::Marker;
        entry->text = shortened(work.canvas, entry->name, work.sizes.label, name_px + 0.5f, Keep::BothEnds);
        work.line_names.push_back(std::move(*entry));
    }
    legend.erase(legend.begin(), others);
}

void place_line_names(Work& work) {
    const Rect& plot = work.out.plot;
    const float height = row_px(work);
    struct Wanted {
        LegendEntry* entry;
        float y;
    };
    std::vector<Wanted> wanted;
    for (LegendEntry& entry : work.line_names) {
        entry.line_end = end_of(work, entry.name);
        wanted.push_back({&entry, entry.line_end ? entry.line_end->y : plot.bottom()});
    }
    std::ranges::stable_sort(wanted, {}, &Wanted::y);
    std::vector<float> positions;
    for (const Wanted& one : wanted) positions.push_back(one.y);
    spread(positions, height, plot.top() + height / 2, plot.bottom() - height / 2);
    const float x = plot.right() + kNameGapPx * work.sizes.scale;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        wanted[i].entry->rect = {x, positions[i] - height / 2,
                                 work.line_names_px - kNameGapPx * work.sizes.scale, height};
    for (LegendEntry& entry : work.line_names) work.out.legend.push_back(std::move(entry));
}

}  // namespace kwb::plot::parts
