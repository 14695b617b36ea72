#include "judge/processes/fault_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/verify/guards.hpp"

namespace kwb {
namespace {

/// Where no operating system puts anything, so that NULL pointers show.
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

std::string describe_crash(const Loss& loss) {
    const FaultNote& fault = *loss.fault;
    const std::string signal = loss.evidence.signal.value_or("a memory fault");
    if (fault.address_unknown)
        return fmt::format(
            "the kernel crashed ({}) on an access whose address the processor does not tell: most often a "
            "misaligned vector, loaded or stored through a pointer cast to float4* or the like where the "
            "address is no multiple of the vector's size (vload4 and vstore4 need none), or a pointer that "
            "is no address at all",
            signal);
    if (fault.address < kNullPageBytes)
        return fmt::format("the kernel crashed ({}): it {} through a NULL pointer (address {:#x})", signal,
                           verb_of(fault.access), fault.address);
    return fmt::format(
        "the kernel crashed ({}): it {} at address {:#x}, near none of its buffers: an index far outside "
        "(check signs and overflow of int products), a barrier that only some work-items reach, or a very "
        "large private array are the usual causes",
        signal, verb_of(fault.access), fault.address);
}

}  // namespace

std::optional<Trespass> find_trespass(const Loss& loss, const Layout& layout) {
    if (!loss.fault || loss.fault->address_unknown || !loss.fault->buffer) return std::nullopt;
    if (*loss.fault->buffer >= layout.slots.size()) return std::nullopt;
    const Slot& slot = layout.slots[*loss.fault->buffer];
    const std::int64_t offset = loss.fault->offset;
    if (offset >= 0 && offset < static_cast<std::int64_t>(slot.bytes())) return std::nullopt;
    return Trespass{&slot, floor_divide(offset, static_cast<std::int64_t>(slot.type.bytes())),
                    loss.fault->access};
}

std::string describe(const Trespass& trespass) {
    return verb_of(trespass.access) + " " + describe_element(trespass.element, *trespass.slot);
}

bool is_of_unknown_address(const Loss& loss) {
    return loss.verdict == Verdict::KernelCrashed && loss.fault && loss.fault->address_unknown;
}

Loss explain_fault(Loss loss, const Layout& layout) {
    if (const auto trespass = find_trespass(loss, layout)) {
        loss.verdict = Verdict::OutOfBounds;
        loss.reason = describe(*trespass);
        loss.evidence.buffer = trespass->slot->name;
        loss.evidence.access = name_of(trespass->access);
        loss.evidence.element = trespass->element;
    } else if (loss.fault && loss.verdict == Verdict::KernelCrashed) {
        loss.reason = describe_crash(loss);
        loss.evidence.access = name_of(loss.fault->access);
    }
    return loss;
}

std::string describe_work_item(const std::vector<std::uint64_t>& global_id) {
    return fmt::format("by work-item ({})", fmt::join(global_id, ", "));
}

}  // namespace kwb
