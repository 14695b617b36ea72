// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "xray/sub_group_access.hpp"

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
