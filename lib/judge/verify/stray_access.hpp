// SPDX-License-Identifier: Apache-2.0
// Out-of-bounds accesses to a buffer: modified guard zones, and faults at unreadable pages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/processes/runner_process.hpp"
#include "judge/verify/layout.hpp"
#include "model/result.hpp"

namespace kwb {

/// Fills both guard zones of an allocation. @param secret  of this run; kernels cannot know it
void fill_guards(const Slot& slot, std::uint64_t secret, std::span<std::byte> allocation);

struct GuardDamage {
    std::int64_t element = 0;  ///< the modified element nearest to the payload; negative: before the first
    std::uint64_t changed_bytes = 0;
};

/// @param allocation  front guard, payload and back guard, as read back
std::optional<GuardDamage> find_guard_damage(const Slot& slot, std::uint64_t secret,
                                             std::span<const std::byte> allocation);

/// "wrote element 65536 of C (valid 0 … 65535), one past the end"
std::string describe(const GuardDamage& damage, const Slot& slot);

/// An access outside a buffer.
struct StrayAccess {
    const Slot* slot = nullptr;
    std::int64_t element =
        0;  ///< the one that contains the faulting byte; a wide access may have started before it
    FaultNote::Access access = FaultNote::Access::Unknown;
};

/// @return  nullopt if the failure has no fault note, or if its address is inside a buffer or not near any of
///          them
std::optional<StrayAccess> find_stray_access(const Failure& failure, const Layout& layout);

/// "read element 65536 of A (valid 0 … 65535), one past the end"
std::string describe(const StrayAccess& access);

/// True if the CPU did not report the address, most often for a vector that is not aligned to its size.
bool is_of_unknown_address(const Failure& failure);

/// Adds what a fault note reports: `out_of_bounds` with buffer and element, or a crash with address and usual
/// causes. Failures without a note, and those of the compiler, are returned unchanged.
Failure explain_fault(Failure failure, const Layout& layout);

/// "by work-item (64, 0)"
std::string describe_work_item(const std::vector<std::uint64_t>& global_id);

}  // namespace kwb
