// SPDX-License-Identifier: Apache-2.0
#include "model/recording.hpp"

#include <array>
#include <cstring>

#include "base/error.hpp"

namespace kwb {
namespace {

constexpr std::string_view kDamaged = "a damaged recording";

template <class Item>
void append(std::string& bytes, const std::vector<Item>& items) {
    bytes.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item));
}

template <class Item>
std::vector<Item> take(std::string_view& bytes, std::uint64_t count) {
    if (count > bytes.size() / sizeof(Item)) throw ProtocolError(std::string(kDamaged));
    std::vector<Item> items(count);
    if (count > 0) std::memcpy(items.data(), bytes.data(), count * sizeof(Item));
    bytes.remove_prefix(count * sizeof(Item));
    return items;
}

/// Whether `bytes` bytes from `offset` on are part of `size`.
bool fits(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
    return offset <= size && bytes <= size - offset;
}

bool is_sound(const Recording& recording) {
    const std::uint64_t items = recording.items();
    for (std::size_t i = 0; i < recording.frames.size(); ++i) {
        const RecordedFrame& frame = recording.frames[i];
        // Callers come before what they call, so that no chain of them is endless.
        if (frame.function >= recording.functions.size() || frame.site >= recording.sites.size() ||
            (frame.caller != kNoFrame && frame.caller >= i))
            return false;
    }
    for (const RecordedEvent& event : recording.events) {
        const bool has_value = event.kind == RecordedKind::Read || event.kind == RecordedKind::Print;
        const std::uint64_t values = event.stores() ? 2 : has_value ? 1 : 0;
        if (event.kind > RecordedKind::Print || event.site >= recording.sites.size() ||
            (event.item >= items && event.item != kGroupCopy) ||
            (event.frame != kNoFrame && event.frame >= recording.frames.size()) ||
            !fits(event.value, values * event.bytes, recording.values.size()))
            return false;
    }
    for (const RecordedPage& page : recording.pages)
        if (!fits(page.value, page.bytes, recording.values.size())) return false;
    return true;
}

}  // namespace

std::string recorded_bytes(const Recording& recording) {
    std::string bytes;
    const std::array<std::uint64_t, 2> counts{recording.frames.size(), recording.events.size()};
    bytes.reserve(sizeof(counts) + recording.frames.size() * sizeof(RecordedFrame) +
                  recording.events.size() * sizeof(RecordedEvent) + recording.values.size());
    bytes.append(reinterpret_cast<const char*>(counts.data()), sizeof(counts));
    append(bytes, recording.frames);
    append(bytes, recording.events);
    return bytes + recording.values;
}

void put_recorded_bytes(Recording& recording, std::string_view bytes) {
    const std::vector<std::uint64_t> counts = take<std::uint64_t>(bytes, 2);
    recording.frames = take<RecordedFrame>(bytes, counts[0]);
    recording.events = take<RecordedEvent>(bytes, counts[1]);
    recording.values = bytes;
    if (!is_sound(recording)) throw ProtocolError(std::string(kDamaged));
}

}  // namespace kwb
