// Guard zones around buffers: filled with noise, and unchanged if nobody strayed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/verify/layout.hpp"
#include "model/result.hpp"

namespace kwb {

/// Fill both zones of one allocation. @param secret  of this run; kernels cannot know it
void fill_guards(const Slot& slot, std::uint64_t secret, std::span<std::byte> allocation);

struct GuardDamage {
    std::int64_t element = 0;  ///< the changed element nearest to the payload; negative: before the first
    std::uint64_t changed_bytes = 0;
};

/// @param allocation  guard, payload, guard as read back
std::optional<GuardDamage> find_guard_damage(const Slot& slot, std::uint64_t secret,
                                             std::span<const std::byte> allocation);

/// "element 65536 of C (valid 0 … 65535), one past the end"
std::string describe_element(std::int64_t element, const Slot& slot);

/// "wrote element 65536 of C (valid 0 … 65535), one past the end"
std::string describe(const GuardDamage& damage, const Slot& slot);

}  // namespace kwb
