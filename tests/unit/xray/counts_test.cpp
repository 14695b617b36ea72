// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "xray/footprints.hpp"
#include "xray/group_kinds.hpp"
#include "xray/sub_group_access.hpp"

// --- xray/group_kinds.hpp ---

// Which work-groups are observed for which others, and what follows from those that were.

namespace kwb::xray {
namespace {

Geometry grid(std::uint64_t x, std::uint64_t y, std::uint64_t z = 1) {
    Geometry geometry;
    geometry.groups = {x, y, z};
    return geometry;
}

/// What add_all() finds for each element.
std::vector<std::int64_t> counts_of(const Footprints& footprints, const GroupKinds& kinds,
                                    std::uint64_t elements) {
    const auto steps = footprints.find_steps(kinds);
    if (!steps) return {};
    LazyArray<std::int64_t> changes(elements + 1);
    footprints.add_all(kinds, *steps, changes);
    std::vector<std::int64_t> counts;
    std::int64_t count = 0;
    for (std::uint64_t i = 0; i < elements; ++i) counts.push_back(count += changes[i]);
    return counts;
}

}  // namespace

TEST_CASE("the kinds of a launch have all its groups, each once") {
    for (const Geometry& geometry :
         {grid(1, 1), grid(2, 1), grid(5, 1), grid(3, 2), grid(7, 5), grid(4, 3, 5)}) {
        const GroupKinds kinds(geometry);
        std::uint64_t groups = 0;
        for (std::uint32_t kind = 0; kind < GroupKinds::kKinds; ++kind) {
            const GroupKinds::Range range = kinds.range(kind);
            groups += range.groups();
            for (std::uint64_t x = range.first[0]; x < range.last[0]; ++x)
                for (std::uint64_t y = range.first[1]; y < range.last[1]; ++y)
                    for (std::uint64_t z = range.first[2]; z < range.last[2]; ++z)
                        CHECK(kinds.kind_of((z * geometry.groups[1] + y) * geometry.groups[0] + x) == kind);
        }
        CHECK(groups == geometry.group_count());
    }
}

TEST_CASE("the weights of the observed groups are those of all groups, also where a kind is not observed") {
    for (const std::uint64_t most : {0u, 1u, 3u, 9u, 20u, 1000u}) {
        GroupKinds kinds(grid(9, 6));
        kinds.observe(0);
        for (const std::uint64_t group : sample_groups(kinds.geometry(), most)) kinds.observe(group);
        double groups = 0;
        for (std::uint32_t kind = 0; kind < GroupKinds::kKinds; ++kind)
            groups += kinds.weight(kind) * static_cast<double>(kinds.observed(kind));
        CHECK(groups == doctest::Approx(54));
    }
}

TEST_CASE("a sample has each group once, the last one, and every kind that there is room for") {
    const Geometry geometry = grid(100, 70);
    const std::vector<std::uint64_t> groups = sample_groups(geometry, 50);
    CHECK(groups.size() == 50);
    const std::set<std::uint64_t> different(groups.begin(), groups.end());
    CHECK(different.size() == groups.size());
    CHECK(!different.contains(0));
    CHECK(different.contains(geometry.group_count() - 1));
    GroupKinds kinds(geometry);
    for (const std::uint64_t group : groups) kinds.observe(group);
    kinds.observe(0);
    for (std::uint32_t kind = 0; kind < GroupKinds::kKinds; ++kind)
        CHECK((kinds.range(kind).groups() == 0 || kinds.observed(kind) > 0));
    CHECK(sample_groups(grid(1, 1), 10).empty());
}

TEST_CASE("even groups tell what the others access: each row of a matrix by a row of groups") {
    // 4 x 3 groups; those of row y access elements [10 y, 10 y + 10), each twice.
    GroupKinds kinds(grid(4, 3));
    Footprints footprints;
    for (const std::uint64_t group : {0u, 1u, 4u, 11u}) {
        kinds.observe(group);
        footprints.add(group, kinds.kind_of(group), {{group / 4 * 10, 10, 2}});
    }
    CHECK(counts_of(footprints, kinds, 30) == std::vector<std::int64_t>(30, 8));
    // A kind that was not observed is like all others.
    CHECK_FALSE(kinds.has_all_kinds());
    CHECK(footprints.is_known(kinds, *footprints.find_steps(kinds)));
    // What lies beyond the end is left out.
    CHECK(counts_of(footprints, kinds, 25) == std::vector<std::int64_t>(25, 8));
}

TEST_CASE("where kinds differ, one that was not observed is not known") {
    GroupKinds kinds(grid(4, 3));
    Footprints footprints;
    for (const std::uint64_t group : {0u, 1u, 2u, 4u, 11u}) {
        kinds.observe(group);
        footprints.add(group, kinds.kind_of(group), {{group / 4 * 10, group == 11 ? 7u : 10u, 1}});
    }
    const auto steps = footprints.find_steps(kinds);
    REQUIRE(steps.has_value());
    CHECK_FALSE(footprints.is_known(kinds, *steps));
}

TEST_CASE("groups that differ within a kind, or move unevenly, are not even") {
    GroupKinds kinds(grid(10, 1));
    Footprints footprints, moved, absent;
    for (const std::uint64_t group : {0u, 1u, 2u, 5u, 9u}) {
        kinds.observe(group);
        footprints.add(group, kinds.kind_of(group), {{group * 8, group == 5 ? 7u : 8u, 1}});
        moved.add(group, kinds.kind_of(group), {{group == 5 ? 0 : group * 8, 8, 1}});
        if (group != 5) absent.add(group, kinds.kind_of(group), {{group * 8, 8, 1}});
    }
    CHECK_FALSE(footprints.find_steps(kinds).has_value());
    CHECK_FALSE(moved.find_steps(kinds).has_value());
    CHECK_FALSE(absent.find_steps(kinds).has_value());
}

}  // namespace kwb::xray

// --- xray/sub_group_access.hpp ---

namespace kwb::xray {
namespace {

/// `lanes` offsets, `stride` bytes apart.
std::vector<std::uint64_t> every(std::uint64_t stride, std::size_t lanes = 32, std::uint64_t first = 0) {
    std::vector<std::uint64_t> offsets;
    for (std::size_t i = 0; i < lanes; ++i) offsets.push_back(first + i * stride);
    return offsets;
}

TEST_CASE("neighbouring floats of a sub-group share sectors and lines") {
    CHECK(count_segments(every(4), 4, kSectorBytes) == 4);
    CHECK(count_segments(every(4), 4, kLineBytes) == 1);
    CHECK(count_segments(every(16), 16, kSectorBytes) == 16);
}

TEST_CASE("a misaligned row touches one sector more") {
    CHECK(count_segments(every(4, 32, 4), 4, kSectorBytes) == 5);
}

TEST_CASE("lanes far apart touch a sector each, in any order") {
    CHECK(count_segments(every(2048), 4, kSectorBytes) == 32);
    std::vector<std::uint64_t> reversed = every(2048);
    std::reverse(reversed.begin(), reversed.end());
    CHECK(count_segments(reversed, 4, kSectorBytes) == 32);
    CHECK(count_segments(every(0), 4, kSectorBytes) == 1);
}

TEST_CASE("a column of a 32 x 32 tile has 32-fold bank conflicts, a padded one none") {
    CHECK(count_bank_cycles(every(32 * 4), 4).cycles == 32);
    CHECK(count_bank_cycles(every(33 * 4), 4).cycles == 1);
    CHECK(count_bank_cycles(every(4), 4).cycles == 1);
    CHECK(count_bank_cycles(every(8), 4).cycles == 2);
}

TEST_CASE("a word that all lanes want is given to all at once") {
    CHECK(count_bank_cycles(every(0), 4).cycles == 1);
}

TEST_CASE("wide accesses are split as hardware splits them") {
    CHECK(count_bank_cycles(every(8), 8).cycles == 2);
    CHECK(count_bank_cycles(every(8), 8).ideal == 2);
    CHECK(count_bank_cycles(every(16), 16).ideal == 4);
    CHECK(count_bank_cycles(every(16), 16).cycles == 4);
}

TEST_CASE("patterns are told apart") {
    CHECK(classify(every(0), 4, 32).pattern == AccessPattern::Broadcast);
    CHECK(classify(every(4), 4, 32).pattern == AccessPattern::Contiguous);
    CHECK(classify(every(2048), 4, 32) == Addressing{AccessPattern::Strided, 2048});
    CHECK(classify(every(4, 1), 4, 32).pattern == AccessPattern::Single);
    CHECK(classify(std::vector<std::uint64_t>{0, 4, 400, 8}, 4, 4).pattern == AccessPattern::Scattered);
    CHECK(classify(std::vector<std::uint64_t>{4, 0, 12, 8}, 4, 4).pattern == AccessPattern::Contiguous);
}

TEST_CASE("rows of a work-group that address memory alike have one pattern") {
    std::vector<std::uint64_t> two_rows = every(0, 16);
    for (const std::uint64_t offset : every(0, 16, 1024)) two_rows.push_back(offset);
    CHECK(classify(two_rows, 4, 16).pattern == AccessPattern::Broadcast);
    CHECK(classify(two_rows, 4, 32).pattern == AccessPattern::Scattered);
}

}  // namespace
}  // namespace kwb::xray
