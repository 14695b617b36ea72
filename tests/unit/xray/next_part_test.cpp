// SPDX-License-Identifier: Apache-2.0
// What the next part of a long recording begins with, against a plain search through all events.
#include "xray/next_part.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace kwb::test {
namespace {

constexpr std::uint32_t kItems = 3;

/// Everything that must be kept of an event, whatever its place.
struct Kept {
    std::uint64_t number = 0;  ///< in the group
    RecordedKind kind = RecordedKind::Step;
    std::uint16_t item = 0;
    std::uint64_t address = 0;
    std::string value;                 ///< of stores: the old bytes and the new ones
    std::vector<std::uint64_t> calls;  ///< bases of the frames that it happens in, innermost first
    friend bool operator==(const Kept&, const Kept&) = default;
};

/// A group that does random things, part by part.
struct RandomGroup {
    explicit RandomGroup(unsigned seed) : random(seed) { recording.local = {kItems}; }

    std::uint64_t below(std::uint64_t end) {
        return std::uniform_int_distribution<std::uint64_t>(0, end - 1)(random);
    }

    std::vector<std::uint64_t> calls_of(std::uint32_t frame) const {
        std::vector<std::uint64_t> bases;
        for (; frame != kNoFrame; frame = recording.frames[frame].caller)
            bases.push_back(recording.frames[frame].base);
        return bases;
    }
    std::uint32_t any_frame() {
        const std::uint64_t frame = below(recording.frames.size() + 1);
        return frame == recording.frames.size() ? kNoFrame : static_cast<std::uint32_t>(frame);
    }

    /// @param bytes  of memory that are stored to
    void act(std::size_t events, std::uint64_t bytes) {
        for (std::size_t i = 0; i < events; ++i) {
            if (below(4) == 0) {
                RecordedFrame frame{any_frame(), 0, 0, 0, ++frames, 0};
                recording.frames.push_back(frame);
            }
            RecordedEvent event;
            event.kind = static_cast<RecordedKind>(below(6));
            event.item =
                event.kind == RecordedKind::Barrier ? kGroupCopy : static_cast<std::uint16_t>(below(kItems));
            event.frame = any_frame();
            if (event.stores() || event.kind == RecordedKind::Read) {
                event.address = 0x10000 + below(bytes);
                event.bytes = static_cast<std::uint32_t>(1 + below(12));
                event.value = static_cast<std::uint32_t>(recording.values.size());
            }
            const std::uint64_t size = (event.stores() ? 2 : 1) * event.bytes;
            for (std::uint64_t at = 0; at < size; ++at) recording.values += static_cast<char>(below(2));
            next += 1 + below(2);  // others may have been passed
            numbers.push_back(next - 1);
            recording.events.push_back(event);
            all.push_back({next - 1, event.kind, event.item, event.address,
                           event.stores() ? recording.values.substr(event.value, size) : "",
                           calls_of(event.frame)});
            barriers += event.kind == RecordedKind::Barrier ? 1 : 0;
            if (event.kind == RecordedKind::Step) ++steps[event.item];
        }
    }

    /// Of each byte the first store, the last one and the last that changed it; of each work-item the last
    /// step.
    std::vector<Kept> wanted() const {
        std::map<std::uint64_t, std::tuple<std::size_t, std::size_t, std::size_t>> stores;
        std::map<std::uint16_t, std::size_t> last_steps;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Kept& one = all[i];
            if (one.kind == RecordedKind::Step) last_steps[one.item] = i;
            for (std::size_t at = 0; at < one.value.size() / 2; ++at) {
                const bool is_first = !stores.contains(one.address + at);
                auto& [first, last, change] = stores[one.address + at];
                if (is_first) first = change = i;
                last = i;
                if (one.kind != RecordedKind::Write || one.value[at] != one.value[at + one.value.size() / 2])
                    change = i;
            }
        }
        std::vector<bool> is_wanted(all.size());
        for (const auto& [item, step] : last_steps) is_wanted[step] = true;
        for (const auto& [address, three] : stores)
            is_wanted[std::get<0>(three)] = is_wanted[std::get<1>(three)] = is_wanted[std::get<2>(three)] =
                true;
        std::vector<Kept> kept;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (is_wanted[i]) kept.push_back(all[i]);
        return kept;
    }

    std::vector<Kept> found() const {
        std::vector<Kept> kept;
        for (std::size_t i = 0; i < recording.events.size(); ++i) {
            const RecordedEvent& event = recording.events[i];
            kept.push_back({recording.earlier.at(i), event.kind, event.item, event.address,
                            event.stores() ? recording.values.substr(event.value, 2 * event.bytes) : "",
                            calls_of(event.frame)});
        }
        return kept;
    }

    std::mt19937 random;
    Recording recording;
    std::vector<Kept> all;
    std::vector<std::uint64_t> numbers;  ///< of the part's events
    std::uint64_t next = 0, frames = 0, barriers = 0;
    std::map<std::uint16_t, std::uint64_t> steps;
};

void check_parts(unsigned seed, std::size_t events, std::uint64_t bytes) {
    CAPTURE(seed);
    RandomGroup group(seed);
    for (int part = 0; part < 4; ++part) {
        CAPTURE(part);
        group.act(events, bytes);
        const std::uint32_t live = group.any_frame();
        const std::vector<std::uint64_t> calls = group.calls_of(live);
        const std::vector<std::uint32_t> moved = xray::begin_next_part(
            group.recording, std::span(&live, 1), {group.next, std::exchange(group.numbers, {})});
        CHECK(group.recording.begin == group.next);
        CHECK(group.recording.barriers == group.barriers);
        for (const auto& [item, steps] : group.steps) CHECK(group.recording.steps_before.at(item) == steps);
        const bool is_kept = group.found() == group.wanted();
        CHECK(is_kept);
        if (live != kNoFrame) CHECK(group.calls_of(moved.at(live)) == calls);
    }
}

TEST_CASE("a part begins with the stores that show what memory holds, and the steps that work-items are in") {
    for (unsigned seed = 1; seed <= 40; ++seed) check_parts(seed, 50, 40);
    check_parts(41, 12'000, 400'000);  // more places than the table has at first
}

TEST_CASE("events without numbers of their own follow each other") {
    RandomGroup group(7);
    group.recording.begin = 0;
    RecordedEvent step;
    for (std::uint16_t item = 0; item < kItems; ++item) {
        step.item = item;
        group.recording.events.push_back(step);
    }
    xray::begin_next_part(group.recording, {}, {10});
    CHECK(group.recording.earlier == std::vector<std::uint64_t>{0, 1, 2});
    group.recording.events.push_back(step);
    xray::begin_next_part(group.recording, {}, {11});
    CHECK(group.recording.earlier == std::vector<std::uint64_t>{0, 1, 10});
}

}  // namespace
}  // namespace kwb::test
