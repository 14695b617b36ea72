// SPDX-License-Identifier: Apache-2.0
#include "xray/next_part.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace kwb::xray {
namespace {

constexpr std::uint64_t kGranule = 8;

/// What is known of 8 bytes while events are read backwards.
struct Granule {
    std::uint64_t number = 0;                     ///< address / kGranule; 0: the place is free
    std::uint8_t stored = 0, changed = 0;         ///< a bit for each byte: it is, by a later event
    std::array<std::uint32_t, kGranule> first{};  ///< event
};

/// By address: a table with free places, twice as fast as std::unordered_map.
class Granules {
public:
    Granule& operator[](std::uint64_t number) {
        Granule* granule = &place_of(number);
        if (granule->number == number) return *granule;
        if (2 * ++used_ > places_.size()) {
            grow();
            granule = &place_of(number);
        }
        granule->number = number;
        return *granule;
    }
    const std::vector<Granule>& places() const { return places_; }

private:
    Granule& place_of(std::uint64_t number) {
        // Knuth, The Art of Computer Programming, vol. 3, 6.4: multiplicative hashing.
        std::size_t at = number * 0x9E3779B97F4A7C15 >> shift_;
        while (places_[at].number != 0 && places_[at].number != number) at = (at + 1) & (places_.size() - 1);
        return places_[at];
    }
    void grow() {
        const std::vector<Granule> before = std::exchange(places_, std::vector<Granule>(places_.size() * 2));
        --shift_;
        for (const Granule& granule : before)
            if (granule.number != 0) place_of(granule.number) = granule;
    }

    int shift_ = 50;
    std::vector<Granule> places_ = std::vector<Granule>(std::size_t{1} << (64 - 50));
    std::size_t used_ = 0;
};

/// By event: whether a store shows what memory holds at the end.
std::vector<bool> needed_stores(const Recording& recording) {
    Granules granules;
    std::vector<bool> is_needed(recording.events.size());
    for (std::size_t i = recording.events.size(); i-- > 0;) {
        const RecordedEvent& event = recording.events[i];
        if (!event.stores()) continue;
        const char* const old = recording.values.data() + event.value;
        const bool may_keep = event.kind == RecordedKind::Write;
        Granule* granule = nullptr;
        for (std::uint64_t offset = 0; offset < event.bytes; ++offset) {
            const std::uint64_t byte = (event.address + offset) % kGranule;
            if (granule == nullptr || byte == 0) granule = &granules[(event.address + offset) / kGranule];
            const auto bit = static_cast<std::uint8_t>(1u << byte);
            const bool changes = !may_keep || old[offset] != old[event.bytes + offset];
            if ((granule->stored & bit) == 0 || (changes && (granule->changed & bit) == 0))
                is_needed[i] = true;
            granule->stored |= bit;
            if (changes) granule->changed |= bit;
            granule->first[byte] = static_cast<std::uint32_t>(i);
        }
    }
    for (const Granule& granule : granules.places())
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

std::vector<std::uint32_t> begin_next_part(Recording& recording, std::span<const std::uint32_t> live,
                                           const NewEvents& events) {
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
    const auto number_of = [&](std::size_t event) {
        if (event < recording.earlier.size()) return recording.earlier[event];
        event -= recording.earlier.size();
        return events.numbers.empty() ? recording.begin + event : events.numbers[event];
    };
    for (std::size_t i = 0; i < is_needed.size(); ++i) {
        if (!is_needed[i]) continue;
        RecordedEvent event = recording.events[i];
        const std::size_t bytes = event.stores() ? 2 * std::size_t{event.bytes} : 0;
        if (event.frame != kNoFrame) event.frame = frames[event.frame];
        const std::uint32_t value = std::exchange(event.value, static_cast<std::uint32_t>(values.size()));
        values.append(recording.values, value, bytes);
        earlier.push_back(number_of(i));
        recording.events[earlier.size() - 1] = event;
    }
    recording.events.resize(earlier.size());
    recording.earlier = std::move(earlier);
    recording.values = std::move(values);
    recording.begin = events.end;
    return frames;
}

}  // namespace kwb::xray
