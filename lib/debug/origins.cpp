// SPDX-License-Identifier: Apache-2.0
#include "debug/origins.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "debug/values.hpp"
#include "model/xray_words.hpp"

namespace kwb::debug {
namespace {

Origin origin_of(const Player& player, const NamedMemory& memory, std::uint64_t address, std::uint64_t bytes,
                 std::uint32_t before_event) {
    const Recording& recording = player.recording();
    const MemoryBytes found = player.read(before_event, address, bytes);
    const std::uint64_t size = std::max<std::uint64_t>(recording.types[memory.type].bytes, 1);
    Origin origin;
    origin.name = text_of(memory, bytes, recording);
    origin.value = bytes % size != 0                          ? counted(bytes, "byte")
                   : found.state == MemoryBytes::State::Unset ? "not set yet"
                   : found.state == MemoryBytes::State::Unknown
                       ? "not recorded"
                       : values_text(recording, memory.type, found.bytes, found.unset);
    origin.address = address;
    origin.bytes = bytes;
    origin.store = player.last_store(before_event, address, bytes);
    if (!origin.store) {
        const RecordedRegion* const region = player.region_at(address);
        const bool is_known = region != nullptr && region->space != AddressSpace::Local &&
                              found.state == MemoryBytes::State::Known;
        if (is_known) origin.from = region->is_set ? Origin::From::BeforeLaunch : Origin::From::Earlier;
    } else {
        // The first thing that a function does is to store its arguments.
        const RecordedEvent& event = recording.events[*origin.store];
        origin.from = event.kind == RecordedKind::Unset               ? Origin::From::Declaration
                      : recording.sites[event.site].place.column == 0 ? Origin::From::Argument
                                                                      : Origin::From::Store;
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
        const NamedMemory memory = name_memory(player, address, bytes, moment, frame);
        if (memory.name.empty()) return;  // the compiler has added it
        Origin origin = origin_of(player, memory, address, bytes, event);
        if (recording.types[memory.type].kind == ValueKind::Pointer && origin.from == Origin::From::Argument)
            return;
        const auto is_same = [&](const Origin& one) {
            return one.name == origin.name && one.value == origin.value && one.store == origin.store;
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
    const NamedMemory memory =
        name_memory(player, event.address, event.bytes, player.moment_of(number), event.frame);
    const std::uint64_t size = recording.types[memory.type].bytes;
    Store store;
    if (memory.name.empty() || size == 0 || event.bytes % size != 0) {
        store.name = memory.name;
        return store;
    }
    store.name = text_of(memory, event.bytes, recording);
    store.is_declaration = event.kind == RecordedKind::Unset;
    const auto text = [&](std::uint32_t before_event) {
        const MemoryBytes held = player.read(before_event, event.address, event.bytes);
        return held.state != MemoryBytes::State::Known
                   ? "no value yet"
                   : values_text(recording, memory.type, held.bytes, held.unset);
    };
    store.now = text(number + 1);
    store.before = text(number);
    return store;
}

std::string line_text(const XrayPlace& place) {
    return place_text(XrayPlace{place.file, place.line, 0});
}

std::string store_text(const Player& player, std::uint32_t number) {
    const RecordedEvent& event = player.recording().events[number];
    const std::string line = line_text(player.recording().sites[event.site].place);
    if (player.is_earlier(number))
        return fmt::format("line {} stored it, before what is recorded here", line);
    const Store store = store_of(player, number);
    if (store.now.empty())
        return fmt::format("line {} stores {} to {}", line, counted(event.bytes, "byte"),
                           store.name.empty() ? "memory" : store.name);
    if (store.is_declaration) return fmt::format("line {} declares {} without a value", line, store.name);
    return fmt::format("line {} stores {} to {}, which held {}", line, store.now, store.name, store.before);
}

}  // namespace kwb::debug
