// SPDX-License-Identifier: Apache-2.0
#include "debug/views.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "debug/values.hpp"

namespace kwb::debug {
namespace {

constexpr std::size_t kMostShownParts = 64;
constexpr std::uint32_t kMostLookedBack = 200'000;  ///< events, for the last element that was touched
constexpr std::size_t kShownValues = 8;             ///< of a folded array

LaneValue lane_value(const Evaluated& value, const Recording& recording) {
    if (value.memory.state == MemoryBytes::State::Unset) return {LaneValue::State::Unset};
    if (value.memory.state == MemoryBytes::State::Unknown) return {LaneValue::State::Unknown};
    LaneValue lane{LaneValue::State::Known, evaluated_text(value, recording, kShownValues)};
    if (value.number) lane.number = value.number->as_double();
    return lane;
}

class VariableLister {
public:
    VariableLister(const Scope& scope, const std::set<std::string>& unfolded)
        : scope_(scope), recording_(scope.player.recording()), unfolded_(unfolded) {
        now_ = scope.player.event_of(scope.moment);
        before_ = scope.moment.step > scope.player.first_step(scope.moment.item)
                      ? scope.player.event_of({scope.moment.item, scope.moment.step - 1})
                      : now_;
    }

    std::vector<VariableRow> list() {
        std::vector<VisibleVariable> visible = visible_variables(scope_);
        std::ranges::stable_sort(visible, {}, &VisibleVariable::is_parameter);
        for (const VisibleVariable& one : visible) {
            VariableRow row;
            row.expression = row.name = one.name;
            row.space = one.space;
            row.is_parameter = one.is_parameter;
            add(std::move(row), one.type, one.address);
        }
        return std::move(rows_);
    }

private:
    void add(VariableRow row, std::uint32_t number, std::uint64_t address) {
        const ValueType& type = recording_.types[number];
        row.type = type_name(recording_, number);
        const MemoryBytes value = scope_.player.read(now_, address, type.bytes);
        row.value = memory_text(recording_, number, value, kShownValues);
        if (before_ != now_) {
            const MemoryBytes old = scope_.player.read(before_, address, type.bytes);
            row.is_changed =
                value.state == MemoryBytes::State::Known &&
                (old.state != value.state || old.bytes != value.bytes || old.unset != value.unset);
        }
        row.unfolds = type.count > 0 || !type.members.empty();
        const bool is_unfolded = row.unfolds && unfolded_.contains(row.expression);
        rows_.push_back(row);
        if (is_unfolded) add_parts(row, type, address);
    }

    void add_parts(const VariableRow& whole, const ValueType& type, std::uint64_t address) {
        VariableRow part;
        part.space = whole.space;
        part.depth = whole.depth + 1;
        const auto add_part = [&](std::string name, std::uint32_t part_type, std::uint64_t offset) {
            part.name = std::move(name);
            part.expression = whole.expression + part.name;
            add(part, part_type, address + offset);
        };
        for (const ValueType::Member& member : type.members)
            add_part("." + member.name, member.type, member.offset);
        if (type.count == 0) return;
        const std::uint64_t bytes = recording_.types[type.element].bytes;
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(type.count, kMostShownParts); ++i)
            add_part(
                type.kind == ValueKind::Vector ? "." + component_name(type.count, i) : fmt::format("[{}]", i),
                type.element, i * bytes);
        if (type.count > kMostShownParts) {
            part.name = part.expression = "…";
            part.type.clear();
            part.value = fmt::format("{} more", type.count - kMostShownParts);
            part.unfolds = part.is_changed = false;
            rows_.push_back(part);
        }
    }

    const Scope& scope_;
    const Recording& recording_;
    const std::set<std::string>& unfolded_;
    std::uint32_t now_, before_;  ///< events
    std::vector<VariableRow> rows_;
};

/// The extents of a region in elements, outermost first, and the type of an element.
std::pair<std::vector<std::uint64_t>, std::uint32_t> shape_of(const Recording& recording,
                                                              const RecordedRegion& region) {
    std::vector<std::uint64_t> extents = region.extents;
    std::uint32_t type = region.type;
    if (region.is_variable) {
        extents.clear();
        for (; recording.types[type].kind == ValueKind::Array; type = recording.types[type].element)
            extents.push_back(recording.types[type].count);
    }
    if (extents.empty()) {
        const std::uint64_t bytes = std::max<std::uint64_t>(recording.types[type].bytes, 1);
        extents.push_back(region.bytes / bytes);
    }
    return {extents, type};
}

struct Touched {
    std::uint64_t begin, end;  ///< addresses
    bool is_store;
};

/// The first row or column of a view of `most` around one.
std::uint64_t first_around(std::uint64_t middle, std::uint64_t most, std::uint64_t extent) {
    const std::uint64_t before = most / 2;
    return std::min(middle > before ? middle - before : 0, extent > most ? extent - most : 0);
}

}  // namespace

std::string step_text(const Player& player, Moment moment) {
    const std::size_t steps = player.steps(moment.item);
    return fmt::format("{} of {}{}", std::min(moment.step + 1, steps),
                       player.is_over(moment.item) ? "" : "more than ", steps);
}

std::vector<LaneValue> lane_values(const Player& player, const Scope& scope, std::string_view expression) {
    std::vector<LaneValue> values(player.items());
    values[scope.moment.item] = lane_value(evaluate(expression, scope), player.recording());
    const std::vector<std::optional<Moment>> moments = player.same_moments(scope.moment);
    for (std::uint32_t item = 0; item < player.items(); ++item) {
        if (item == scope.moment.item) continue;
        if (!moments[item] && !player.has_interval(scope.moment, item)) continue;  // not known
        try {
            const Moment there = moments[item].value_or(player.last_moment(scope.moment, item));
            values[item] = lane_value(evaluate(expression, scope_at(player, there)), player.recording());
        } catch (const BadInput&) {  // a variable or an index that only some have
        }
        values[item].is_elsewhere = !moments[item].has_value();
    }
    return values;
}

std::vector<VariableRow> variable_rows(const Scope& scope, const std::set<std::string>& unfolded) {
    return VariableLister(scope, unfolded).list();
}

std::uint64_t MemoryView::element_bytes(const Recording& recording) const {
    return std::max<std::uint64_t>(
        recording.types[shape_of(recording, recording.regions[region]).second].bytes, 1);
}

std::uint64_t MemoryView::address_of(const Recording& recording, std::size_t cell) const {
    const std::uint64_t element = (first_row + cell / columns) * row_elements + first_column + cell % columns;
    return recording.regions[region].address + element * element_bytes(recording);
}

std::string MemoryView::element_name(const Recording& recording, std::size_t cell) const {
    return place_text(recording, address_of(recording, cell));
}

std::vector<MemoryView> memory_views(const Player& player, Moment moment, std::uint64_t most_rows,
                                     std::uint64_t most_columns) {
    const Recording& recording = player.recording();
    const std::vector<std::uint32_t> events = player.events_in(moment);
    const std::uint32_t now = player.event_of(moment);
    std::vector<MemoryView> views;
    for (std::uint32_t number = 0; number < recording.regions.size(); ++number) {
        const RecordedRegion& region = recording.regions[number];
        if (region.bytes == 0) continue;
        const auto is_inside = [&](const RecordedEvent& event) {
            return (event.stores() || event.kind == RecordedKind::Read) &&
                   event.address - region.address < region.bytes;
        };
        std::vector<Touched> touched;
        for (const std::uint32_t one : events)
            if (const RecordedEvent& event = recording.events[one]; is_inside(event))
                touched.push_back({event.address, event.address + event.bytes, event.stores()});
        if (touched.empty() && region.space != AddressSpace::Local) continue;
        std::uint64_t middle = touched.empty() ? region.address : touched.back().begin;
        if (touched.empty()) {  // the last element that the work-item has touched
            const std::uint32_t least = now > kMostLookedBack ? now - kMostLookedBack : 0;
            for (std::uint32_t one = now; one-- > least;) {
                const RecordedEvent& event = recording.events[one];
                if (event.item != moment.item || !is_inside(event)) continue;
                middle = event.address;
                break;
            }
        }
        const auto [extents, type] = shape_of(recording, region);
        const std::uint64_t bytes = std::max<std::uint64_t>(recording.types[type].bytes, 1);
        MemoryView view;
        view.name = region.name;
        view.shape = fmt::format("{}", fmt::join(extents, " × "));
        view.space = region.space;
        view.region = number;
        view.row_elements = std::max<std::uint64_t>(extents.back(), 1);
        const std::uint64_t all = region.bytes / bytes,
                            rows = (all + view.row_elements - 1) / view.row_elements;
        const std::uint64_t element = (middle - region.address) / bytes;
        view.rows = std::min(rows, most_rows);
        view.columns = std::min(view.row_elements, most_columns);
        view.first_row = first_around(element / view.row_elements, most_rows, rows);
        view.first_column = first_around(element % view.row_elements, most_columns, view.row_elements);
        for (std::size_t cell = 0; cell < view.rows * view.columns; ++cell) {
            const std::uint64_t address =
                region.address + ((view.first_row + cell / view.columns) * view.row_elements +
                                  view.first_column + cell % view.columns) *
                                     bytes;
            MemoryView::Cell& shown = view.cells.emplace_back();
            if (address - region.address >= region.bytes) continue;  // the last row need not be full
            const MemoryBytes value = player.read(now, address, bytes);
            shown.text = value.state == MemoryBytes::State::Known
                             ? value_text(recording, type, {value.bytes, value.unset}, kShownValues)
                         : value.state == MemoryBytes::State::Unset ? "?"
                                                                    : "…";
            if (value.state == MemoryBytes::State::Known && value.unset.empty())
                if (const auto parsed = number_of(recording.types[type], value.bytes))
                    shown.number = parsed->as_double();
            for (const Touched& one : touched)
                if (one.begin < address + bytes && address < one.end)
                    (one.is_store ? shown.is_stored : shown.is_read) = true;
        }
        views.push_back(std::move(view));
    }
    return views;
}

}  // namespace kwb::debug
