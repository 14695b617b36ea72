#include "judge/verify/guards.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/text.hpp"
#include "judge/reference/inputs.hpp"

namespace kwb {
namespace {

std::uint64_t zone_seed(const Slot& slot, std::uint64_t secret, bool behind) {
    return random_at(secret, slot.id * 2 + (behind ? 1 : 0));
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
    for (const bool behind : {true, false}) {
        const auto zone = behind ? allocation.last(slot.back_bytes) : allocation.first(slot.front_bytes);
        std::vector<std::byte> clean(zone.size());
        fill_guard(clean, slot.type, zone_seed(slot, secret, behind));
        if (zone.empty() || std::memcmp(zone.data(), clean.data(), zone.size()) == 0) continue;
        if (!damage) damage.emplace();
        std::optional<std::int64_t> nearest;
        for (std::size_t i = 0; i < zone.size(); ++i) {
            const std::size_t at = behind ? i : zone.size() - 1 - i;  // walk away from the payload
            if (zone[at] == clean[at]) continue;
            ++damage->changed_bytes;
            const auto distance = static_cast<std::int64_t>(i) / element_bytes;
            if (!nearest)
                nearest = behind ? static_cast<std::int64_t>(slot.elements) + distance : -1 - distance;
        }
        damage->element = *nearest;
    }
    return damage;
}

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

std::string describe(const GuardDamage& damage, const Slot& slot) {
    return fmt::format("wrote {}; {} around the buffer {} changed", describe_element(damage.element, slot),
                       counted(damage.changed_bytes, "byte"), damage.changed_bytes == 1 ? "was" : "were");
}

}  // namespace kwb
