// SPDX-License-Identifier: Apache-2.0
// What the next part of a recording that is too long begins with.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/recording.hpp"

namespace kwb::xray {

/// Of the events that a recording has got since its begin.
struct NewEvents {
    std::uint64_t end = 0;                        ///< the number of the next one, in the group
    std::span<const std::uint64_t> numbers = {};  ///< in the group; empty: they follow each other
};

/// Keeps of all events the stores that show what memory holds now, and who has stored it: of each byte the
/// first one, the last one and the last that changed it; and the step that each work-item is in.
/// @param live  frames that are needed, too
/// @return  by frame: its new number; kNoFrame: it is gone
std::vector<std::uint32_t> begin_next_part(Recording& recording, std::span<const std::uint32_t> live,
                                           const NewEvents& events);

}  // namespace kwb::xray
