// SPDX-License-Identifier: Apache-2.0
#include "debug/player.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/printable.hpp"

namespace kwb::debug {

void Player::show(std::shared_ptr<const Recording> recording) {
    recording_ = std::move(recording);
    before_.assign(recording_->steps_before.begin(), recording_->steps_before.end());
    steps_.assign(recording_->items(), {});
    barriers_.clear();
    prints_.clear();
    stores_.clear();
    for (std::uint32_t i = 0; i < recording_->events.size(); ++i) {
        const RecordedEvent& event = recording_->events[i];
        if (event.kind == RecordedKind::Step && event.item != kGroupCopy) steps_[event.item].push_back(i);
        if (event.kind == RecordedKind::Barrier) barriers_.push_back(i);
        if (event.kind == RecordedKind::Print && event.item != kGroupCopy) prints_.push_back(i);
        if (!event.stores() || event.bytes == 0) continue;
        for (std::uint64_t at = event.address / kGranule; at <= (event.address + event.bytes - 1) / kGranule;
             ++at)
            stores_[at].push_back(i);
    }
}

std::uint32_t Player::event_of(Moment moment) const {
    const std::vector<std::uint32_t>& steps = steps_[moment.item];
    const std::size_t step = moment.step - std::min(moment.step, unlisted(moment.item));
    return step < steps.size() ? steps[step] : static_cast<std::uint32_t>(recording_->events.size());
}

bool Player::is_over(std::uint32_t item) const {
    return !recording_->goes_on || !std::ranges::binary_search(recording_->unfinished, item);
}

bool Player::has_interval(Moment moment, std::uint32_t item) const {
    return has_begun_interval(moment, item) &&
           (interval(moment) - recording_->barriers < barriers_.size() || is_over(item));
}

std::uint64_t Player::number(std::uint32_t event) const {
    return is_earlier(event) ? recording_->earlier[event]
                             : recording_->begin + event - recording_->earlier.size();
}

Location Player::location(std::uint64_t address) const {
    const RecordedRegion* const region = region_at(address);
    if (region == nullptr) return {std::nullopt, address - recording_->stacks};
    return {static_cast<std::size_t>(region - recording_->regions.data()), address - region->address};
}

std::uint64_t Player::address(const Location& location) const {
    if (!location.region) return recording_->stacks + location.offset;
    // Every part has the same regions.
    return *location.region < recording_->regions.size()
               ? recording_->regions[*location.region].address + location.offset
               : 0;
}

Moment Player::moment_of(std::uint32_t event) const {
    const std::uint32_t item = recording_->events[event].item;
    if (item >= steps_.size()) return {};
    const std::vector<std::uint32_t>& steps = steps_[item];
    const auto after = std::ranges::upper_bound(steps, event);
    return {item, unlisted(item) +
                      static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - steps.begin() - 1, 0))};
}

Moment Player::moment_after(std::uint32_t event, std::uint32_t item) const {
    const std::vector<std::uint32_t>& steps = steps_[item];
    const auto after = std::ranges::lower_bound(steps, event) - steps.begin();
    return {item, std::max(first_step(item), unlisted(item) + static_cast<std::size_t>(after))};
}

const RecordedEvent* Player::step_event(Moment moment) const {
    const std::vector<std::uint32_t>& steps = steps_[moment.item];
    if (steps.empty()) return nullptr;
    const std::size_t step = moment.step - std::min(moment.step, unlisted(moment.item));
    return &recording_->events[steps[std::min(step, steps.size() - 1)]];
}

const RecordedSite* Player::site(Moment moment) const {
    const RecordedEvent* const event = step_event(moment);
    return event == nullptr ? nullptr : &recording_->sites[event->site];
}

std::uint32_t Player::frame(Moment moment) const {
    const RecordedEvent* const event = step_event(moment);
    return event == nullptr ? kNoFrame : event->frame;
}

std::size_t Player::depth(std::uint32_t frame) const {
    std::size_t depth = 0;
    for (; frame != kNoFrame; frame = recording_->frames[frame].caller) ++depth;
    return depth;
}

std::size_t Player::interval(Moment moment) const {
    return recording_->barriers +
           static_cast<std::size_t>(std::ranges::lower_bound(barriers_, event_of(moment)) -
                                    barriers_.begin());
}

std::vector<std::size_t> Player::barrier_steps(std::uint32_t item) const {
    std::vector<std::size_t> found;
    for (const std::uint32_t barrier : barriers_)
        found.push_back(
            unlisted(item) +
            static_cast<std::size_t>(std::ranges::lower_bound(steps_[item], barrier) - steps_[item].begin()));
    return found;
}

std::vector<std::optional<Moment>> Player::same_moments(Moment moment) const {
    std::vector<std::optional<Moment>> moments(items());
    moments[moment.item] = moment;
    if (!is_end(moment) && !has_begun_interval(moment, moment.item)) return moments;
    const std::size_t passed = interval(moment) - recording_->barriers;
    const std::uint32_t begin = passed == 0 ? 0 : barriers_[passed - 1];
    const auto end =
        passed < barriers_.size() ? barriers_[passed] : static_cast<std::uint32_t>(recording_->events.size());
    std::vector<bool> is_there(recording_->sites.size());
    if (!is_end(moment)) {
        const XrayPlace& place = site(moment)->place;
        for (std::size_t i = 0; i < is_there.size(); ++i) {
            const XrayPlace& there = recording_->sites[i].place;
            is_there[i] = there.line == place.line && there.file == place.file;
        }
    }
    const auto comes = [&](std::uint32_t event) { return is_there[recording_->events[event].site]; };
    const std::vector<std::uint32_t>& own = steps_[moment.item];
    const std::ptrdiff_t before = is_end(moment)
                                      ? 0
                                      : std::count_if(std::ranges::lower_bound(own, begin),
                                                      std::ranges::lower_bound(own, event_of(moment)), comes);
    for (std::uint32_t item = 0; item < items(); ++item) {
        const std::vector<std::uint32_t>& steps = steps_[item];
        if (item == moment.item || !has_begun_interval(moment, item)) continue;
        if (is_end(moment)) {
            if (is_over(item) && is_over(moment.item)) moments[item] = Moment{item, this->steps(item)};
        } else {
            std::ptrdiff_t passed_by = 0;
            for (auto at = std::ranges::lower_bound(steps, begin); at != steps.end() && *at < end; ++at)
                if (comes(*at) && passed_by++ == before) {
                    moments[item] =
                        Moment{item, unlisted(item) + static_cast<std::size_t>(at - steps.begin())};
                    break;
                }
        }
    }
    return moments;
}

Moment Player::last_moment(Moment moment, std::uint32_t item) const {
    const std::size_t passed = interval(moment) - recording_->barriers;
    const std::vector<std::uint32_t>& steps = steps_[item];
    const auto next =
        passed < barriers_.size() ? std::ranges::lower_bound(steps, barriers_[passed]) : steps.end();
    const auto last =
        unlisted(item) + static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - steps.begin() - 1, 0));
    return {item, std::max(last, first_step(item))};
}

const std::vector<std::uint32_t>* Player::stores_at(std::uint64_t granule) const {
    const auto found = stores_.find(granule);
    return found == stores_.end() ? nullptr : &found->second;
}

std::string_view Player::old_bytes(const RecordedEvent& event) const {
    return std::string_view(recording_->values).substr(event.value, event.bytes);
}

std::string_view Player::new_bytes(const RecordedEvent& event) const {
    return std::string_view(recording_->values).substr(event.value + event.bytes, event.bytes);
}

/// Whether a store of more bytes leaves these as they were. A component of a vector is stored with all the
/// others, which keep their values.
bool Player::keeps(const RecordedEvent& event, std::uint64_t address, std::uint64_t bytes) const {
    if (event.kind != RecordedKind::Write || event.bytes <= bytes || address < event.address ||
        address + bytes > event.address + event.bytes)
        return false;
    const std::uint64_t offset = address - event.address;
    return old_bytes(event).substr(offset, bytes) == new_bytes(event).substr(offset, bytes);
}

std::optional<Player::StoredByte> Player::stored_byte(std::uint32_t before_event,
                                                      std::uint64_t address) const {
    const std::vector<std::uint32_t>* const stores = stores_at(address / kGranule);
    if (stores == nullptr) return std::nullopt;
    std::optional<StoredByte> kept;
    for (auto store = std::ranges::lower_bound(*stores, before_event); store != stores->begin();) {
        const RecordedEvent& event = recording_->events[*--store];
        const std::uint64_t offset = address - event.address;
        if (offset >= event.bytes) continue;
        const StoredByte stored{new_bytes(event)[offset], event.kind == RecordedKind::Unset};
        if (!keeps(event, address - address % kComponentBytes, kComponentBytes)) return stored;
        if (!kept) kept = stored;
    }
    return kept;
}

/// A value that one store of no more than a component has left: what most reads find, with one search instead
/// of one for each byte.
/// @return  nullopt: it is not that simple
std::optional<std::string_view> Player::stored_value(std::uint32_t before_event, std::uint64_t address,
                                                     std::uint64_t bytes) const {
    if (bytes == 0 || address / kGranule != (address + bytes - 1) / kGranule) return std::nullopt;
    const std::vector<std::uint32_t>* const stores = stores_at(address / kGranule);
    if (stores == nullptr) return std::nullopt;
    for (auto store = std::ranges::lower_bound(*stores, before_event); store != stores->begin();) {
        const RecordedEvent& event = recording_->events[*--store];
        if (event.address >= address + bytes || address >= event.address + event.bytes) continue;
        if (event.kind != RecordedKind::Write || event.bytes > kComponentBytes || address < event.address ||
            address + bytes > event.address + event.bytes)
            return std::nullopt;
        return new_bytes(event).substr(address - event.address, bytes);
    }
    return std::nullopt;
}

/// What was there before the group has stored anything.
std::optional<char> Player::first_byte(std::uint64_t address) const {
    if (const std::vector<std::uint32_t>* const stores = stores_at(address / kGranule))
        for (const std::uint32_t store : *stores) {
            const RecordedEvent& event = recording_->events[store];
            const std::uint64_t offset = address - event.address;
            if (offset < event.bytes) return old_bytes(event)[offset];
        }
    const auto page = std::ranges::find_if(
        recording_->pages, [&](const RecordedPage& one) { return address - one.address < one.bytes; });
    if (page == recording_->pages.end()) return std::nullopt;
    return recording_->values[page->value + address - page->address];
}

/// Whether an element that nobody has set before the launches still holds what X-ray has filled it with.
bool Player::is_filling(const RecordedRegion& region, std::uint64_t address) const {
    constexpr std::uint64_t kWordBytes = 4;
    const std::uint64_t word = address - (address - region.address) % kWordBytes;
    for (std::uint64_t at = word; at < std::min(word + kWordBytes, region.address + region.bytes); ++at)
        if (first_byte(at) != kXrayFilling) return false;
    return true;
}

MemoryBytes Player::read(std::uint32_t before_event, std::uint64_t address, std::uint64_t bytes) const {
    if (const auto value = stored_value(before_event, address, bytes))
        return {MemoryBytes::State::Known, std::string(*value), {}};
    MemoryBytes found{MemoryBytes::State::Unset, std::string(bytes, '\0'), std::string(bytes, '\1')};
    const RecordedRegion* const region = region_at(address);
    // What private and local memory held before the first store is left over from another variable.
    const bool has_first = region != nullptr && region->space != AddressSpace::Local;
    for (std::uint64_t i = 0; i < bytes; ++i) {
        std::optional<char> byte;
        if (const auto stored = stored_byte(before_event, address + i)) {
            if (!stored->is_unset) byte = stored->byte;
        } else if (has_first) {
            byte = first_byte(address + i);
            if (!byte) found.state = MemoryBytes::State::Unknown;
            if (byte && !region->is_set && is_filling(*region, address + i)) byte.reset();
        }
        found.bytes[i] = byte.value_or('\0');
        if (byte) found.unset[i] = '\0';
    }
    const auto missing = static_cast<std::uint64_t>(std::ranges::count(found.unset, '\1'));
    if (missing < bytes) found.state = MemoryBytes::State::Known;
    if (missing == 0) found.unset.clear();
    return found;
}

/// Whether a store that leaves these bytes as they were may be one of another component.
bool Player::may_be_component(std::uint64_t address, std::uint64_t bytes) const {
    const RecordedRegion* const region = region_at(address);
    if (region == nullptr) return true;  // a private variable
    std::uint32_t type = region->type;
    while (recording_->types[type].kind == ValueKind::Array) type = recording_->types[type].element;
    return recording_->types[type].kind == ValueKind::Vector && bytes < recording_->types[type].bytes;
}

std::optional<std::uint32_t> Player::last_store(std::uint32_t before_event, std::uint64_t address,
                                                std::uint64_t bytes) const {
    return find_last(before_event, address, bytes, may_be_component(address, bytes));
}

/// @param is_component  leave out stores that keep these bytes, if there is another one
std::optional<std::uint32_t> Player::find_last(std::uint32_t before_event, std::uint64_t address,
                                               std::uint64_t bytes, bool is_component) const {
    std::optional<std::uint32_t> last, keeping;
    for (std::uint64_t granule = address / kGranule; granule <= (address + bytes - 1) / kGranule; ++granule) {
        const std::vector<std::uint32_t>* const stores = stores_at(granule);
        if (stores == nullptr) continue;
        for (auto store = std::ranges::lower_bound(*stores, before_event); store != stores->begin();) {
            const RecordedEvent& event = recording_->events[*--store];
            if (event.address >= address + bytes || address >= event.address + event.bytes) continue;
            if (is_component && keeps(event, address, bytes)) {
                keeping = std::max(keeping.value_or(0), *store);
                continue;
            }
            last = std::max(last.value_or(0), *store);
            break;
        }
    }
    return last ? last : keeping;
}

std::optional<std::uint32_t> Player::next_store(std::uint32_t from_event, std::uint64_t address,
                                                std::uint64_t bytes) const {
    std::optional<std::uint32_t> next;
    for (std::uint64_t granule = address / kGranule; granule <= (address + bytes - 1) / kGranule; ++granule) {
        const std::vector<std::uint32_t>* const stores = stores_at(granule);
        if (stores == nullptr) continue;
        for (auto store = std::ranges::lower_bound(*stores, from_event); store != stores->end(); ++store) {
            const RecordedEvent& event = recording_->events[*store];
            if (event.address >= address + bytes || address >= event.address + event.bytes) continue;
            next = std::min(next.value_or(UINT32_MAX), *store);
            break;
        }
    }
    return next;
}

std::vector<std::uint32_t> Player::prints_between(Moment from, Moment to) const {
    std::vector<std::uint32_t> found;
    const std::uint32_t end = event_of(to);
    for (auto at = std::ranges::lower_bound(prints_, event_of(from)); at != prints_.end() && *at < end; ++at)
        if (recording_->events[*at].item == to.item) found.push_back(*at);
    return found;
}

std::string Player::printed_line(std::uint32_t event) const {
    std::string_view text = old_bytes(recording_->events[event]);
    if (text.ends_with('\n')) text.remove_suffix(1);
    return printable_line(text);
}

const RecordedRegion* Player::region_at(std::uint64_t address) const {
    const auto found = std::ranges::find_if(recording_->regions, [&](const RecordedRegion& region) {
        return address - region.address < region.bytes;
    });
    return found == recording_->regions.end() ? nullptr : &*found;
}

std::vector<std::uint32_t> Player::events_in(Moment moment) const {
    std::vector<std::uint32_t> events;
    if (is_end(moment)) return events;
    const std::uint32_t end = event_of({moment.item, moment.step + 1});
    for (std::uint32_t i = event_of(moment); i < end; ++i)
        if (recording_->events[i].item == moment.item) events.push_back(i);
    return events;
}

}  // namespace kwb::debug
