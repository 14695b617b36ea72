// SPDX-License-Identifier: Apache-2.0
// Records what the work-items of one group do, with the old and new values of everything they store.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "model/recording.hpp"
#include "xray/debug_info.hpp"
#include "xray/observer.hpp"

namespace kwb::xray {

class Recorder {
public:
    /// @param what  with the group and the part to record
    Recorder(const DebugInfo& debug, const XrayOptions& what);

    /// True between begin_group() and end_group() of the recorded group, until the part is full.
    bool is_on() const { return is_on_; }
    /// What follows does not matter.
    bool is_done() const { return recording_.goes_on && recording_.begin > 0; }
    /// The part has not all that was asked for: it was taken for one that lies before it.
    bool has_lost() const { return has_lost_; }
    /// Record all parts as if each was asked for, which takes longer. Before the group begins.
    void keep_all() { keeps_all_ = true; }

    /// While View::pause() waits: what take() has given, of which the next part needs something.
    void take_back(Recording recorded);
    /// Then: whether a part can be recorded from here on.
    bool can_go_on_to(const XrayOptions& what) const;
    void go_on_to(const XrayOptions& what);

    void begin_group(View& view);
    /// An access, before it happens.
    /// @param item        local linear id, or kGroupItem
    /// @param is_private  to the work-item's own stack
    void access(View& view, std::uint32_t item, std::uint32_t site, std::uintptr_t address,
                std::uint64_t bytes, Access access, bool is_private);
    /// What was announced last happens only after further events of the work-item: finish_stores() follows.
    void await_store() { is_awaiting_ = !stores_.empty(); }
    /// A work-item begins a basic block.
    void block(View& view, std::uint32_t item, std::uint32_t site, FramePlace frame);
    /// A work-item reaches a place where it waits.
    void wait(View& view, std::uint32_t item, std::uint32_t site);
    /// A work-item prints a text.
    void print(View& view, std::uint32_t item, std::uint32_t site, std::string_view text);
    /// The stores that were announced have happened: keeps what they have stored. Before other work-items
    /// run.
    void finish_stores();
    /// All work-items have passed a barrier.
    void barrier(View& view);
    /// A work-item has come to its end.
    void end_item(std::uint32_t item) { items_[item].is_done = true; }
    void end_group(View& view);

    bool has_recorded() const { return !recording_.local.empty(); }
    Recording take();

private:
    struct ItemState {
        std::uint32_t frame = kNoFrame;
        std::uint32_t step_site = UINT32_MAX;  ///< of the current step
        std::uint32_t step_frame = kNoFrame;
        std::vector<std::uint32_t> blocks;  ///< that the current step has begun
        bool is_done = false;
    };
    /// Of a site: what it always reads.
    enum class Reading : std::uint8_t { Unknown, Fixed, Varying };

    /// What a part holds, also of what is not kept while it is passed.
    struct Held {
        std::uint64_t events = 0, values = 0, frames = 0;
    };

    RecordedEvent& add(std::uint32_t item, std::uint32_t site, RecordedKind kind, std::uint64_t value_bytes);
    void add_value(RecordedEvent& event, std::uintptr_t address, std::uint64_t bytes);
    /// Counts an event, and the bytes of its value.
    void count(std::uint64_t bytes);
    /// @return  false: the part is full
    bool begin_step(View& view, std::uint32_t item, std::uint32_t site);
    /// @param good_place  a part that begins here is easier to follow
    bool is_full(bool good_place) const;
    bool is_wanted_part() const;
    /// @return  false: it was the one to record, or what must be kept is too much
    bool end_part(View& view);
    void begin_part();
    /// Keeps of what has happened only what the next part needs.
    void pass_events();
    void stop();
    bool is_step(const ItemState& state, std::uint32_t site) const;
    /// The work-item is at a site that is no access: perhaps it begins a step.
    /// @return  as begin_step()
    bool come_to(View& view, std::uint32_t item, std::uint32_t site);
    void return_to(ItemState& state, std::uint32_t function) const;
    const RecordedSite& know(View& view, std::uint32_t site);
    bool is_fixed_read(const ItemState& state, std::uint32_t site, std::uintptr_t address,
                       std::uint64_t bytes);
    bool is_unset_mark(const RecordedEvent& event);
    void keep_pages(View& view);

    const DebugInfo& debug_;
    std::uint32_t launch_;
    std::vector<std::uint64_t> group_;
    std::uint64_t from_, part_events_;
    std::optional<std::uint32_t> wanted_item_;
    bool is_on_ = false;
    bool is_paused_ = false;
    bool is_awaiting_ = false;
    bool is_passing_ = false;  ///< this part cannot be the wanted one
    bool keeps_all_ = false, has_lost_ = false;
    std::uint64_t next_ = 0, part_begin_ = 0;  ///< events of the group
    Held held_;
    std::vector<std::uint64_t> numbers_;  ///< while parts are passed: of the new events
    std::size_t most_passed_ = 0;         ///< events that are held before pass_events()
    Recording recording_;
    std::vector<ItemState> items_;
    std::vector<std::uint32_t> stores_;                    ///< events whose new values are not known yet
    std::vector<Reading> readings_;                        ///< by site
    std::map<const FrameVariable*, std::uint32_t> marks_;  ///< sites at which the compiler fills variables
};

}  // namespace kwb::xray
