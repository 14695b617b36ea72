// SPDX-License-Identifier: Apache-2.0
#include "debug/stored_places.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "debug/memory_names.hpp"

namespace kwb::debug {
namespace {

/// "float": a component of a vector, an element of an array.
std::uint32_t component_type(const Recording& recording, std::uint32_t type) {
    while (recording.types[type].kind == ValueKind::Vector || recording.types[type].kind == ValueKind::Array)
        type = recording.types[type].element;
    return type;
}

class StoreSorter {
public:
    StoreSorter(const RecordedSide& side, bool has_variables)
        : side_(side), recording_(side.player.recording()) {
        for (auto i = static_cast<std::uint32_t>(recording_.earlier.size()); i < recording_.events.size();
             ++i) {
            const RecordedEvent& event = recording_.events[i];
            if (!event.stores() || event.kind == RecordedKind::Unset || event.bytes == 0) continue;
            const RecordedRegion* const region = side.player.region_at(event.address);
            const std::string buffer = region == nullptr ? "" : buffer_name(side, *region);
            if (!buffer.empty() && region->space == AddressSpace::Global)
                add_elements(i, *region, buffer);
            else if (has_variables)
                add_variable(i, region != nullptr);
        }
    }
    std::map<StoredPlace, PlaceStores> take() { return std::move(places_); }

private:
    struct Target {
        std::vector<StoredPart>* parts = nullptr;  ///< nullptr: the source has no name for it
        std::uint32_t type = kUnknownType;
    };

    /// In bytes, so that kernels that declare the buffer as float and as float4 can be compared.
    void add_elements(std::uint32_t number, const RecordedRegion& region, const std::string& buffer) {
        const RecordedEvent& event = recording_.events[number];
        const std::uint32_t type = component_type(recording_, region.type);
        const auto size =
            static_cast<std::uint32_t>(std::max<std::uint64_t>(recording_.types[type].bytes, 1));
        for (std::uint32_t at = 0; at + size <= event.bytes; at += size) {
            const auto [target, is_new] = targets_.try_emplace({0, event.address + at, kGroupCopy});
            if (is_new) target->second.parts = &places_[{buffer, event.address + at - region.address}].parts;
            target->second.parts->push_back({number, at, size, type});
        }
    }

    void add_variable(std::uint32_t number, bool is_shared) {
        const RecordedEvent& event = recording_.events[number];
        if (!is_shared && event.frame == kNoFrame) return;
        // What a place of the source stores to at an offset in the frame is always the same variable.
        const std::uint64_t base = is_shared ? 0 : recording_.frames[event.frame].base;
        const std::uint32_t item = is_shared ? kGroupCopy : event.item;
        const auto [target, is_new] =
            targets_.try_emplace({is_shared ? 0 : event.site, event.address - base, item});
        if (is_new) target->second = named_target(number, is_shared, item);
        if (target->second.parts != nullptr)
            target->second.parts->push_back({number, 0, event.bytes, target->second.type});
    }

    Target named_target(std::uint32_t number, bool is_shared, std::uint32_t item) {
        const RecordedEvent& event = recording_.events[number];
        const NamedMemory memory = name_memory(side_.player, event.address, event.bytes,
                                               side_.player.moment_of(number), event.frame);
        if (memory.name.empty() || memory.type == kUnknownType) return {};
        std::string function;  // that of the kernel may have another name in the other recording
        if (!is_shared) function = recording_.functions[recording_.frames[event.frame].function].name;
        if (function == recording_.kernel) function.clear();
        PlaceStores& stores = places_[{function + " " + memory.name, 0, item}];
        stores.shown = text_of(memory, event.bytes, recording_);
        return {&stores.parts, memory.type};
    }

    const RecordedSide& side_;
    const Recording& recording_;
    std::map<StoredPlace, PlaceStores> places_;
    std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>, Target>
        targets_;  ///< by site, address and work-item
};

}  // namespace

std::map<StoredPlace, PlaceStores> stores_by_place(const RecordedSide& side, bool has_variables) {
    return StoreSorter(side, has_variables).take();
}

std::string_view bytes_of(const Player& player, const StoredPart& part) {
    return player.new_bytes(player.recording().events[part.event]).substr(part.offset, part.bytes);
}

std::string name_of_element(const RecordedSide& side, const StoredPlace& element, std::uint64_t bytes) {
    const Recording& recording = side.player.recording();
    for (std::size_t i = 0; i < std::min(side.buffers.size(), recording.regions.size()); ++i)
        if (side.buffers[i] == element.name)
            return text_of(
                name_memory(side.player, recording.regions[i].address + element.offset, bytes, {}, kNoFrame),
                bytes, recording);
    return "";
}

}  // namespace kwb::debug
