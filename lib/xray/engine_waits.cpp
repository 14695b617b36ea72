// SPDX-License-Identifier: Apache-2.0
// How work-items wait for each other without a barrier: in loops until another one has stored something, and
// for asynchronous copies.
#include <algorithm>
#include <cstring>
#include <utility>

#include "xray/engine.hpp"

namespace kwb::xray {
namespace {

/// How often per group a work-item lets others run after an atomic operation that changed memory.
constexpr std::uint32_t kMostYields = 64;
/// A work-item that reads the same value this often counts as waiting: a loop that gives up tries less often.
constexpr std::uint64_t kSpins = 100'000;
constexpr std::uint64_t kSpinsOfOthers = 64;  // once some work-item has reached kSpins
/// The same where no other work-item of the group can run.
constexpr std::uint64_t kSpinsOfEndless = 500'000;

constexpr std::int64_t kMostEvents = 1024;

}  // namespace

void Engine::yield() {
    Item& item = items_[item_];
    if (!item.spin.has_changed()) return;  // not executed yet, or without effect
    must_yield_ = false;
    if (item.yields++ >= kMostYields) return;
    leave(ItemState::Ready);
}

/// Each work-item stops before its first atomic operation, so that the scheduler chooses their order there.
void Engine::yield_before_first_atomic() {
    if (items_[item_].yields > 0) return;
    items_[item_].yields = 1;
    leave(ItemState::Ready);
}

void Engine::note_access(Access access, std::uint32_t site, std::uintptr_t address, std::uint64_t bytes) {
    Spin& spin = items_[item_].spin;
    if (access == Access::Write) return spin.end();
    const bool is_atomic_now = is_atomic(access);
    must_yield_ = is_atomic_now && access != Access::FailedExchange;
    const std::uint64_t times = spin.repeat(site, address, bytes, is_atomic_now);
    if (times < kSpinsOfOthers) return;
    must_yield_ = false;
    if (times == kSpins || (has_spun_ && times == kSpinsOfOthers)) {
        has_spun_ = true;
        return leave(ItemState::Spinning);
    }
    if (times < kSpinsOfEndless || !is_atomic_now) return;
    report_spin(item_, true);
    is_stopped_ = true;
    stop_item();
}

/// No work-item can continue. @return  true: now one that has repeated an access can
bool Engine::let_others_go_on() {
    bool any = false;
    bool any_goes_on = false;
    for (std::uint32_t i = 0; i < geometry_.items; ++i) {
        if (items_[i].state != ItemState::Spinning) continue;
        any = true;
        if (!items_[i].spin.has_changed()) continue;
        any_goes_on = true;
        items_[i].state = ItemState::Ready;
        if (items_[i].spin.times() >= kSpins) report_spin(i, false);
    }
    if (any && !any_goes_on)  // endless, unless they give up
        for (Item& item : items_)
            if (item.state == ItemState::Spinning) item.state = ItemState::Ready;
    return any;
}

void Engine::report_spin(std::uint32_t item, bool is_endless) {
    const Spin& spin = items_[item].spin;
    const Region& region = memory_[memory_.find(spin.address())];
    report({.code = FindingCode::WaitsForOthers,
            .subject = element_name(region, spin.address() - region.begin),
            .place = place_name(spin.site()),
            .numbers = {{"endless", is_endless ? 1.0 : 0.0}},
            .texts = {{"space", to_string(region.space)}, {"item", item_name(item)}}});
}

void Engine::on_fence(std::uint32_t flags) {
    settle();
    for (const auto& observer : observers_)
        observer->fence(*this, item_, (flags & kLocalFence) != 0, (flags & kGlobalFence) != 0);
}

std::uint64_t Engine::on_copy(const Copy& copy, const void* pc) {
    items_[item_].copy = copy;
    wait_at(Meeting::Copy, false, pc);
    return items_[item_].event;
}

void Engine::on_print(std::string_view text, const void* pc) {
    if (is_recording()) recorder_->print(*this, item_, site_of(pc), text);
}

void Engine::on_wait(std::int64_t count, std::uintptr_t events, const void* pc) {
    std::vector<std::uint64_t>& waits = items_[item_].events;
    waits.clear();
    const std::uint64_t bytes =
        static_cast<std::uint64_t>(std::clamp(count, std::int64_t{0}, kMostEvents)) * 8;
    if (bytes > 0 && is_on_stack(events) && is_on_stack(events + bytes - 1)) {
        waits.resize(bytes / 8);
        std::memcpy(waits.data(), reinterpret_cast<const void*>(events), bytes);
    }
    wait_at(Meeting::Wait, false, pc);
}

template <class Same>
std::optional<std::uint32_t> Engine::spokesman(Meeting meeting, const char* function, Same same) {
    std::optional<std::uint32_t> first;
    for (std::uint32_t i = 0; i < geometry_.items; ++i) {
        const Item& item = items_[i];
        if (item.state != ItemState::Waiting || item.of_sub_group || item.meeting != meeting) continue;
        if (!first) first = i;
        if (item.site != items_[*first].site || same(item, items_[*first])) continue;
        report({.code = FindingCode::UnequalArguments,
                .subject = function,
                .place = place_name(item.site),
                .texts = {{"item", item_name(*first)}, {"other_item", item_name(i)}}});
        break;
    }
    return first;
}

/// All work-items of the group start a copy together.
void Engine::begin_copy() {
    const auto first = spokesman(Meeting::Copy, "async_work_group_copy",
                                 [](const Item& one, const Item& other) { return one.copy == other.copy; });
    if (!first) return;
    const Copy copy = items_[*first].copy;
    const std::uint32_t site = items_[*first].site;
    const bool is_known = copy.event == 0 || copies_.knows(copy.event);
    if (!is_known)
        report({.code = FindingCode::UnknownEvent,
                .subject = "async_work_group_copy",
                .place = place_name(site),
                .texts = {{"item", item_name(*first)}}});
    const std::uint64_t event = copies_.begin(is_known ? copy.event : 0, site);
    for (Item& item : items_)
        if (item.state == ItemState::Waiting && item.meeting == Meeting::Copy) item.event = event;
    perform_copy(copy, copies_.count());
}

/// All work-items of the group wait for events together.
void Engine::end_copies() {
    const auto first = spokesman(Meeting::Wait, "wait_group_events", [](const Item& one, const Item& other) {
        return one.events == other.events;
    });
    if (!first) return;
    std::vector<std::uint32_t> ended;
    for (const std::uint64_t event : items_[*first].events) {
        if (copies_.knows(event)) {
            ended.insert(ended.end(), copies_.of(event).begin(), copies_.of(event).end());
            continue;
        }
        report({.code = FindingCode::UnknownEvent,
                .subject = "wait_group_events",
                .place = place_name(items_[*first].site),
                .texts = {{"item", item_name(*first)}}});
        break;
    }
    is_awaited_.resize(copies_.count() + 1);
    for (const std::uint32_t copy : ended) is_awaited_[copy] = true;
    for (const auto& observer : observers_) observer->copies_done(*this, ended);
}

/// (OpenCL C 1.2, 6.12.10: a kernel must wait for its copies before it ends.)
void Engine::report_unfinished_copies() {
    is_awaited_.resize(copies_.count() + 1);
    for (std::uint32_t copy = 1; copy <= copies_.count(); ++copy) {
        const std::string place = place_name(copies_.site_of(copy));
        const bool has_raced = std::ranges::any_of(  // which reports the same error
            undefined_, [&](const Finding& finding) { return finding.text("first_place") == place; });
        if (!is_awaited_[copy] && !has_raced)
            report({.code = FindingCode::UnfinishedCopy,
                    .place = place,
                    .texts = {{"item", "group " + group_name(group_)}}});
    }
}

void Engine::perform_copy(const Copy& copy, std::uint32_t number) {
    const std::uint32_t site = copies_.site_of(number);
    const auto element = [&](std::uintptr_t address, Access access) {
        const std::uint32_t region = memory_.find(address);
        if (region == Memory::kNone ||
            address - memory_[region].begin + copy.element_bytes > memory_[region].bytes) {
            item_ = kGroupItem;
            outside(address, copy.element_bytes, access, site);
            return memory_.find_near(address) != Memory::kNone;
        }
        if (is_recording())
            recorder_->access(*this, kGroupItem, site, address, copy.element_bytes, access, false);
        if (!is_observing_ && access == Access::Write)
            on_rest_store(address, copy.element_bytes, sites_[site].pc);
        tell({.item = kGroupItem,
              .site = site,
              .region = region,
              .access = access,
              .bytes = static_cast<std::uint32_t>(copy.element_bytes),
              .copy = number,
              .offset = address - memory_[region].begin});
        return true;
    };
    for (std::uint64_t i = 0; i < copy.elements; ++i) {
        const std::uintptr_t to = copy.to + i * copy.to_stride * copy.element_bytes;
        const std::uintptr_t from = copy.from + i * copy.from_stride * copy.element_bytes;
        if (!element(from, Access::Read) || !element(to, Access::Write)) return;
        std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), copy.element_bytes);
        settle();
    }
}

}  // namespace kwb::xray
