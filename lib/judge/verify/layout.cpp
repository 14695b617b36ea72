// SPDX-License-Identifier: Apache-2.0
#include "judge/verify/layout.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ipc/runner_messages.hpp"

namespace kwb {
namespace {

/// Detects a kernel whose rounded-up global size is off by a tile of rows of a small matrix, at negligible
/// cost. On a CPU device, what a kernel writes beyond them may damage the driver, which then crashes or
/// hangs.
constexpr std::uint64_t kGuardBytes = 65536;

/// Makes each allocation start on a new page of the arena.
constexpr std::uint64_t kArenaAlign = 4096;

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/// Number of bytes before and after a payload.
struct Margins {
    std::uint64_t front = 0;
    std::uint64_t back = 0;
};

Margins margins_of(const Slot& slot, const DeviceInfo& device, const Placement& placement) {
    if (placement.kind == Placement::Kind::Guarded) {
        const std::uint64_t guard =
            round_up(kGuardBytes, std::max<std::uint64_t>(1, device.base_align_bytes));
        return {guard, guard};
    }
    const std::uint64_t slack = round_up(slot.bytes(), kPageBytes) - slot.bytes();
    if (placement.kind == Placement::Kind::LeftAligned) return {0, slack};
    const std::uint64_t align = placement.align_bytes > 0 ? placement.align_bytes : slot.type.bytes();
    expects(kPageBytes % align == 0, "make_layout: an alignment that no page has");
    return {slack / align * align, slack % align};
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

Layout make_layout(const ProblemInstance& instance, const std::vector<const KernelPlan*>& plans,
                   const DeviceInfo& device, const Placement& placement) {
    Layout layout;
    layout.unreadable_pages = placement.kind != Placement::Kind::Guarded;
    const auto add = [&](Slot::Role role, const std::string& name, std::size_t owner, ElementType type,
                         std::uint64_t elements) {
        Slot slot{static_cast<std::uint32_t>(layout.slots.size()),
                  role,
                  name,
                  owner,
                  type,
                  elements,
                  0,
                  0,
                  layout.arena_bytes};
        const Margins margins = margins_of(slot, device, placement);
        slot.front_bytes = margins.front;
        slot.back_bytes = margins.back;
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
