// SPDX-License-Identifier: Apache-2.0
// Whether two recordings have stored the same value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "debug/player.hpp"

namespace kwb::debug {

/// A recording, and what the problem calls the buffers that are its first regions.
struct RecordedSide {
    const Player& player;
    const std::vector<std::string>& buffers;
};

/// The name of the buffer in the problem; empty: it is none.
std::string buffer_name(const RecordedSide& side, const RecordedRegion& region);

struct TypedBytes {
    std::uint32_t type = kUnknownType;  ///< of the side's recording
    std::string_view bytes;
};

bool have_same_type(const RecordedSide& ours, TypedBytes here, const RecordedSide& theirs, TypedBytes there);

/// Floating-point numbers that differ by no more than rounding are the same, and so are pointers to the same
/// place: addresses differ between two runs.
bool are_same_values(const RecordedSide& ours, TypedBytes here, const RecordedSide& theirs, TypedBytes there);

}  // namespace kwb::debug
