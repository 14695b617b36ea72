// SPDX-License-Identifier: Apache-2.0
#include "xray/next_part.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>

namespace kwb::xray {
namespace {

/// By event: whether a store shows what memory holds at the end.
std::vector<bool> needed_stores(const Recording& recording) {
    constexpr std::uint64_t kGranule = 8;
    struct Granule {
        std::uint8_t stored = 0, changed = 0;         ///< a bit for each byte: it is, by a later event
        std::array<std::uint32_t, kGranule> first{};  ///< event
    };
    std::unordered_map<std::uint64_t, Granule> granules;
    std::vector<bool> is_needed(recording.events.size());
    for (std::size_t i = recording.events.size(); i-- > 0;) {
        const RecordedEvent& event = recording.events[i];
        if (!event.stores()) continue;
        const char* const old = recording.values.data() + event.value;
        Granule* granule = nullptr;
        for (std::uint64_t offset = 0; offset < event.bytes; ++offset) {
            const std::uint64_t byte = (event.address + offset) % kGranule;
            if (granule == nullptr || byte == 0) granule = &granules[(event.address + offset) / kGranule];
            const auto bit = static_cast<std::uint8_t>(1u << byte);
            const bool changes =
                event.kind != RecordedKind::Write || old[offset] != old[event.bytes + offset];
            if ((granule->stored & bit) == 0 || (changes && (granule->changed & bit) == 0))
                is_needed[i] = true;
            granule->stored |= bit;
            if (changes) granule->changed |= bit;
            granule->first[byte] = static_cast<std::uint32_t>(i);
        }
    }
    for (const auto& [address, granule] : granules)
        for (std::size_t byte = 0; byte < kGranule; ++byte)
            if ((granule.stored >> byte & 1) != 0) is_needed[granule.first[byte]] = true;
    return is_needed;
}

/// Counts the steps and barriers of the part, and marks the last step of each work-item.
void pass_steps(Recording& recording, std::vector<bool>& is_needed) {
    recording.steps_before.resize(recording.items());
    std::vector<std::size_t> last(recording.items(), SIZE_MAX);
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
        const RecordedEvent& event = recording.events[i];
        const bool is_new = i >= recording.earlier.size();
        if (event.kind == RecordedKind::Barrier && is_new) ++recording.barriers;
        if (event.kind != RecordedKind::Step) continue;
        if (is_new) ++recording.steps_before[event.item];
        last[event.item] = i;
    }
    for (const std::size_t event : last)
        if (event != SIZE_MAX) is_needed[event] = true;
}

/// Keeps only the frames that are marked, and their callers. @return  as begin_next_part()
std::vector<std::uint32_t> keep_frames(Recording& recording, std::vector<bool> is_needed) {
    for (std::size_t i = recording.frames.size(); i-- > 0;)  // callers come first
        if (is_needed[i] && recording.frames[i].caller != kNoFrame)
            is_needed[recording.frames[i].caller] = true;
    std::vector<std::uint32_t> numbers(recording.frames.size(), kNoFrame);
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < recording.frames.size(); ++i) {
        if (!is_needed[i]) continue;
        RecordedFrame frame = recording.frames[i];
        if (frame.caller != kNoFrame) frame.caller = numbers[frame.caller];
        recording.frames[count] = frame;
        numbers[i] = count++;
    }
    recording.frames.resize(count);
    return numbers;
}

}  // namespace

std::vector<std::uint32_t> begin_next_part(Recording& recording, std::span<const std::uint32_t> live) {
    std::vector<bool> is_needed = needed_stores(recording);
    pass_steps(recording, is_needed);
    std::vector<bool> has_frame(recording.frames.size());
    const auto need_frame = [&](std::uint32_t frame) {
        if (frame != kNoFrame) has_frame[frame] = true;
    };
    for (const std::uint32_t frame : live) need_frame(frame);
    for (std::size_t i = 0; i < is_needed.size(); ++i)
        if (is_needed[i]) need_frame(recording.events[i].frame);
    const std::vector<std::uint32_t> frames = keep_frames(recording, std::move(has_frame));
    std::vector<std::uint64_t> earlier;
    std::string values;
    const std::uint64_t end = recording.end();
    for (std::size_t i = 0; i < is_needed.size(); ++i) {
        if (!is_needed[i]) continue;
        RecordedEvent event = recording.events[i];
        const std::size_t bytes = event.stores() ? 2 * std::size_t{event.bytes} : 0;
        if (event.frame != kNoFrame) event.frame = frames[event.frame];
        const std::uint32_t value = std::exchange(event.value, static_cast<std::uint32_t>(values.size()));
        values.append(recording.values, value, bytes);
        const std::size_t old = recording.earlier.size();
        earlier.push_back(i < old ? recording.earlier[i] : recording.begin + i - old);
        recording.events[earlier.size() - 1] = event;
    }
    recording.events.resize(earlier.size());
    recording.earlier = std::move(earlier);
    recording.values = std::move(values);
    recording.begin = end;
    return frames;
}

}  // namespace kwb::xray
