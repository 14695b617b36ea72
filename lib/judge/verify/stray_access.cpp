// SPDX-License-Identifier: Apache-2.0
#include "judge/verify/stray_access.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "base/text.hpp"
#include "judge/reference/inputs.hpp"

namespace kwb {
namespace {

std::uint64_t zone_seed(const Slot& slot, std::uint64_t secret, bool is_back) {
    return derive_seed(secret, fmt::format("{} {}", slot.id, is_back ? "back" : "front"));
}

/// No operating system maps memory below this, so faults there come from NULL pointers.
constexpr std::uint64_t kNullPageBytes = 4096;

std::int64_t floor_divide(std::int64_t value, std::int64_t by) {
    return value / by - (value % by < 0 ? 1 : 0);
}

std::string verb_of(FaultNote::Access access) {
    switch (access) {
        case FaultNote::Access::Read:
            return "read";
        case FaultNote::Access::Write:
            return "wrote";
        case FaultNote::Access::Unknown:
            break;
    }
    return "read or wrote";
}

std::optional<std::string> name_of(FaultNote::Access access) {
    if (access == FaultNote::Access::Unknown) return std::nullopt;
    return access == FaultNote::Access::Read ? "read" : "write";
}

std::string describe_crash(const Failure& failure) {
    const FaultNote& fault = *failure.fault;
    const std::string signal = failure.evidence.signal.value_or("a memory fault");
    if (fault.address_unknown)
        return fmt::format(
            "the kernel crashed ({}) on an access whose address the CPU does not report. The usual cause is "
            "a misaligned vector, loaded or stored through a pointer cast to float4* or the like where the "
            "address is not a multiple of the vector's size (vload4 and vstore4 do not need that), or an "
            "invalid pointer",
            signal);
    if (fault.address < kNullPageBytes)
        return fmt::format("the kernel crashed ({}): it {} through a NULL pointer (address {:#x})", signal,
                           verb_of(fault.access), fault.address);
    return fmt::format(
        "the kernel crashed ({}): it {} at address {:#x}, far from all of its buffers. The usual causes are "
        "an index far out of bounds (check signs and overflow of int products), a barrier that only some "
        "work-items reach, or a very large private array",
        signal, verb_of(fault.access), fault.address);
}

/// "element 65536 of C (valid 0 … 65535), one past the end"
std::string describe_element(std::int64_t element, const Slot& slot) {
    const auto last = static_cast<std::int64_t>(slot.elements) - 1;
    std::string where;
    if (element == last + 1)
        where = ", one past the end";
    else if (element > last)
        where = fmt::format(", {} past the end", element - last);
    else if (element == -1)
        where = ", one before the first";
    else if (element < 0)
        where = fmt::format(", {} before the first", -element);
    return fmt::format("element {} of {} (valid 0 … {}){}", element, slot.name, last, where);
}

}  // namespace

void fill_guards(const Slot& slot, std::uint64_t secret, std::span<std::byte> allocation) {
    fill_guard(allocation.first(slot.front_bytes), slot.type, zone_seed(slot, secret, false));
    fill_guard(allocation.last(slot.back_bytes), slot.type, zone_seed(slot, secret, true));
}

std::optional<GuardDamage> find_guard_damage(const Slot& slot, std::uint64_t secret,
                                             std::span<const std::byte> allocation) {
    const auto element_bytes = static_cast<std::int64_t>(slot.type.bytes());
    std::optional<GuardDamage> damage;
    for (const bool is_back : {true, false}) {
        const auto zone = is_back ? allocation.last(slot.back_bytes) : allocation.first(slot.front_bytes);
        std::vector<std::byte> clean(zone.size());
        fill_guard(clean, slot.type, zone_seed(slot, secret, is_back));
        if (zone.empty() || std::memcmp(zone.data(), clean.data(), zone.size()) == 0) continue;
        if (!damage) damage.emplace();
        std::optional<std::int64_t> nearest;
        for (std::size_t i = 0; i < zone.size(); ++i) {
            const std::size_t at = is_back ? i : zone.size() - 1 - i;  // proceed away from the payload
            if (zone[at] == clean[at]) continue;
            ++damage->changed_bytes;
            const auto distance = static_cast<std::int64_t>(i) / element_bytes;
            if (!nearest)
                nearest = is_back ? static_cast<std::int64_t>(slot.elements) + distance : -1 - distance;
        }
        damage->element = *nearest;
    }
    return damage;
}

std::string describe(const GuardDamage& damage, const Slot& slot) {
    return fmt::format("wrote {}; {} around the buffer {} changed", describe_element(damage.element, slot),
                       counted(damage.changed_bytes, "byte"), damage.changed_bytes == 1 ? "was" : "were");
}

std::optional<StrayAccess> find_stray_access(const Failure& failure, const Layout& layout) {
    if (!failure.fault || failure.fault->address_unknown || !failure.fault->buffer) return std::nullopt;
    if (*failure.fault->buffer >= layout.slots.size()) return std::nullopt;
    const Slot& slot = layout.slots[*failure.fault->buffer];
    const std::int64_t offset = failure.fault->offset;
    if (offset >= 0 && offset < static_cast<std::int64_t>(slot.bytes())) return std::nullopt;
    return StrayAccess{&slot, floor_divide(offset, static_cast<std::int64_t>(slot.type.bytes())),
                       failure.fault->access};
}

std::string describe(const StrayAccess& access) {
    return verb_of(access.access) + " " + describe_element(access.element, *access.slot);
}

bool is_of_unknown_address(const Failure& failure) {
    return failure.verdict == Verdict::KernelCrashed && failure.fault && failure.fault->address_unknown;
}

Failure explain_fault(Failure failure, const Layout& layout) {
    if (const auto access = find_stray_access(failure, layout)) {
        failure.verdict = Verdict::OutOfBounds;
        failure.reason = describe(*access);
        failure.evidence.buffer = access->slot->name;
        failure.evidence.access = name_of(access->access);
        failure.evidence.element = access->element;
    } else if (failure.fault && failure.verdict == Verdict::KernelCrashed) {
        failure.reason = describe_crash(failure);
        failure.evidence.access = name_of(failure.fault->access);
    }
    return failure;
}

std::string describe_work_item(const std::vector<std::uint64_t>& global_id) {
    return fmt::format("by work-item ({})", fmt::join(global_id, ", "));
}

}  // namespace kwb
