// Which buffers a run needs, and where each lies in the shared memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/device_info.hpp"
#include "model/plan.hpp"
#include "model/problem.hpp"

namespace kwb {

/// One device buffer between its guard zones.
struct Slot {
    enum class Role { Input, Output, Scratch, Pristine };
    std::uint32_t id = 0;  ///< index in Layout::slots
    Role role = Role::Input;
    std::string name;       ///< of the argument; for Pristine: of the buffer whose first content it keeps
    std::size_t owner = 0;  ///< Scratch: index of the contestant it belongs to
    ElementType type;
    std::uint64_t elements = 0;
    std::uint64_t front_bytes = 0;  ///< guard zone or slack before the payload
    std::uint64_t back_bytes = 0;   ///< and behind it
    std::uint64_t offset = 0;       ///< of the whole allocation in the arena, bytes

    std::uint64_t bytes() const { return elements * type.bytes(); }
    std::uint64_t whole_bytes() const { return front_bytes + bytes() + back_bytes; }
};

struct Layout {
    std::vector<Slot> slots;
    std::uint64_t arena_bytes = 0;

    /// The problem's buffer, or the scratch buffer of this contestant; nullptr if there is none of that name.
    const Slot* find(const std::string& name, std::size_t contestant) const;
    /// The kept first content of an in-out buffer, or nullptr.
    const Slot* find_pristine(const std::string& name) const;
    std::uint64_t total_bytes() const;
};

/// @param plans  one a contestant; null for cpu:blas
Layout make_layout(const ProblemInstance& instance, const std::vector<const KernelPlan*>& plans,
                   const DeviceInfo& device);

}  // namespace kwb
