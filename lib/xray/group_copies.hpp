// SPDX-License-Identifier: Apache-2.0
// The asynchronous copies of one work-group and their events.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace kwb::xray {

class GroupCopies {
public:
    /// Discards all copies and events.
    void begin_group() { *this = {}; }

    /// Adds the next copy. @param event  that it joins; 0: a new one. @return  the event
    std::uint64_t begin(std::uint64_t event, std::uint32_t site) {
        sites_.push_back(site);
        if (event == 0) event = kMark + ++events_made_;
        copies_[event].push_back(count());
        return event;
    }

    /// Copies are numbered 1 … count().
    std::uint32_t count() const { return static_cast<std::uint32_t>(sites_.size()); }
    std::uint32_t site_of(std::uint32_t copy) const { return sites_[copy - 1]; }
    /// True if a copy of this group created the event.
    bool knows(std::uint64_t event) const { return copies_.contains(event); }
    /// @param event  a known one. @return  its copies so far
    const std::vector<std::uint32_t>& of(std::uint64_t event) const { return copies_.at(event); }

private:
    /// Distinguishes events from the contents of an uninitialised event_t.
    static constexpr std::uint64_t kMark = 0x7E7E'0000'0000'0000;

    std::map<std::uint64_t, std::vector<std::uint32_t>> copies_;  ///< by event
    std::vector<std::uint32_t> sites_;
    std::uint64_t events_made_ = 0;
};

}  // namespace kwb::xray
