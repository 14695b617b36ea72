// SPDX-License-Identifier: Apache-2.0
// Finds what memory held at any moment of a recording, and who stored it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/recording.hpp"

namespace kwb::debug {

/// Before a step of a work-item, counted in the whole group, also if only a part of it is recorded. The
/// number of its steps: after the last one.
struct Moment {
    std::uint32_t item = 0;  ///< local linear id
    std::size_t step = 0;

    friend bool operator==(const Moment&, const Moment&) = default;
};

/// An address that is the same in all recordings of a group.
struct Location {
    std::optional<std::size_t> region;  ///< nullopt: private memory
    std::uint64_t offset = 0;
};

/// Bytes of memory at a moment.
struct MemoryBytes {
    enum class State {
        Known,
        Unset,   ///< nothing has been stored there yet
        Unknown  ///< not in the recording
    };
    State state = State::Unknown;  ///< Known: at least some bytes
    std::string bytes;
    std::string unset;  ///< for each byte '\1' if it has no known value; empty: all have one
};

class Player {
public:
    explicit Player(std::shared_ptr<const Recording> recording) { show(std::move(recording)); }
    /// Another part of the same group.
    void show(std::shared_ptr<const Recording> recording);

    const Recording& recording() const { return *recording_; }
    std::uint32_t items() const { return static_cast<std::uint32_t>(steps_.size()); }
    /// From the first step in this part to the end of the last one.
    std::size_t first_step(std::uint32_t item) const { return before_.empty() ? 0 : before_[item]; }
    std::size_t steps(std::uint32_t item) const { return unlisted(item) + steps_[item].size(); }
    bool is_end(Moment moment) const { return moment.step >= steps(moment.item); }
    bool has(Moment moment) const {
        return moment.step >= first_step(moment.item) && moment.step <= steps(moment.item);
    }
    /// The work-item does nothing after this part.
    bool is_over(std::uint32_t item) const;
    /// Whether a work-item's way since the last barrier before a moment, to the next one, is in this part.
    bool has_interval(Moment moment, std::uint32_t item) const;
    /// A store before this part.
    bool is_earlier(std::uint32_t event) const { return event < recording_->earlier.size(); }
    /// Of an event in the group.
    std::uint64_t number(std::uint32_t event) const;
    std::uint64_t number_at(Moment moment) const { return number(event_of(moment)); }

    Location location(std::uint64_t address) const;
    std::uint64_t address(const Location& location) const;

    /// Of the moment: all events before it have happened.
    std::uint32_t event_of(Moment moment) const;
    /// The step in which a work-item's event happens; of one before this part, and of what the step that goes
    /// on at its beginning does, a step that is not in it.
    Moment moment_of(std::uint32_t event) const;
    /// The same; of a copy by the group, the first work-item's first step after it.
    Moment moment_at(std::uint32_t event) const {
        return recording_->events[event].item == kGroupCopy ? moment_after(event, 0) : moment_of(event);
    }
    /// Before the work-item's first step after an event.
    Moment moment_after(std::uint32_t event, std::uint32_t item) const;
    /// The site where the step begins; at the end, where the last one did. Null: the work-item has no steps.
    const RecordedSite* site(Moment moment) const;
    /// The call that the work-item is in; kNoFrame: none.
    std::uint32_t frame(Moment moment) const;
    std::size_t depth(std::uint32_t frame) const;
    /// Barriers that the group has passed.
    std::size_t interval(Moment moment) const;
    /// The work-item's first step after each barrier, ascending.
    std::vector<std::size_t> barrier_steps(std::uint32_t item) const;
    /// The moments at which the other work-items are as far as this one: before the same execution of the
    /// same line since the last barrier, counted from it. nullopt: it does not come there.
    /// @return  by work-item
    std::vector<std::optional<Moment>> same_moments(Moment moment) const;
    std::optional<Moment> same_moment(Moment moment, std::uint32_t item) const {
        return same_moments(moment)[item];
    }

    /// The last step of a work-item before the group passes its next barrier.
    Moment last_moment(Moment moment, std::uint32_t item) const;

    MemoryBytes read(std::uint32_t before_event, std::uint64_t address, std::uint64_t bytes) const;
    MemoryBytes read(Moment moment, std::uint64_t address, std::uint64_t bytes) const {
        return read(event_of(moment), address, bytes);
    }

    /// The last store to any of these bytes before an event, and the first one from it on.
    std::optional<std::uint32_t> last_store(std::uint32_t before_event, std::uint64_t address,
                                            std::uint64_t bytes) const;
    /// The same, but also a store of a whole vector that leaves this component as it was.
    std::optional<std::uint32_t> last_writer(std::uint32_t before_event, std::uint64_t address,
                                             std::uint64_t bytes) const {
        return find_last(before_event, address, bytes, false);
    }
    std::optional<std::uint32_t> next_store(std::uint32_t from_event, std::uint64_t address,
                                            std::uint64_t bytes) const;

    /// What an event has read, or found before it stored.
    std::string_view old_bytes(const RecordedEvent& event) const;
    /// What an event has stored.
    std::string_view new_bytes(const RecordedEvent& event) const;

    /// The events that print, in their order.
    const std::vector<std::uint32_t>& prints() const { return prints_; }
    /// Those of a work-item between two of its moments.
    std::vector<std::uint32_t> prints_between(Moment from, Moment to) const;
    /// One line: without the line break at its end, and without control characters.
    std::string printed_line(std::uint32_t event) const;

    const RecordedRegion* region_at(std::uint64_t address) const;
    /// The events of a step.
    std::vector<std::uint32_t> events_in(Moment moment) const;

private:
    static constexpr std::uint64_t kGranule = 8;
    static constexpr std::uint64_t kComponentBytes = 4;

    struct StoredByte {
        char byte = 0;
        bool is_unset = false;
    };
    /// By the last store before an event; nullopt: nothing has stored there.
    std::optional<StoredByte> stored_byte(std::uint32_t before_event, std::uint64_t address) const;
    std::optional<std::string_view> stored_value(std::uint32_t before_event, std::uint64_t address,
                                                 std::uint64_t bytes) const;
    std::optional<std::uint32_t> find_last(std::uint32_t before_event, std::uint64_t address,
                                           std::uint64_t bytes, bool is_component) const;
    const RecordedEvent* step_event(Moment moment) const;
    bool has_begun_interval(Moment moment, std::uint32_t item) const {
        return interval(moment) > recording_->barriers || first_step(item) == 0;
    }
    /// The number of the first step in `steps_`, which may have begun before this part.
    std::size_t unlisted(std::uint32_t item) const { return first_step(item) > 0 ? first_step(item) - 1 : 0; }
    bool keeps(const RecordedEvent& event, std::uint64_t address, std::uint64_t bytes) const;
    bool may_be_component(std::uint64_t address, std::uint64_t bytes) const;
    std::optional<char> first_byte(std::uint64_t address) const;
    bool is_filling(const RecordedRegion& region, std::uint64_t address) const;
    const std::vector<std::uint32_t>* stores_at(std::uint64_t granule) const;

    std::shared_ptr<const Recording> recording_;
    std::vector<std::size_t> before_;                                       ///< by item: steps; empty: none
    std::vector<std::vector<std::uint32_t>> steps_;                         ///< by item: events
    std::vector<std::uint32_t> barriers_;                                   ///< events
    std::vector<std::uint32_t> prints_;                                     ///< events
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> stores_;  ///< by address / kGranule: events
};

}  // namespace kwb::debug
