// SPDX-License-Identifier: Apache-2.0
#include "xray/group_kinds.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace kwb::xray {
namespace {

enum Place : std::uint32_t { kFirst, kInner, kLast, kPlaces };

Place place_of(std::uint64_t index, std::uint64_t count) {
    return index == 0 ? kFirst : index + 1 == count ? kLast : kInner;
}

std::array<std::uint32_t, 3> places_of(std::uint32_t kind) {
    return {kind % kPlaces, kind / kPlaces % kPlaces, kind / kPlaces / kPlaces};
}

/// The last group of a dimension may be partial, so no group at another place resembles it.
std::uint32_t distance(std::uint32_t one, std::uint32_t other) {
    const auto a = places_of(one), b = places_of(other);
    std::uint32_t sum = 0;
    for (std::size_t d = 0; d < 3; ++d)
        if (a[d] != b[d]) sum += a[d] == kLast || b[d] == kLast ? 2 : 1;
    return sum;
}

/// The n-th term of J. G. van der Corput's sequence, in [0, 1).
double spread(std::uint64_t n, std::uint64_t base) {
    double value = 0;
    double part = 1;
    for (; n > 0; n /= base) {
        part /= static_cast<double>(base);
        value += part * static_cast<double>(n % base);
    }
    return value;
}

}  // namespace

GroupKinds::GroupKinds(const Geometry& geometry) : geometry_(geometry) {}

std::uint32_t GroupKinds::kind_of(std::uint64_t group) const {
    const std::array<std::uint64_t, 3> id = geometry_.group_id(group);
    std::uint32_t kind = 0;
    for (std::size_t d = 3; d-- > 0;) kind = kind * kPlaces + place_of(id[d], geometry_.groups[d]);
    return kind;
}

std::uint64_t GroupKinds::observed() const {
    return std::accumulate(observed_.begin(), observed_.end(), std::uint64_t{0});
}

bool GroupKinds::has_all_kinds() const {
    for (std::uint32_t kind = 0; kind < kKinds; ++kind)
        if (observed_[kind] == 0 && range(kind).groups() > 0) return false;
    return true;
}

std::uint32_t GroupKinds::stand_in(std::uint32_t kind) const {
    if (observed_[kind] > 0) return kind;
    std::uint32_t nearest = kKinds;
    for (std::uint32_t other = 0; other < kKinds; ++other)
        if (observed_[other] > 0 && (nearest == kKinds || distance(kind, other) < distance(kind, nearest)))
            nearest = other;
    return nearest;
}

double GroupKinds::weight(std::uint32_t kind) const {
    if (observed_[kind] == 0) return 0;
    std::uint64_t groups = 0;
    for (std::uint32_t other = 0; other < kKinds; ++other)
        if (const std::uint64_t count = range(other).groups(); count > 0 && stand_in(other) == kind)
            groups += count;
    return static_cast<double>(groups) / static_cast<double>(observed_[kind]);
}

GroupKinds::Range GroupKinds::range(std::uint32_t kind) const {
    const auto places = places_of(kind);
    Range range;
    for (std::size_t d = 0; d < 3; ++d) {
        const std::uint64_t count = geometry_.groups[d];
        const bool has_inner = count > 2;
        const std::uint64_t first = places[d] == kFirst ? 0 : places[d] == kInner ? 1 : count - 1;
        const bool is_empty = (places[d] == kInner && !has_inner) || (places[d] == kLast && count < 2);
        range.first[d] = first;
        range.last[d] = is_empty ? first : places[d] == kInner ? count - 1 : first + 1;
    }
    return range;
}

std::vector<std::uint64_t> sample_groups(const Geometry& geometry, std::uint64_t most) {
    const auto& count = geometry.groups;
    most = std::min(most, geometry.group_count() - 1);
    std::vector<std::uint64_t> groups;
    std::set<std::uint64_t> known = {0};
    const auto add = [&](const std::array<std::uint64_t, 3>& id) {
        const std::uint64_t group = (id[2] * count[1] + id[1]) * count[0] + id[0];
        if (groups.size() < most && known.insert(group).second) groups.push_back(group);
    };
    const auto add_neighbours = [&](const std::array<std::uint64_t, 3>& id, std::uint64_t least) {
        for (std::size_t d = 0; d < 3; ++d) {
            std::array<std::uint64_t, 3> neighbour = id;
            if (count[d] >= least) ++neighbour[d];
            add(neighbour);
        }
    };
    add_neighbours({0, 0, 0}, 2);
    add({count[0] - 1, count[1] - 1, count[2] - 1});
    std::array<std::uint64_t, 3> inside{};
    for (std::size_t d = 0; d < 3; ++d) inside[d] = (count[d] - 1) / 2;
    add(inside);
    add_neighbours(inside, 4);
    const GroupKinds kinds(geometry);
    std::vector<GroupKinds::Range> ranges;  // the largest first
    for (std::uint32_t kind = 0; kind < GroupKinds::kKinds; ++kind)
        if (kinds.range(kind).groups() > 0) ranges.push_back(kinds.range(kind));
    std::ranges::stable_sort(ranges, std::greater{}, &GroupKinds::Range::groups);
    for (const GroupKinds::Range& range : ranges) {
        std::array<std::uint64_t, 3> middle{};
        for (std::size_t d = 0; d < 3; ++d) middle[d] = (range.first[d] + range.last[d]) / 2;
        add(middle);
    }
    // NDRanges are often rounded up, so that more groups than the last ones are idle.
    add(ranges.front().first);
    add({ranges.front().last[0] - 1, ranges.front().last[1] - 1, ranges.front().last[2] - 1});
    // If nearly all fit, the sequence takes long to reach the remaining ones.
    const std::uint64_t tries = 2 * most;
    for (std::uint64_t n = 1; n <= tries && groups.size() < most; ++n)
        add({static_cast<std::uint64_t>(spread(n, 2) * static_cast<double>(count[0])),
             static_cast<std::uint64_t>(spread(n, 3) * static_cast<double>(count[1])),
             static_cast<std::uint64_t>(spread(n, 5) * static_cast<double>(count[2]))});
    return groups;
}

}  // namespace kwb::xray
