// SPDX-License-Identifier: Apache-2.0
#include "xray/sub_group_access.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace kwb::xray {
namespace {

Addressing classify_row(std::span<const std::uint64_t> offsets, std::uint64_t width_bytes) {
    if (offsets.size() == 1) return {AccessPattern::Single, 0};
    const auto stride = static_cast<std::int64_t>(offsets[1] - offsets[0]);
    bool is_strided = true;
    for (std::size_t i = 2; i < offsets.size(); ++i)
        is_strided = is_strided && static_cast<std::int64_t>(offsets[i] - offsets[i - 1]) == stride;
    if (is_strided && stride == 0) return {AccessPattern::Broadcast, 0};
    const auto width = static_cast<std::int64_t>(width_bytes);
    if (is_strided && (stride == width || stride == -width)) return {AccessPattern::Contiguous, 0};
    if (is_strided) return {AccessPattern::Strided, stride};
    const auto [least, most] = std::ranges::minmax(offsets);
    if (most - least != (offsets.size() - 1) * width_bytes) return {AccessPattern::Scattered, 0};
    std::vector<std::uint64_t> sorted(offsets.begin(), offsets.end());
    std::ranges::sort(sorted);
    const bool is_whole = std::ranges::adjacent_find(sorted, [&](std::uint64_t a, std::uint64_t b) {
                              return b - a != width_bytes;
                          }) == sorted.end();
    return {is_whole ? AccessPattern::Contiguous : AccessPattern::Scattered, 0};
}

}  // namespace

std::uint64_t count_segments(std::span<const std::uint64_t> offsets, std::uint64_t width_bytes,
                             std::uint64_t segment_bytes) {
    const auto [least, most] = std::ranges::minmax(offsets);
    const std::uint64_t first = least / segment_bytes;
    const std::uint64_t count = (most + width_bytes - 1) / segment_bytes - first + 1;
    if (count == 1) return 1;
    if (count <= 64) {
        std::uint64_t touched = 0;
        for (const std::uint64_t offset : offsets)
            for (std::uint64_t s = offset / segment_bytes; s <= (offset + width_bytes - 1) / segment_bytes;
                 ++s)
                touched |= std::uint64_t{1} << (s - first);
        return static_cast<std::uint64_t>(std::popcount(touched));
    }
    std::vector<std::uint64_t> segments;
    for (const std::uint64_t offset : offsets)
        for (std::uint64_t s = offset / segment_bytes; s <= (offset + width_bytes - 1) / segment_bytes; ++s)
            segments.push_back(s);
    std::ranges::sort(segments);
    return static_cast<std::uint64_t>(std::unique(segments.begin(), segments.end()) - segments.begin());
}

BankCycles count_bank_cycles(std::span<const std::uint64_t> offsets, std::uint64_t width_bytes) {
    const std::uint64_t words = std::max<std::uint64_t>((width_bytes + kBankBytes - 1) / kBankBytes, 1);
    const std::size_t lanes = std::max<std::size_t>(kBanks / words, 1);
    BankCycles result;
    for (std::size_t first = 0; first < offsets.size(); first += lanes) {
        const auto part = offsets.subspan(first, std::min(lanes, offsets.size() - first));
        std::vector<std::uint64_t> wanted;
        for (const std::uint64_t offset : part)
            for (std::uint64_t w = offset / kBankBytes; w <= (offset + width_bytes - 1) / kBankBytes; ++w)
                wanted.push_back(w);
        std::ranges::sort(wanted);
        const auto end = std::unique(wanted.begin(), wanted.end());
        std::array<std::uint64_t, kBanks> of_bank{};
        for (auto word = wanted.begin(); word != end; ++word) ++of_bank[*word % kBanks];
        result.cycles += std::ranges::max(of_bank);
        result.ideal += 1;
    }
    return result;
}

std::uint64_t count_most_equal(std::span<const std::uint64_t> offsets) {
    std::vector<std::uint64_t> sorted(offsets.begin(), offsets.end());
    std::ranges::sort(sorted);
    std::uint64_t most = 0, equal = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        equal = i > 0 && sorted[i] == sorted[i - 1] ? equal + 1 : 1;
        most = std::max(most, equal);
    }
    return most;
}

Addressing classify(std::span<const std::uint64_t> offsets, std::uint64_t width_bytes,
                    std::size_t row_lanes) {
    if (row_lanes < 2 || row_lanes >= offsets.size() || offsets.size() % row_lanes != 0)
        return classify_row(offsets, width_bytes);
    const Addressing whole = classify_row(offsets, width_bytes);
    if (whole.pattern != AccessPattern::Scattered) return whole;
    const Addressing first = classify_row(offsets.first(row_lanes), width_bytes);
    for (std::size_t row = row_lanes; row < offsets.size(); row += row_lanes)
        if (classify_row(offsets.subspan(row, row_lanes), width_bytes) != first) return whole;
    return first;
}

}  // namespace kwb::xray
