// SPDX-License-Identifier: Apache-2.0
#include "desk/xray_play.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "model/xray_words.hpp"
#include "report/xray_summary.hpp"

namespace kwb {
namespace {

struct Shape {
    std::uint64_t rows = 1;
    std::uint64_t columns = 1;
};

/// The last dimension is the columns, all others together the rows.
Shape shape_of(const XrayBuffer& buffer) {
    Shape shape;
    for (std::size_t d = 0; d + 1 < buffer.extents.size(); ++d) shape.rows *= buffer.extents[d];
    if (!buffer.extents.empty()) shape.columns = std::max<std::uint64_t>(buffer.extents.back(), 1);
    return shape;
}

/// Accesses that a finding is about: those of a race, where another work-item uses the same element in the
/// same interval, and reads of uninitialised memory.
std::vector<bool> find_alarming(const XrayReport& report) {
    const XrayTrace& trace = *report.trace;
    std::vector<bool> alarming(trace.items.size());
    std::set<XrayPlace> of_races, of_unset;
    for (const Finding& finding : report.undefined) {
        if (finding.code == FindingCode::DataRace) {
            of_races.insert(place_from(finding.place));
            of_races.insert(place_from(finding.text("first_place")));
        }
        if (finding.code == FindingCode::UnsetRead) of_unset.insert(place_from(finding.place));
    }
    if (of_races.empty() && of_unset.empty()) return alarming;

    // interval, buffer, element → the only work-item so far, whether there are others, whether any stores
    struct Use {
        std::uint32_t item;
        bool is_shared = false;
        bool is_stored = false;
    };
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Use> uses;
    std::set<std::pair<std::uint32_t, std::uint32_t>> stored;
    const auto key_of = [&](std::size_t i) {
        return std::tuple(trace.intervals[i], report.sites[trace.sites[i]].buffer, trace.elements[i]);
    };
    for (std::size_t i = 0; i < trace.items.size(); ++i) {
        const XraySite& site = report.sites[trace.sites[i]];
        const std::pair element(site.buffer, trace.elements[i]);
        if (of_unset.contains(site.place) && site.kind == AccessKind::Load && !stored.contains(element))
            alarming[i] = true;
        if (site.kind != AccessKind::Load) stored.insert(element);
        if (!of_races.contains(site.place)) continue;
        const auto [at, is_new] = uses.try_emplace(key_of(i), Use{trace.items[i]});
        at->second.is_shared = at->second.is_shared || at->second.item != trace.items[i];
        at->second.is_stored = at->second.is_stored || site.kind != AccessKind::Load;
    }
    for (std::size_t i = 0; i < trace.items.size(); ++i) {
        if (!of_races.contains(report.sites[trace.sites[i]].place)) continue;
        const Use& use = uses.at(key_of(i));
        if (use.is_shared && use.is_stored) alarming[i] = true;
    }
    return alarming;
}

}  // namespace

std::uint32_t cell_of_element(const XrayBuffer& buffer, std::uint64_t element) {
    const Shape shape = shape_of(buffer);
    const std::uint64_t row = element / shape.columns * buffer.rows / std::max<std::uint64_t>(shape.rows, 1);
    const std::uint64_t column = element % shape.columns * buffer.columns / shape.columns;
    return static_cast<std::uint32_t>(row * buffer.columns + column);
}

CellExtent extent_of_cell(const XrayBuffer& buffer, std::uint32_t cell) {
    const Shape shape = shape_of(buffer);
    const auto begin = [](std::uint64_t index, std::uint64_t elements, std::uint64_t cells) {
        return (index * elements + cells - 1) /
               cells;  // the first element with element * cells / elements == index
    };
    const std::uint64_t row = cell / buffer.columns;
    const std::uint64_t column = cell % buffer.columns;
    return {begin(row, shape.rows, buffer.rows), begin(row + 1, shape.rows, buffer.rows),
            begin(column, shape.columns, buffer.columns), begin(column + 1, shape.columns, buffer.columns)};
}

XrayPlay::XrayPlay(const XrayReport& report) {
    if (!report.trace || report.trace->items.empty()) return;
    find_steps(report, find_alarming(report));
    find_users(report);
}

void XrayPlay::find_steps(const XrayReport& report, const std::vector<bool>& alarming) {
    const XrayTrace& trace = *report.trace;
    const auto last_item = *std::ranges::max_element(trace.items);
    std::vector<std::vector<std::uint32_t>> accesses(last_item + 1);  // of each work-item, in order
    for (std::size_t i = 0; i < trace.items.size(); ++i)
        accesses[trace.items[i]].push_back(static_cast<std::uint32_t>(i));
    std::vector<std::uint32_t> next(accesses.size());

    // What comes next: interval and place → accesses.
    using Turn = std::tuple<std::uint32_t, XrayPlace, std::uint32_t>;
    std::map<Turn, std::vector<std::uint32_t>> waiting;
    const auto wait = [&](std::uint32_t item) {
        if (next[item] == accesses[item].size()) return;
        const std::uint32_t access = accesses[item][next[item]++];
        const std::uint32_t site = trace.sites[access];
        waiting[{trace.intervals[access], report.sites[site].place, site}].push_back(access);
    };
    for (std::uint32_t item = 0; item < accesses.size(); ++item) wait(item);
    while (!waiting.empty()) {
        const auto turn = waiting.extract(waiting.begin());
        std::vector<std::uint32_t> now = turn.mapped();
        std::ranges::sort(now, {}, [&](std::uint32_t access) { return trace.items[access]; });
        add_step(report, std::get<2>(turn.key()), now, alarming);
        for (const std::uint32_t access : now) wait(trace.items[access]);
    }
}

void XrayPlay::add_step(const XrayReport& report, std::uint32_t site, std::span<const std::uint32_t> accesses,
                        const std::vector<bool>& alarming) {
    const XrayTrace& trace = *report.trace;
    const XrayBuffer& buffer = report.buffers[report.sites[site].buffer];
    const auto number = static_cast<std::uint32_t>(steps_.size());
    Step step{site, trace.intervals[accesses.front()]};
    std::vector<std::uint32_t> cells, alarming_cells;
    for (const std::uint32_t access : accesses) {
        items_.all.push_back(trace.items[access]);
        if (alarming[access]) alarming_items_.all.push_back(trace.items[access]);
        if (buffer.columns == 0) continue;
        cells.push_back(cell_of_element(buffer, trace.elements[access]));
        if (alarming[access]) alarming_cells.push_back(cells.back());
        step.is_alarming = step.is_alarming || alarming[access];
    }
    const auto add = [](Lists& lists, std::vector<std::uint32_t>& list) {
        std::ranges::sort(list);
        lists.all.insert(lists.all.end(), list.begin(), std::unique(list.begin(), list.end()));
        lists.end();
    };
    add(cells_, cells);
    add(alarming_cells_, alarming_cells);
    items_.end();
    alarming_items_.end();
    if (steps_.empty() || steps_.back().interval != step.interval) begins_.push_back(number);
    if (step.is_alarming) alarms_.push_back(number);
    steps_.push_back(step);
}

void XrayPlay::find_users(const XrayReport& report) {
    const XrayTrace& trace = *report.trace;
    struct Touch {
        XrayCell cell;
        std::uint32_t item;
        AccessKind kind;
    };
    std::vector<Touch> touches;
    for (std::size_t i = 0; i < trace.items.size(); ++i) {
        const XraySite& site = report.sites[trace.sites[i]];
        const XrayBuffer& buffer = report.buffers[site.buffer];
        if (buffer.columns == 0) continue;
        touches.push_back(
            {{site.buffer, cell_of_element(buffer, trace.elements[i])}, trace.items[i], site.kind});
    }
    std::ranges::sort(touches, {}, [](const Touch& touch) { return std::pair(touch.cell, touch.item); });
    for (const Touch& touch : touches) {
        if (used_.empty() || used_.back() != touch.cell) {
            used_.push_back(touch.cell);
            used_begins_.push_back(static_cast<std::uint32_t>(users_.size()));
            users_.push_back({touch.item});
        } else if (users_.back().item != touch.item) {
            users_.push_back({touch.item});
        }
        users_.back().loads = users_.back().loads || touch.kind != AccessKind::Store;
        users_.back().stores = users_.back().stores || touch.kind != AccessKind::Load;
    }
    used_begins_.push_back(static_cast<std::uint32_t>(users_.size()));
}

std::span<const CellUse> XrayPlay::users_of(XrayCell cell) const {
    const auto found = std::ranges::lower_bound(used_, cell);
    if (found == used_.end() || *found != cell) return {};
    const auto at = static_cast<std::size_t>(found - used_.begin());
    return std::span(users_).subspan(used_begins_[at], used_begins_[at + 1] - used_begins_[at]);
}

std::vector<XrayCell> XrayPlay::cells_of_item(std::uint32_t item) const {
    std::vector<XrayCell> cells;
    for (std::size_t i = 0; i < used_.size(); ++i) {
        const auto users = std::span(users_).subspan(used_begins_[i], used_begins_[i + 1] - used_begins_[i]);
        const auto found = std::ranges::lower_bound(users, item, {}, &CellUse::item);
        if (found != users.end() && found->item == item) cells.push_back(used_[i]);
    }
    return cells;
}

}  // namespace kwb
