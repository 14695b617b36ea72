// SPDX-License-Identifier: Apache-2.0
// Which buffers a run needs, and where each one is in the shared memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "model/device_info.hpp"
#include "model/plan.hpp"
#include "model/problem.hpp"

namespace kwb {

/// The position of the payload in its allocation.
struct Placement {
    enum class Kind {
        Guarded,       ///< between wide guard zones, in memory of the driver
        RightAligned,  ///< in whole pages; ends as close to the following unreadable page as its alignment
                       ///< allows
        LeftAligned    ///< in whole pages; starts directly after an unreadable page
    };
    Kind kind = Kind::Guarded;
    /// RightAligned: the payload's address is a multiple of this, a power of two up to a page; 0: a multiple
    /// of its element size.
    std::uint64_t align_bytes = 0;
};

inline constexpr std::uint64_t kMostSlotBytes = std::uint64_t{1} << 56;

/// One device buffer between its guard zones.
struct Slot {
    enum class Role { Input, Output, Scratch, Pristine };
    std::uint32_t id = 0;  ///< index in Layout::slots
    Role role = Role::Input;
    std::string name;       ///< of the argument; for Pristine: of the buffer whose initial content it stores
    std::size_t owner = 0;  ///< Scratch: index of the contestant it belongs to
    ElementType type;
    std::uint64_t elements = 0;
    std::uint64_t front_bytes = 0;     ///< guard zone or slack before the payload
    std::uint64_t back_bytes = 0;      ///< guard zone or slack after the payload
    std::uint64_t offset = 0;          ///< of the whole allocation in the arena, bytes
    std::uint64_t repeated_bytes = 0;  ///< as in BuffersRequest::Buffer

    /// Sizes beyond the memory of any machine are reduced to kMostSlotBytes, so that sums do not overflow.
    std::uint64_t bytes() const { return std::min(elements, kMostSlotBytes / type.bytes()) * type.bytes(); }
    std::uint64_t whole_bytes() const { return front_bytes + bytes() + back_bytes; }
};

struct Layout {
    std::vector<Slot> slots;
    std::uint64_t arena_bytes = 0;
    bool unreadable_pages = false;  ///< each allocation consists of whole pages between unreadable ones
    bool trace = false;             ///< add the page where a traced build records its work-items

    /// The problem's buffer, or the scratch buffer of this contestant; nullptr if there is none with that
    /// name.
    const Slot* find(const std::string& name, std::size_t contestant) const;
    /// The saved initial content of an in-out buffer, or nullptr.
    const Slot* find_pristine(const std::string& name) const;
};

/// Slots have the same order and numbers for each placement.
/// @param plans  one for each contestant; null for cpu:blas and for members of other groups
Layout make_layout(const ProblemInstance& instance, const std::vector<const KernelPlan*>& plans,
                   const DeviceInfo& device, const Placement& placement = {});

}  // namespace kwb
