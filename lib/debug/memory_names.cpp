// SPDX-License-Identifier: Apache-2.0
#include "debug/memory_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "debug/evaluate.hpp"
#include "debug/values.hpp"

namespace kwb::debug {
namespace {

constexpr std::size_t kMostValues = 16;  ///< that are listed

/// "[1][0]"
std::string index_text(std::uint64_t element, const std::vector<std::uint64_t>& extents) {
    std::string text;
    for (std::size_t d = extents.size(); d-- > 0;) {
        text = fmt::format("[{}]", element % extents[d]) + text;
        element /= extents[d];
    }
    return text;
}

/// Down to the element, member or component that has these bytes.
void descend(const Recording& recording, NamedMemory& memory, std::uint64_t offset, std::uint64_t bytes) {
    while (true) {
        const ValueType& type = recording.types[memory.type];
        if (type.kind == ValueKind::Array) {
            const std::uint64_t size = std::max<std::uint64_t>(recording.types[type.element].bytes, 1);
            memory.name += fmt::format("[{}]", offset / size);
            memory.type = type.element;
            offset %= size;
        } else if (type.kind == ValueKind::Struct && bytes < type.bytes) {
            const auto member = std::ranges::find_if(type.members, [&](const ValueType::Member& one) {
                return offset >= one.offset && offset + bytes <= one.offset + recording.types[one.type].bytes;
            });
            if (member == type.members.end()) return;
            memory.name += "." + member->name;
            memory.type = member->type;
            offset -= member->offset;
        } else if (type.kind == ValueKind::Vector && bytes == recording.types[type.element].bytes) {
            memory.name += "." + component_name(type.count, offset / bytes);
            memory.type = type.element;
            return;
        } else {
            return;
        }
    }
}

}  // namespace

NamedMemory name_memory(const Player& player, std::uint64_t address, std::uint64_t bytes, Moment moment,
                        std::uint32_t frame) {
    const Recording& recording = player.recording();
    NamedMemory found;
    if (const RecordedRegion* const region = player.region_at(address)) {
        found = {region->name, region->type};
        std::uint64_t offset = address - region->address;
        if (!region->is_variable) {
            const std::uint64_t size = std::max<std::uint64_t>(recording.types[region->type].bytes, 1);
            found.name += fmt::format("[{}]", offset / size);
            if (region->extents.size() > 1) found.index = index_text(offset / size, region->extents);
            offset %= size;
        }
        descend(recording, found, offset, bytes);
        return found;
    }
    // A pointer may lead into a caller's variable.
    for (const std::uint32_t own = frame; frame != kNoFrame; frame = recording.frames[frame].caller)
        for (const VisibleVariable& one : visible_variables({player, moment, frame})) {
            const std::uint64_t offset = address - one.address;
            if (offset >= std::max<std::uint64_t>(recording.types[one.type].bytes, 1)) continue;
            found = {one.name, one.type};
            descend(recording, found, offset, bytes);
            if (frame != own)
                found.name += " of " + recording.functions[recording.frames[frame].function].name;
            return found;
        }
    return found;
}

std::string values_text(const Recording& recording, std::uint32_t type, std::string_view bytes,
                        std::string_view unset) {
    const std::uint64_t size = std::max<std::uint64_t>(recording.types[type].bytes, 1);
    std::vector<std::string> values;
    for (std::uint64_t at = 0; at + size <= bytes.size(); at += size)
        values.push_back(value_text(recording, type,
                                    {bytes.substr(at, size), unset.empty() ? unset : unset.substr(at, size)},
                                    kMostValues));
    return join(values, ", ");
}

std::string text_of(const NamedMemory& memory, std::uint64_t bytes, const Recording& recording) {
    const std::uint64_t size = std::max<std::uint64_t>(recording.types[memory.type].bytes, 1);
    std::string name = memory.name;
    if (bytes > size && name.ends_with(']')) {
        const std::size_t bracket = name.rfind('[');
        const std::uint64_t first = std::stoull(name.substr(bracket + 1));
        name = fmt::format("{}[{} … {}]", name.substr(0, bracket), first, first + bytes / size - 1);
    }
    return name + (memory.index.empty() ? "" : " (" + memory.index + ")");
}

}  // namespace kwb::debug
