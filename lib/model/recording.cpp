// SPDX-License-Identifier: Apache-2.0
#include "model/recording.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "base/error.hpp"

namespace kwb {
namespace {

constexpr std::uint64_t kMostEvents = std::uint64_t{1} << 48;  ///< of a group; far more than X-ray can run
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

// Events are sent as differences: a step of a loop is what the previous one was, a few bytes further on. Nine
// of ten bytes need not be sent, nor held by three processes besides the events themselves.

/// What is expected of the next event. Both sides keep the same.
class Prediction {
public:
    /// Of a site, apart for steps, which access no memory.
    struct Habit {
        std::uint64_t address = 0;
        std::uint32_t bytes = 0;
        std::uint32_t follower = 0;  ///< number of the habit that came next
        RecordedKind kind = RecordedKind::Step;
    };

    explicit Prediction(std::size_t sites) : habits_(2 * sites + 1) {}

    static std::uint64_t number_of(const RecordedEvent& event) {
        return 2 * std::uint64_t{event.site} + (event.kind == RecordedKind::Step ? 1 : 0);
    }
    bool has(std::uint64_t number) const { return number < habits_.size() - 1; }
    const Habit& habit(std::uint64_t number) const { return habits_[number]; }
    const RecordedEvent& last() const { return last_; }
    std::uint32_t follower() const { return habits_[last_number_].follower; }
    std::uint32_t value() const { return value_; }

    void learn(const RecordedEvent& event) {
        const std::uint64_t number = number_of(event);
        habits_[last_number_].follower = static_cast<std::uint32_t>(number);
        Habit& habit = habits_[number];
        habit.address = event.address;
        habit.bytes = event.bytes;
        habit.kind = event.kind;
        last_ = event;
        last_number_ = number;
        if (event.bytes > 0) value_ = event.value + (event.stores() ? 2 : 1) * event.bytes;
    }

private:
    std::vector<Habit> habits_;  ///< the last one is that of the beginning
    std::uint64_t last_number_ = habits_.size() - 1;
    RecordedEvent last_;
    std::uint32_t value_ = 0;
};

// Which fields follow the first byte of an event, because they are not as expected.
constexpr std::uint8_t kOtherHabit = 1;
constexpr std::uint8_t kOtherKind = 2;
constexpr std::uint8_t kOtherItem = 4;
constexpr std::uint8_t kOtherFrame = 8;
constexpr std::uint8_t kOtherBytes = 16;
constexpr std::uint8_t kOtherValue = 32;
constexpr std::uint8_t kOtherAddress = 64;

/// Seven bits a byte, the lowest first.
void put_packed(std::string& bytes, std::uint64_t number) {
    for (; number >= 128; number >>= 7) bytes += static_cast<char>(number | 128);
    bytes += static_cast<char>(number);
}

std::uint8_t take_byte(std::string_view& bytes) {
    if (bytes.empty()) throw ProtocolError(std::string(kDamaged));
    const auto byte = static_cast<std::uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    return byte;
}

std::uint64_t take_packed(std::string_view& bytes) {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const std::uint8_t byte = take_byte(bytes);
        number |= std::uint64_t{byte & 127u} << shift;
        if (byte < 128) return number;
    }
    throw ProtocolError(std::string(kDamaged));
}

std::string pack_events(const std::vector<RecordedEvent>& events) {
    std::uint32_t most_site = 0;
    for (const RecordedEvent& event : events) most_site = std::max(most_site, event.site);
    Prediction prediction(std::size_t{most_site} + 1);
    std::string bytes;
    for (const RecordedEvent& event : events) {
        const std::uint64_t number = Prediction::number_of(event);
        const Prediction::Habit& habit = prediction.habit(number);
        const RecordedEvent& last = prediction.last();
        const auto flag = [](std::uint8_t bit, bool is_other) { return is_other ? bit : std::uint8_t{0}; };
        const auto others = static_cast<std::uint8_t>(
            flag(kOtherHabit, number != prediction.follower()) | flag(kOtherKind, event.kind != habit.kind) |
            flag(kOtherItem, event.item != last.item) | flag(kOtherFrame, event.frame != last.frame) |
            flag(kOtherBytes, event.bytes != habit.bytes) |
            flag(kOtherValue, event.value != (event.bytes > 0 ? prediction.value() : 0)) |
            flag(kOtherAddress, event.address != habit.address));
        bytes += static_cast<char>(others);
        if ((others & kOtherHabit) != 0) put_packed(bytes, number);
        if ((others & kOtherKind) != 0) bytes += static_cast<char>(event.kind);
        if ((others & kOtherItem) != 0) put_packed(bytes, event.item);
        if ((others & kOtherFrame) != 0) put_packed(bytes, event.frame);
        if ((others & kOtherBytes) != 0) put_packed(bytes, event.bytes);
        if ((others & kOtherValue) != 0) put_packed(bytes, event.value);
        if ((others & kOtherAddress) != 0) {  // short differences of either sign are small numbers
            const std::uint64_t difference = event.address - habit.address;
            put_packed(bytes, difference << 1 ^ (0 - (difference >> 63)));
        }
        prediction.learn(event);
    }
    return bytes;
}

/// @throws ProtocolError
template <class Whole>
Whole take_packed_as(std::string_view& bytes) {
    const std::uint64_t number = take_packed(bytes);
    if (number > std::numeric_limits<Whole>::max()) throw ProtocolError(std::string(kDamaged));
    return static_cast<Whole>(number);
}

/// @param take  of each event
/// @throws ProtocolError
template <class Take>
void unpack_events(std::string_view bytes, std::uint64_t count, std::size_t sites, const Take& take) {
    if (count > bytes.size()) throw ProtocolError(std::string(kDamaged));
    Prediction prediction(sites);
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto others = take_byte(bytes);
        const std::uint64_t number = (others & kOtherHabit) != 0 ? take_packed(bytes) : prediction.follower();
        if (!prediction.has(number)) throw ProtocolError(std::string(kDamaged));
        const Prediction::Habit& habit = prediction.habit(number);
        RecordedEvent event;
        event.site = static_cast<std::uint32_t>(number / 2);
        event.kind = (others & kOtherKind) != 0 ? static_cast<RecordedKind>(take_byte(bytes)) : habit.kind;
        event.item =
            (others & kOtherItem) != 0 ? take_packed_as<std::uint16_t>(bytes) : prediction.last().item;
        event.frame =
            (others & kOtherFrame) != 0 ? take_packed_as<std::uint32_t>(bytes) : prediction.last().frame;
        event.bytes = (others & kOtherBytes) != 0 ? take_packed_as<std::uint32_t>(bytes) : habit.bytes;
        event.value = (others & kOtherValue) != 0 ? take_packed_as<std::uint32_t>(bytes)
                      : event.bytes > 0           ? prediction.value()
                                                  : 0;
        event.address = habit.address;
        if ((others & kOtherAddress) != 0) {
            const std::uint64_t difference = take_packed(bytes);
            event.address += difference >> 1 ^ (0 - (difference & 1));
        }
        if (Prediction::number_of(event) != number) throw ProtocolError(std::string(kDamaged));
        prediction.learn(event);
        take(event);
    }
    if (!bytes.empty()) throw ProtocolError(std::string(kDamaged));
}

/// Whether `bytes` bytes from `offset` on are part of `size`.
bool fits(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
    return offset <= size && bytes <= size - offset;
}

/// What follows the frames and earlier events of a recording.
struct Packed {
    std::uint64_t count = 0;  ///< of events
    std::string_view events, values;
};

bool is_sound(const Recording& recording, const Packed& packed) {
    for (std::size_t i = 0; i < recording.frames.size(); ++i) {
        const RecordedFrame& frame = recording.frames[i];
        // Callers come before what they call, so that no chain of them is endless.
        if (frame.function >= recording.functions.size() || frame.site >= recording.sites.size() ||
            (frame.caller != kNoFrame && frame.caller >= i))
            return false;
    }
    for (const RecordedPage& page : recording.pages)
        if (!fits(page.value, page.bytes, packed.values.size())) return false;
    for (const std::uint64_t steps : recording.steps_before)
        if (steps > recording.begin) return false;
    return recording.begin <= kMostEvents && recording.earlier.size() <= packed.count &&
           std::ranges::is_sorted(recording.earlier) &&
           (recording.earlier.empty() || recording.earlier.back() < recording.begin);
}

/// Reads frames and earlier events into the recording, and checks all of it.
/// @param take_event  each event, and how many there are
template <class Take>
Packed read_recorded(Recording& recording, std::string_view bytes, const Take& take_event) {
    const std::vector<std::uint64_t> counts = take<std::uint64_t>(bytes, 4);
    recording.frames = take<RecordedFrame>(bytes, counts[0]);
    recording.earlier = take<std::uint64_t>(bytes, counts[3]);
    if (counts[2] > bytes.size() || counts[1] > counts[2]) throw ProtocolError(std::string(kDamaged));
    const Packed packed{counts[1], bytes.substr(0, counts[2]), bytes.substr(counts[2])};
    if (!is_sound(recording, packed)) throw ProtocolError(std::string(kDamaged));
    const std::uint64_t items = recording.items();
    unpack_events(packed.events, packed.count, recording.sites.size(), [&](const RecordedEvent& event) {
        const bool has_value = event.kind == RecordedKind::Read || event.kind == RecordedKind::Print;
        const std::uint64_t values = event.stores() ? 2 : has_value ? 1 : 0;
        if (event.kind > RecordedKind::Print || event.site >= recording.sites.size() ||
            (event.item >= items && event.item != kGroupCopy) ||
            (event.frame != kNoFrame && event.frame >= recording.frames.size()) ||
            !fits(event.value, values * event.bytes, packed.values.size()))
            throw ProtocolError(std::string(kDamaged));
        take_event(event, packed.count);
    });
    return packed;
}

}  // namespace

std::string recorded_bytes(const Recording& recording) {
    if (!recording.packed.empty()) return recording.packed;
    const std::string events = pack_events(recording.events);
    const std::array<std::uint64_t, 4> counts{recording.frames.size(), recording.events.size(), events.size(),
                                              recording.earlier.size()};
    std::string bytes;
    bytes.reserve(sizeof(counts) + recording.frames.size() * sizeof(RecordedFrame) +
                  recording.earlier.size() * sizeof(std::uint64_t) + events.size() + recording.values.size());
    bytes.append(reinterpret_cast<const char*>(counts.data()), sizeof(counts));
    append(bytes, recording.frames);
    append(bytes, recording.earlier);
    bytes += events;
    bytes += recording.values;
    return bytes;
}

void put_recorded_bytes(Recording& recording, std::string_view bytes) {
    recording.events.clear();
    const Packed packed =
        read_recorded(recording, bytes, [&](const RecordedEvent& event, std::uint64_t count) {
            if (recording.events.empty()) recording.events.reserve(count);
            recording.events.push_back(event);
        });
    recording.values = packed.values;
}

void pass_recorded_bytes(Recording& recording, std::string_view bytes) {
    read_recorded(recording, bytes, [](const RecordedEvent&, std::uint64_t) {});
    recording.frames.clear();
    recording.earlier.clear();
    recording.packed = bytes;
}

}  // namespace kwb
