// SPDX-License-Identifier: Apache-2.0
#include "debug/same_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "debug/values.hpp"

namespace kwb::debug {
namespace {

/// Empty: not in a buffer, and not in local memory.
std::string target_of(const RecordedSide& side, const Number& pointer) {
    const auto address = static_cast<std::uint64_t>(pointer.integer);
    const RecordedRegion* const region = side.player.region_at(address);
    if (region == nullptr) return address == 0 ? "NULL" : "";
    const std::string buffer = buffer_name(side, *region);
    return fmt::format("{} {}", buffer.empty() ? region->name : buffer, address - region->address);
}

/// Ten to a hundred times the rounding of a single operation.
bool differ_by_rounding(double here, double there, std::uint64_t bytes) {
    if (std::isnan(here) || std::isnan(there)) return std::isnan(here) && std::isnan(there);
    const double share = bytes >= 8 ? 1e-14 : bytes == 4 ? 1e-5 : 1e-2;
    return here == there || std::abs(here - there) <= share * std::max(std::abs(here), std::abs(there));
}

}  // namespace

std::string buffer_name(const RecordedSide& side, const RecordedRegion& region) {
    const auto number = static_cast<std::size_t>(&region - side.player.recording().regions.data());
    return number < side.buffers.size() && !region.is_variable ? side.buffers[number] : "";
}

bool have_same_type(const RecordedSide& ours, TypedBytes here, const RecordedSide& theirs, TypedBytes there) {
    return here.bytes.size() == there.bytes.size() &&
           type_name(ours.player.recording(), here.type) == type_name(theirs.player.recording(), there.type);
}

bool are_same_values(const RecordedSide& ours, TypedBytes here, const RecordedSide& theirs,
                     TypedBytes there) {
    const std::vector<ValueType>& our_types = ours.player.recording().types;
    const std::vector<ValueType>& their_types = theirs.player.recording().types;
    const ValueType& type = our_types[here.type];
    const ValueType& other = their_types[there.type];
    if (type.kind != other.kind || here.bytes.size() != there.bytes.size()) return false;
    if (here.bytes == there.bytes && type.kind != ValueKind::Pointer) return true;
    if (type.kind == ValueKind::Struct) {
        if (type.members.size() != other.members.size()) return false;
        for (std::size_t i = 0; i < type.members.size(); ++i) {
            const auto part = [](const std::vector<ValueType>& types, const ValueType::Member& member,
                                 std::string_view bytes) {
                return TypedBytes{member.type, bytes.substr(member.offset, types[member.type].bytes)};
            };
            if (!are_same_values(ours, part(our_types, type.members[i], here.bytes), theirs,
                                 part(their_types, other.members[i], there.bytes)))
                return false;
        }
        return true;
    }
    if (type.kind == ValueKind::Vector || type.kind == ValueKind::Array) {
        const std::uint64_t size = std::max<std::uint64_t>(our_types[type.element].bytes, 1);
        for (std::uint64_t at = 0; at + size <= here.bytes.size(); at += size)
            if (!are_same_values(ours, {type.element, here.bytes.substr(at, size)}, theirs,
                                 {other.element, there.bytes.substr(at, size)}))
                return false;
        return true;
    }
    const auto number = number_of(type, here.bytes), their_number = number_of(other, there.bytes);
    if (!number || !their_number) return false;
    if (type.kind == ValueKind::Pointer) return target_of(ours, *number) == target_of(theirs, *their_number);
    return number->is_floating() && differ_by_rounding(number->real, their_number->real, type.bytes);
}

}  // namespace kwb::debug
