// SPDX-License-Identifier: Apache-2.0
#include "debug/origins.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "debug/evaluate.hpp"
#include "debug/values.hpp"

namespace kwb::debug {

NamedMemory name_memory(const Player& player, std::uint64_t address, Moment moment, std::uint32_t frame) {
    const Recording& recording = player.recording();
    NamedMemory found{"", kUnknownType, address, 0};
    const auto element_of = [&](std::uint32_t type) {
        while (recording.types[type].kind == ValueKind::Array) type = recording.types[type].element;
        return type;
    };
    if (const RecordedRegion* const region = player.region_at(address)) {
        found.name = place_text(recording, address);
        found.type = element_of(region->type);
    } else {
        std::uint64_t offset = 0;
        for (const VisibleVariable& one : visible_variables({player, moment, frame})) {
            offset = address - one.address;
            if (offset >= std::max<std::uint64_t>(recording.types[one.type].bytes, 1)) continue;
            found.name = one.name;
            found.type = one.type;
            break;
        }
        while (recording.types[found.type].kind == ValueKind::Array) {
            found.type = recording.types[found.type].element;
            const std::uint64_t size = std::max<std::uint64_t>(recording.types[found.type].bytes, 1);
            found.name += fmt::format("[{}]", offset / size);
            offset %= size;
        }
    }
    found.bytes = recording.types[found.type].bytes;
    return found;
}

namespace {

Origin origin_of(const Player& player, const NamedMemory& memory, std::uint32_t before_event) {
    const Recording& recording = player.recording();
    Origin origin{memory, player.read(before_event, memory.address, memory.bytes)};
    origin.store = player.last_store(before_event, memory.address, memory.bytes);
    if (!origin.store || recording.events[*origin.store].kind == RecordedKind::Unset) {
        origin.store.reset();
        const RecordedRegion* const region = player.region_at(memory.address);
        if (region != nullptr && region->is_set) origin.from = Origin::From::BeforeLaunch;
    } else {
        // The first thing that a function does is to store its arguments.
        const RecordedEvent& event = recording.events[*origin.store];
        origin.from =
            recording.sites[event.site].place.column == 0 ? Origin::From::Argument : Origin::From::Store;
    }
    return origin;
}

}  // namespace

std::vector<Origin> origins_of(const Player& player, Moment moment) {
    const Recording& recording = player.recording();
    const XrayPlace& place = player.site(moment)->place;
    const std::uint32_t frame = player.frame(moment);
    std::vector<Origin> origins;
    const auto add = [&](std::uint64_t address, std::uint64_t bytes, std::uint32_t event) {
        NamedMemory memory = name_memory(player, address, moment, frame);
        // Pointers to buffers say nothing; what the compiler adds has no name.
        if (memory.name.empty() || recording.types[memory.type].kind == ValueKind::Pointer) return;
        memory.bytes = std::max(memory.bytes, bytes);
        Origin origin = origin_of(player, memory, event);
        const auto is_same = [&](const Origin& one) {
            return one.memory.address == memory.address && one.store == origin.store;
        };
        if (std::ranges::none_of(origins, is_same)) origins.push_back(std::move(origin));
    };
    for (const std::uint32_t number : player.events_in(moment)) {
        const RecordedEvent& event = recording.events[number];
        if (event.frame == frame && (event.kind == RecordedKind::Read || event.kind == RecordedKind::Atomic))
            add(event.address, event.bytes, number);
    }
    for (const RecordedSite& site : recording.sites)
        if (frame != kNoFrame && site.read_bytes > 0 && site.place.line == place.line &&
            site.place.file == place.file && site.function == recording.frames[frame].function)
            add(recording.frames[frame].base + static_cast<std::uint64_t>(site.read_offset), site.read_bytes,
                player.event_of(moment));
    return origins;
}

Store store_of(const Player& player, std::uint32_t number) {
    const Recording& recording = player.recording();
    const RecordedEvent& event = recording.events[number];
    Store store{name_memory(player, event.address, player.moment_of(number), event.frame), "", ""};
    if (store.memory.name.empty()) store.memory.name = "memory";
    if (store.memory.bytes != event.bytes) return store;
    const auto text = [&](std::string_view bytes) {
        return value_text(recording, store.memory.type, {bytes});
    };
    const bool had_value = player.read(number, event.address, event.bytes).state == MemoryBytes::State::Known;
    store.before = had_value ? text(player.old_bytes(event)) : "no value yet";
    store.now = text(player.new_bytes(event));
    return store;
}

std::string memory_text(const Recording& recording, std::uint32_t type, const MemoryBytes& value,
                        std::size_t most) {
    if (value.state == MemoryBytes::State::Unset) return "not set yet";
    if (value.state == MemoryBytes::State::Unknown) return "not recorded";
    return value_text(recording, type, {value.bytes, value.unset}, most);
}

}  // namespace kwb::debug
