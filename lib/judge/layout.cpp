#include "judge/layout.hpp"

#include <algorithm>

namespace kwb {
namespace {

/// Wide enough to catch a kernel that is off by a row of a small matrix, small enough to cost nothing.
constexpr std::uint64_t kGuardBytes = 16384;

/// Keeps each allocation on a page of its own in the arena.
constexpr std::uint64_t kArenaAlign = 4096;

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

const Slot* Layout::find(const std::string& name, std::size_t contestant) const {
    for (const Slot& slot : slots) {
        if (slot.name != name || slot.role == Slot::Role::Pristine) continue;
        if (slot.role != Slot::Role::Scratch || slot.owner == contestant) return &slot;
    }
    return nullptr;
}

const Slot* Layout::find_pristine(const std::string& name) const {
    for (const Slot& slot : slots)
        if (slot.role == Slot::Role::Pristine && slot.name == name) return &slot;
    return nullptr;
}

std::uint64_t Layout::total_bytes() const {
    std::uint64_t total = 0;
    for (const Slot& slot : slots) total += slot.whole_bytes();
    return total;
}

Layout make_layout(const ProblemInstance& instance, const std::vector<const KernelPlan*>& plans,
                   const DeviceInfo& device) {
    Layout layout;
    const std::uint64_t guard_bytes =
        round_up(kGuardBytes, std::max<std::uint64_t>(1, device.base_align_bytes));
    const auto add = [&](Slot::Role role, const std::string& name, std::size_t owner, ElementType type,
                         std::uint64_t elements) {
        Slot slot{static_cast<std::uint32_t>(layout.slots.size()),
                  role,
                  name,
                  owner,
                  type,
                  elements,
                  guard_bytes,
                  guard_bytes,
                  layout.arena_bytes};
        layout.arena_bytes += round_up(slot.whole_bytes(), kArenaAlign);
        layout.slots.push_back(std::move(slot));
    };
    for (const BufferSpec& buffer : instance.buffers) {
        const auto role = buffer.access == Access::Read ? Slot::Role::Input : Slot::Role::Output;
        add(role, buffer.name, 0, buffer.type, buffer.elements());
        if (buffer.access == Access::ReadWrite)
            add(Slot::Role::Pristine, buffer.name, 0, buffer.type, buffer.elements());
    }
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (plans[i] == nullptr) continue;
        for (const auto& [name, scratch] : plans[i]->scratch)
            add(Slot::Role::Scratch, name, i, scratch.type, std::max<std::uint64_t>(1, scratch.elements));
    }
    return layout;
}

}  // namespace kwb
