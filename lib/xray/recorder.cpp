// SPDX-License-Identifier: Apache-2.0
#include "xray/recorder.hpp"

#include <algorithm>
#include <cstring>

#include "xray/next_part.hpp"

namespace kwb::xray {
namespace {

constexpr std::uint64_t kRecordedPageBytes = 4096;
// A recording is one attachment: see kMostAttachmentBytes.
constexpr std::size_t kMostValueBytes = std::size_t{96} << 20;
constexpr std::size_t kMostHeldEvents = 8'000'000;
constexpr std::size_t kMostFrames = 1'000'000;
/// Of a part: what may be full before a good place for its end is looked for; the rest is a margin.
constexpr std::uint64_t kLeastShare = 7, kShares = 8;
/// While parts are passed: as many events as stay in the processor's cache.
constexpr std::size_t kMostPassed = 1 << 17;

}  // namespace

Recorder::Recorder(const DebugInfo& debug, const XrayOptions& what)
    : debug_(debug),
      launch_(what.trace_launch),
      group_(*what.trace_group),
      from_(what.record_from),
      part_events_(what.part_events),
      wanted_item_(what.record_item) {
    group_.resize(3);
}

void Recorder::begin_group(View& view) {
    const Geometry& geometry = view.geometry();
    const auto id = geometry.group_id(view.group());
    is_on_ = view.launch() == launch_ && !has_recorded() && std::equal(id.begin(), id.end(), group_.begin());
    if (!is_on_) return;
    recording_.launch = launch_;
    const auto used = static_cast<std::ptrdiff_t>(geometry.dimensions);
    recording_.global.assign(geometry.global.begin(), geometry.global.begin() + used);
    recording_.local.assign(geometry.local.begin(), geometry.local.begin() + used);
    recording_.group.assign(group_.begin(), group_.begin() + used);
    items_.assign(geometry.items, {});
    begin_part();
}

/// What a site is, when it is first seen.
const RecordedSite& Recorder::know(View& view, std::uint32_t site) {
    if (site >= recording_.sites.size()) {
        recording_.sites.resize(site + 1);
        readings_.resize(site + 1, Reading::Unknown);
    }
    RecordedSite& known = recording_.sites[site];
    if (known.place.line == 0) {
        const Site& seen = view.site(site);
        known.place = seen.place;
        known.code = reinterpret_cast<std::uintptr_t>(seen.pc) - debug_.base() - 1;
        if (const auto function = debug_.function_of(seen.pc))
            known.function = static_cast<std::uint32_t>(*function);
    }
    return known;
}

void Recorder::count(std::uint64_t bytes) {
    ++next_;
    ++held_.events;
    held_.values += bytes;
    // A step that does too much, as a copy of a whole array.
    if (is_on_ && (held_.events >= kMostHeldEvents || held_.values >= 2 * kMostValueBytes)) {
        has_lost_ = is_passing_;
        stop();
    }
}

RecordedEvent& Recorder::add(std::uint32_t item, std::uint32_t site, RecordedKind kind,
                             std::uint64_t value_bytes) {
    if (is_passing_) numbers_.push_back(next_);
    count(value_bytes);
    RecordedEvent& event = recording_.events.emplace_back();
    const bool is_item = item < items_.size();
    event.site = site;
    event.frame = is_item ? items_[item].frame : kNoFrame;
    event.item = is_item ? static_cast<std::uint16_t>(item) : kGroupCopy;
    event.kind = kind;
    return event;
}

bool Recorder::is_full(bool good_place) const {
    const std::uint64_t share = good_place ? kLeastShare : kShares;
    const auto is_reached = [&](std::uint64_t size, std::uint64_t most) {
        return size >= most / kShares * share;
    };
    return stores_.empty() &&
           (is_reached(next_ - part_begin_, part_events_) || is_reached(held_.values, kMostValueBytes) ||
            is_reached(held_.frames, kMostFrames));
}

bool Recorder::is_wanted_part() const {
    const bool has_item =
        wanted_item_ && *wanted_item_ < items_.size() && items_[*wanted_item_].step_site != UINT32_MAX;
    return from_ < next_ || has_item;
}

bool Recorder::end_part(View& view) {
    if (is_wanted_part()) {
        has_lost_ = is_passing_;
        stop();
        keep_pages(view);
        if (has_lost_) return false;
        if (recording_.begin == 0) return false;  // the rest of the group is observed, too
        is_paused_ = true;
        is_on_ = view.pause();  // go_on_to() begins the next part
        is_paused_ = false;
        if (!is_on_) return false;
    } else {
        pass_events();
        begin_part();
    }
    if (!is_full(true)) return true;
    stop();
    keep_pages(view);
    return false;
}

void Recorder::begin_part() {
    part_begin_ = next_;
    held_ = {recording_.events.size(), recording_.values.size(), recording_.frames.size()};
    // A part is hardly ever longer than that: see has_lost().
    is_passing_ = !keeps_all_ && !wanted_item_ && from_ - std::min(from_, next_) >= part_events_;
    most_passed_ = 2 * recording_.events.size() + kMostPassed;
}

void Recorder::pass_events() {
    std::vector<std::uint32_t> live;
    for (const ItemState& item : items_) live.insert(live.end(), {item.frame, item.step_frame});
    const std::vector<std::uint32_t> frames = begin_next_part(recording_, live, {next_, numbers_});
    for (ItemState& item : items_)
        for (std::uint32_t* const frame : {&item.frame, &item.step_frame})
            if (*frame != kNoFrame) *frame = frames[*frame];
    numbers_.clear();
    most_passed_ = 2 * recording_.events.size() + kMostPassed;
}

bool Recorder::can_go_on_to(const XrayOptions& what) const {
    if (!is_paused_ || what.part_events != part_events_) return false;
    if (!what.record_item) return what.record_from >= next_;
    return *what.record_item < items_.size() && items_[*what.record_item].step_site == UINT32_MAX;
}

void Recorder::take_back(Recording recorded) {
    recording_ = std::move(recorded);
    recording_.goes_on = false;
    recording_.unfinished.clear();
    recording_.pages.clear();
    recording_.regions.clear();
    pass_events();
}

void Recorder::go_on_to(const XrayOptions& what) {
    from_ = what.record_from;
    wanted_item_ = what.record_item;
    begin_part();
}

void Recorder::stop() {
    recording_.goes_on = true;
    is_on_ = false;
    for (std::uint32_t item = 0; item < items_.size(); ++item)
        if (!items_[item].is_done) recording_.unfinished.push_back(item);
}

/// @param event  the last one
void Recorder::add_value(RecordedEvent& event, std::uintptr_t address, std::uint64_t bytes) {
    event.address = address;
    event.bytes = static_cast<std::uint32_t>(bytes);
    event.value = static_cast<std::uint32_t>(recording_.values.size());
    recording_.values.append(reinterpret_cast<const char*>(address), bytes);
    if (!event.stores()) return;
    recording_.values.append(bytes, '\0');
    stores_.push_back(static_cast<std::uint32_t>(&event - recording_.events.data()));
}

void Recorder::finish_stores() {
    for (const std::uint32_t number : stores_) {
        RecordedEvent& event = recording_.events[number];
        std::memcpy(recording_.values.data() + event.value + event.bytes,
                    reinterpret_cast<const void*>(event.address), event.bytes);
        if (event.kind == RecordedKind::Write && is_unset_mark(event)) event.kind = RecordedKind::Unset;
    }
    stores_.clear();
    is_awaiting_ = false;
}

/// Whether the compiler has filled a variable that has no value yet: with ones if it is a floating-point
/// number, else with 0xAA. The source's own store of such a value is another instruction.
bool Recorder::is_unset_mark(const RecordedEvent& event) {
    if (event.frame == kNoFrame || event.bytes == 0) return false;
    const char* const now = recording_.values.data() + event.value + event.bytes;
    // The fields of a structure have different patterns, with anything between them.
    const auto is_pattern = [&](char byte) {
        return byte == '\xAA' || byte == '\xFF' || (event.bytes > 8 && byte == 0);
    };
    if (!is_pattern(*now) || *now == 0 || !std::all_of(now, now + event.bytes, is_pattern)) return false;
    const RecordedFrame& frame = recording_.frames[event.frame];
    const RecordedSite& site = recording_.sites[event.site];
    const auto [variable, info] =
        debug_.find_private(reinterpret_cast<const void*>(debug_.base() + site.code + 1), event.address,
                            {frame.base, frame.stack_pointer});
    return variable != nullptr && variable->line == site.place.line &&
           marks_.try_emplace(variable, event.site).first->second == event.site;
}

/// A work-item is in the caller again once it does something there.
void Recorder::return_to(ItemState& state, std::uint32_t function) const {
    for (std::uint32_t frame = state.frame; frame != kNoFrame; frame = recording_.frames[frame].caller)
        if (recording_.frames[frame].function == function) {
            state.frame = frame;
            return;
        }
}

/// Code before the first line of a function, which the compiler has added, has no column.
bool Recorder::is_step(const ItemState& state, std::uint32_t site) const {
    const XrayPlace& place = recording_.sites[site].place;
    if (place.line == 0 || place.column == 0) return false;
    if (state.step_site == UINT32_MAX || state.frame != state.step_frame) return true;
    const XrayPlace& now = recording_.sites[state.step_site].place;
    return now.line != place.line || now.file != place.file;
}

bool Recorder::begin_step(View& view, std::uint32_t item, std::uint32_t site) {
    ItemState& state = items_[item];
    if (is_full(state.step_site == UINT32_MAX) && !end_part(view)) return false;
    if (is_passing_ && recording_.events.size() >= most_passed_ && stores_.empty()) pass_events();
    state.step_site = site;
    state.step_frame = state.frame;
    state.blocks.clear();
    add(item, site, RecordedKind::Step, 0);
    return true;
}

bool Recorder::is_fixed_read(const ItemState& state, std::uint32_t site, std::uintptr_t address,
                             std::uint64_t bytes) {
    if (state.frame == kNoFrame) return false;
    RecordedSite& known = recording_.sites[site];
    const RecordedFrame& frame = recording_.frames[state.frame];
    const auto offset = static_cast<std::int64_t>(address - frame.base);
    if (readings_[site] == Reading::Unknown) {
        const auto [variable, info] =
            debug_.find_private(reinterpret_cast<const void*>(debug_.base() + known.code + 1), address,
                                {frame.base, frame.stack_pointer});
        const bool is_element =
            variable != nullptr && debug_.types()[variable->type].kind == ValueKind::Array;
        readings_[site] = is_element ? Reading::Varying : Reading::Fixed;
        if (!is_element) {
            known.read_offset = offset;
            known.read_bytes = static_cast<std::uint32_t>(bytes);
        }
    }
    if (readings_[site] == Reading::Fixed && known.read_offset != offset) readings_[site] = Reading::Varying;
    return readings_[site] == Reading::Fixed;
}

void Recorder::access(View& view, std::uint32_t item, std::uint32_t site, std::uintptr_t address,
                      std::uint64_t bytes, Access access, bool is_private) {
    if (!is_awaiting_) finish_stores();
    const RecordedSite& known = know(view, site);
    if (item < items_.size()) {
        ItemState& state = items_[item];
        if (known.function != kNoFunction) return_to(state, known.function);
        if (is_step(state, site) && !begin_step(view, item, site)) return;
        if (access == Access::Read && is_private && is_fixed_read(state, site, address, bytes)) return;
    }
    const RecordedKind kind = access == Access::Read || access == Access::FailedExchange ? RecordedKind::Read
                              : access == Access::Write                                  ? RecordedKind::Write
                                                        : RecordedKind::Atomic;
    if (is_passing_ && kind == RecordedKind::Read) return count(bytes);
    add_value(add(item, site, kind, kind == RecordedKind::Read ? bytes : 2 * bytes), address, bytes);
    // The function that does it may have arguments that are computed first.
    if (kind == RecordedKind::Atomic) await_store();
}

void Recorder::block(View& view, std::uint32_t item, std::uint32_t site, FramePlace frame) {
    if (!is_awaiting_) finish_stores();
    const RecordedSite& known = know(view, site);
    ItemState& state = items_[item];
    if (known.function == kNoFunction) return;
    return_to(state, known.function);
    const bool is_same = state.frame != kNoFrame && recording_.frames[state.frame].function == known.function;
    if (!is_same || view.site(site).is_called) {
        const std::uint32_t caller = is_same ? recording_.frames[state.frame].caller : state.frame;
        const std::uint32_t call = state.step_site == UINT32_MAX ? 0 : state.step_site;
        recording_.frames.push_back({caller, known.function, call, 0, frame.base, frame.stack_pointer});
        ++held_.frames;
        state.frame = static_cast<std::uint32_t>(recording_.frames.size() - 1);
    }
    const bool is_again = std::ranges::find(state.blocks, site) != state.blocks.end();
    if (((is_again && known.place.column != 0) || is_step(state, site)) && !begin_step(view, item, site))
        return;
    state.blocks.push_back(site);
}

void Recorder::wait(View& view, std::uint32_t item, std::uint32_t site) {
    finish_stores();
    come_to(view, item, site);
}

void Recorder::print(View& view, std::uint32_t item, std::uint32_t site, std::string_view text) {
    if (!is_awaiting_) finish_stores();
    if (!come_to(view, item, site)) return;
    if (is_passing_) return count(text.size());
    RecordedEvent& event = add(item, site, RecordedKind::Print, text.size());
    event.bytes = static_cast<std::uint32_t>(text.size());
    event.value = static_cast<std::uint32_t>(recording_.values.size());
    recording_.values += text;
}

bool Recorder::come_to(View& view, std::uint32_t item, std::uint32_t site) {
    ItemState& state = items_[item];
    if (const std::uint32_t function = know(view, site).function; function != kNoFunction)
        return_to(state, function);
    return !is_step(state, site) || begin_step(view, item, site);
}

void Recorder::barrier(View& view) {
    finish_stores();
    if (is_full(true) && !end_part(view)) return;
    add(kGroupItem, 0, RecordedKind::Barrier, 0);
}

void Recorder::end_group(View& view) {
    if (items_.empty()) return;
    finish_stores();
    if (is_on_) keep_pages(view);
    is_on_ = false;
    items_.clear();
}

/// The memory around what the group has accessed, and all of its local variables.
void Recorder::keep_pages(View& view) {
    std::map<std::uint64_t, std::uint64_t> pages;  // begin → end
    std::uint64_t last = 0;
    for (const RecordedEvent& event : recording_.events) {
        const std::uint64_t page = event.address / kRecordedPageBytes * kRecordedPageBytes;
        if (event.bytes == 0 || page == last) continue;
        last = page;
        pages[page] = page + kRecordedPageBytes;
    }
    for (const Region& region : view.memory().regions()) {
        const std::uint64_t end = region.begin + region.bytes;
        auto at = pages.upper_bound(region.begin);
        if (at != pages.begin()) --at;
        std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
        if (region.space == AddressSpace::Local)
            parts.emplace_back(region.begin, end);
        else
            for (; at != pages.end() && at->first < end; ++at)
                if (at->second > region.begin)
                    parts.emplace_back(std::max(at->first, region.begin), std::min(at->second, end));
        for (const auto& [first, last_byte] : parts) {
            if (recording_.values.size() >= kMostValueBytes) return;
            recording_.pages.push_back({first, recording_.values.size(), last_byte - first});
            recording_.values.append(reinterpret_cast<const char*>(first), last_byte - first);
        }
    }
}

Recording Recorder::take() {
    recording_.types = debug_.types();
    recording_.functions = debug_.functions();
    recording_.code_lines = debug_.code_lines();
    return std::move(recording_);
}

}  // namespace kwb::xray
