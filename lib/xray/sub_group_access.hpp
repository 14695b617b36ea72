// SPDX-License-Identifier: Apache-2.0
// The cost of one access of a sub-group: sectors and lines of global memory, cycles of local memory's banks.
#pragma once

#include <cstdint>
#include <span>

#include "model/xray.hpp"

namespace kwb::xray {

inline constexpr std::uint64_t kLineBytes = 128;
inline constexpr std::uint64_t kBanks = 32;
inline constexpr std::uint64_t kBankBytes = 4;

/// Count the aligned segments that one access of a sub-group touches.
/// @param offsets        first byte of each active lane; at least one, any order
/// @param width_bytes    bytes each lane moves, at least 1
/// @param segment_bytes  one transaction, a power of two
/// @return  distinct segments, at least 1
/// Ideal for n contiguous aligned lanes: ceil(n * width_bytes / segment_bytes).
/// Source: NVIDIA, CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory".
std::uint64_t count_segments(std::span<const std::uint64_t> offsets, std::uint64_t width_bytes,
                             std::uint64_t segment_bytes);

/// Cycles of local memory: in each, a bank delivers one word to all lanes that read it.
struct BankCycles {
    std::uint64_t cycles = 0;
    std::uint64_t ideal = 0;  ///< without conflicts
};

/// Accesses of more than 4 bytes are split as hardware does: 8 bytes by half of the lanes, 16 bytes by a
/// quarter.
/// @param offsets      as above; lanes in order
/// Source: NVIDIA, CUDA C++ Programming Guide, "Shared Memory", compute capability 5.0 and later.
BankCycles count_bank_cycles(std::span<const std::uint64_t> offsets, std::uint64_t width_bytes);

/// @return  how many lanes have the most frequent offset, at least 1
std::uint64_t count_most_equal(std::span<const std::uint64_t> offsets);

/// How lanes address memory.
struct Addressing {
    AccessPattern pattern = AccessPattern::Scattered;
    std::int64_t stride_bytes = 0;  ///< of Strided

    friend auto operator<=>(const Addressing&, const Addressing&) = default;
};

/// @param row_lanes  lanes of one row of the work-group: rows that address memory alike count as one pattern
Addressing classify(std::span<const std::uint64_t> offsets, std::uint64_t width_bytes, std::size_t row_lanes);

}  // namespace kwb::xray
