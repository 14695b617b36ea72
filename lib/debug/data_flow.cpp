// SPDX-License-Identifier: Apache-2.0
#include "debug/data_flow.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace kwb::debug {
namespace {

constexpr std::size_t kMostStores = 200'000;
constexpr std::uint64_t kPartBytes = 4;  ///< parts of variables have stores of their own

class Follower {
public:
    Follower(const Player& player, const std::function<bool(const XrayPlace&)>& ends_statement)
        : player_(player), recording_(player.recording()), ends_statement_(ends_statement) {}

    ReadsBehind follow(std::uint32_t store) {
        add_store(store);
        while (!waiting_.empty() && found_.is_complete) {
            const std::uint32_t next = waiting_.back();
            waiting_.pop_back();
            add_statement(next);
        }
        return std::move(found_);
    }

private:
    void add_store(std::uint32_t store) {
        if (!stores_.insert(store).second) return;
        waiting_.push_back(store);
        if (recording_.events[store].item == kGroupCopy || stores_.size() > kMostStores ||
            player_.is_earlier(store))
            found_.is_complete = false;
    }

    /// What the statement of a store has read. Its lines are steps of their own, and calls interrupt it. At
    /// -O0 a value stays in a register only within a statement.
    void add_statement(std::uint32_t store) {
        Moment moment = player_.moment_of(store);
        const std::uint32_t frame = player_.frame(moment);
        const std::size_t depth = player_.depth(frame);
        XrayPlace first = player_.site(moment)->place;
        bool was_called = false;
        while (true) {
            add_step(moment);
            if (moment.step <= player_.first_step(moment.item)) {
                found_.is_complete = found_.is_complete && moment.step == 0;
                return;
            }
            --moment.step;
            const bool is_called = player_.depth(player_.frame(moment)) > depth;
            if (!is_called) {
                const XrayPlace& place = player_.site(moment)->place;
                // Of lines behind the first one, unless it ends there: a loop's body is behind its header.
                const bool is_behind = place.line > first.line && !ends_statement_(first);
                if (player_.frame(moment) != frame || !(was_called || is_behind || !ends_statement_(place)))
                    return;
                if (place.line < first.line) first = place;
            }
            was_called = is_called;
        }
    }

    /// An announced store may come before what it reads.
    void add_step(Moment moment) {
        if (!steps_.insert({moment.item, moment.step}).second) return;
        for (const std::uint32_t number : player_.events_in(moment)) {
            const RecordedEvent& event = recording_.events[number];
            if (event.kind == RecordedKind::Read || event.kind == RecordedKind::Atomic)
                add_read(event.address, event.bytes, number);
        }
        const RecordedSite* const step = player_.site(moment);
        const std::uint32_t frame = player_.frame(moment);
        if (step == nullptr || frame == kNoFrame) return;
        const RecordedFrame& call = recording_.frames[frame];
        const std::uint32_t end = player_.event_of({moment.item, moment.step + 1});
        for (const RecordedSite& site : recording_.sites)
            if (site.read_bytes > 0 && site.function == call.function &&
                site.place.line == step->place.line && site.place.file == step->place.file)
                for (const std::uint32_t before : {player_.event_of(moment), end})
                    add_read(call.base + static_cast<std::uint64_t>(site.read_offset), site.read_bytes,
                             before);
    }

    void add_read(std::uint64_t address, std::uint64_t bytes, std::uint32_t before_event) {
        const RecordedRegion* const region = player_.region_at(address);
        const bool is_buffer = region != nullptr && !region->is_variable;
        const std::uint64_t size =
            is_buffer ? std::max<std::uint64_t>(recording_.types[region->type].bytes, 1) : kPartBytes;
        for (std::uint64_t at = address; at < address + bytes; at += size) {
            if (const auto store =
                    player_.last_writer(before_event, at, std::min(size, address + bytes - at)))
                add_store(*store);
            else if (is_buffer)
                ++found_.elements[static_cast<std::size_t>(region - recording_.regions.data())]
                                 [(at - region->address) / size];
        }
    }

    const Player& player_;
    const Recording& recording_;
    const std::function<bool(const XrayPlace&)>& ends_statement_;
    ReadsBehind found_;
    std::set<std::uint32_t> stores_;
    std::set<std::pair<std::uint32_t, std::size_t>> steps_;
    std::vector<std::uint32_t> waiting_;
};

}  // namespace

ReadsBehind reads_behind(const Player& player, std::uint32_t store,
                         const std::function<bool(const XrayPlace&)>& ends_statement) {
    return Follower(player, ends_statement).follow(store);
}

}  // namespace kwb::debug
