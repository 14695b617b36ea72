// SPDX-License-Identifier: Apache-2.0
#include "xray/footprints.hpp"

#include <algorithm>
#include <utility>

namespace kwb::xray {
namespace {

std::int64_t as_signed(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

/// The distance between two groups in each dimension.
std::array<std::int64_t, 3> distance(const Geometry& geometry, std::uint64_t from, std::uint64_t to) {
    const auto a = geometry.group_id(from), b = geometry.group_id(to);
    return {as_signed(b[0] - a[0]), as_signed(b[1] - a[1]), as_signed(b[2] - a[2])};
}

}  // namespace

void Footprints::add(std::uint64_t group, std::uint32_t kind, std::vector<Run> runs) {
    if (has_too_many_shapes_) return;
    const std::uint64_t first = runs.front().first;
    for (Run& run : runs) run.first -= first;
    const auto known = std::ranges::find(shapes_, runs);
    const auto shape = static_cast<std::uint32_t>(known - shapes_.begin());
    if (known == shapes_.end()) shapes_.push_back(std::move(runs));
    has_too_many_shapes_ = shapes_.size() > kMostShapes;
    seen_.push_back({group, kind, shape, first});
}

const Footprints::Seen* Footprints::find_seen(std::uint32_t kind) const {
    const auto found = std::ranges::find(seen_, kind, &Seen::kind);
    return found == seen_.end() ? nullptr : &*found;
}

std::optional<Footprints::Steps> Footprints::find_steps(const GroupKinds& kinds) const {
    const Geometry& geometry = kinds.geometry();
    if (has_too_many_shapes_) return std::nullopt;
    std::array<std::uint64_t, GroupKinds::kKinds> seen_of_kind{};
    for (const Seen& seen : seen_) {
        ++seen_of_kind[seen.kind];
        if (seen.shape != find_seen(seen.kind)->shape) return std::nullopt;
    }
    for (std::uint32_t kind = 0; kind < GroupKinds::kKinds; ++kind)
        if (seen_of_kind[kind] != 0 && seen_of_kind[kind] != kinds.observed(kind)) return std::nullopt;

    std::array<std::optional<std::int64_t>, 3> steps;
    // Each round finds the steps of pairs that differ in one dimension more than the known ones.
    const auto solve = [&](const auto& partner_of) {
        for (std::size_t round = 0; round < steps.size(); ++round)
            for (const Seen& seen : seen_) {
                const Seen& from = *partner_of(seen);
                const auto moved = distance(geometry, from.group, seen.group);
                std::int64_t left = as_signed(seen.first - from.first);
                std::optional<std::size_t> unknown;
                bool has_one = true;
                for (std::size_t d = 0; d < steps.size(); ++d) {
                    if (moved[d] == 0) continue;
                    if (steps[d])
                        left -= *steps[d] * moved[d];
                    else if (std::exchange(unknown, d))
                        has_one = false;
                }
                if (!unknown || !has_one) continue;
                if (left % moved[*unknown] != 0) return false;
                steps[*unknown] = left / moved[*unknown];
            }
        return true;
    };
    const auto first_of_kind = [&](const Seen& seen) { return find_seen(seen.kind); };
    if (!solve(first_of_kind)) return std::nullopt;
    for (const Seen& seen : seen_) {
        const Seen& from = *first_of_kind(seen);
        const auto moved = distance(geometry, from.group, seen.group);
        std::int64_t expected = as_signed(from.first);
        for (std::size_t d = 0; d < steps.size(); ++d) {
            if (moved[d] != 0 && !steps[d]) return std::nullopt;
            expected += steps[d].value_or(0) * moved[d];
        }
        if (expected != as_signed(seen.first)) return std::nullopt;
    }
    // If few groups were observed, other kinds with the same shape provide the missing steps.
    const auto first_of_shape = [&](const Seen& seen) {
        return &*std::ranges::find(seen_, seen.shape, &Seen::shape);
    };
    if (!solve(first_of_shape)) return std::nullopt;
    // Unobserved groups access other addresses than the groups that represent them.
    for (std::uint32_t kind = 0; kind < GroupKinds::kKinds; ++kind) {
        const GroupKinds::Range range = kinds.range(kind);
        if (range.groups() == 0) continue;
        const Seen* const example = find_seen(kinds.stand_in(kind));
        if (example == nullptr) continue;
        const auto at = geometry.group_id(example->group);
        for (std::size_t d = 0; d < steps.size(); ++d)
            if ((range.first[d] != at[d] || range.last[d] != at[d] + 1) && !steps[d]) return std::nullopt;
    }
    return Steps{steps[0].value_or(0), steps[1].value_or(0), steps[2].value_or(0)};
}

bool Footprints::is_known(const GroupKinds& kinds, const Steps& steps) const {
    if (kinds.has_all_kinds()) return true;
    if (shapes_.size() != 1 || seen_.size() != kinds.observed()) return false;
    return std::ranges::all_of(seen_, [&](const Seen& seen) {
        const auto moved = distance(kinds.geometry(), seen_.front().group, seen.group);
        std::int64_t expected = as_signed(seen_.front().first);
        for (std::size_t d = 0; d < steps.size(); ++d) expected += steps[d] * moved[d];
        return expected == as_signed(seen.first);
    });
}

std::uint64_t Footprints::cost(const GroupKinds& kinds, const Steps& steps) const {
    std::uint64_t all = 0;
    for (std::uint32_t kind = 0; kind < GroupKinds::kKinds; ++kind) {
        const GroupKinds::Range range = kinds.range(kind);
        const Seen* const example = range.groups() > 0 ? find_seen(kinds.stand_in(kind)) : nullptr;
        if (example == nullptr) continue;
        std::uint64_t places = 2 * shapes_[example->shape].size();
        for (std::size_t d = 0; d < steps.size(); ++d)
            if (steps[d] != 0) places *= range.last[d] - range.first[d];
        all += places;
    }
    return all;
}

void Footprints::add_all(const GroupKinds& kinds, const Steps& steps,
                         LazyArray<std::int64_t>& changes) const {
    const auto elements = as_signed(changes.size()) - 1;
    for (std::uint32_t kind = 0; kind < GroupKinds::kKinds; ++kind) {
        GroupKinds::Range range = kinds.range(kind);
        if (range.groups() == 0) continue;
        const Seen* const example = find_seen(kinds.stand_in(kind));
        if (example == nullptr) continue;
        // Groups that access the same elements are added at once.
        std::int64_t times = 1;
        for (std::size_t d = 0; d < steps.size(); ++d)
            if (steps[d] == 0) {
                times *= as_signed(range.last[d] - range.first[d]);
                range.last[d] = range.first[d] + 1;
            }
        const auto at = kinds.geometry().group_id(example->group);
        const auto moved = [&](std::size_t d, std::uint64_t index) {
            return steps[d] * as_signed(index - at[d]);
        };
        for (std::uint64_t z = range.first[2]; z < range.last[2]; ++z)
            for (std::uint64_t y = range.first[1]; y < range.last[1]; ++y)
                for (std::uint64_t x = range.first[0]; x < range.last[0]; ++x) {
                    const std::int64_t begin =
                        as_signed(example->first) + moved(0, x) + moved(1, y) + moved(2, z);
                    for (const Run& run : shapes_[example->shape]) {
                        const std::int64_t first = begin + as_signed(run.first);
                        const std::int64_t last = first + as_signed(run.length);
                        if (last <= 0 || first >= elements) continue;
                        const std::int64_t count = as_signed(run.count) * times;
                        changes[static_cast<std::size_t>(std::max<std::int64_t>(first, 0))] += count;
                        changes[static_cast<std::size_t>(std::min(last, elements))] -= count;
                    }
                }
    }
}

}  // namespace kwb::xray
