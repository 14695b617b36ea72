// SPDX-License-Identifier: Apache-2.0
// Runs groups: schedules their work-items and lets them wait for each other.
#include "xray/engine.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <ctime>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "xray/group_kinds.hpp"

namespace kwb::xray {
namespace context = boost::context::detail;
namespace {

constexpr std::uint64_t kEventsBetweenLooks = 1 << 15;
/// A group that takes more than this many times the budget of events counts as endless.
constexpr std::uint64_t kEndlessFactor = 16;
constexpr std::uint64_t kBlocksBetweenLooks = 1 << 16;
/// A launch may take this share of the remaining budget if others follow and all its groups then fit.
constexpr double kMostOfBudget = 0.9;
/// Group 0, its neighbours and the last group are observed even if that exceeds the budget. At least this
/// many groups of each launch are observed if they take at most this part of the budget.
constexpr std::uint64_t kLeastGroups = 5;
constexpr std::uint64_t kOverdraft = 50;
/// Launches whose estimate is below this part of the budget are observed from the first group to the last.
constexpr std::uint64_t kSmallPart = 1000;

/// Of this thread: what a kernel may take does not depend on what else the machine does.
double processor_ms() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

}  // namespace

Engine::Engine(Memory& memory, const DebugInfo& debug, const XrayOptions& options,
               std::vector<std::unique_ptr<Observer>>& observers)
    : memory_(memory),
      debug_(debug),
      options_(options),
      observers_(observers),
      site_of_offset_(debug.code_bytes() + 1),
      rest_ms_(options.most_ms),
      deadline_ms_(processor_ms() + options.most_ms),
      random_(options.order_seed.value_or(0)) {}

Engine::~Engine() = default;

void Engine::begin_launch(std::uint32_t launch, const std::string& kernel, const Geometry& geometry,
                          const Entry& entry) {
    launch_ = launch;
    kernel_ = kernel;
    geometry_ = geometry;
    entry_ = &entry;
    observed_groups_ = 0;
    items_.assign(geometry.items, {});
    if (stacks_bytes_ < geometry.items * kStackBytes) {
        stacks_bytes_ = geometry.items * kStackBytes;
        stacks_ = LazyBytes(kBelowStacksBytes + stacks_bytes_);
        private_unset_ = LazyBytes(stacks_bytes_);
        stacks_begin_ = reinterpret_cast<std::uintptr_t>(stacks_.data()) + kBelowStacksBytes;
    }
    has_run_.assign(geometry.group_count(), false);
}

bool Engine::run(std::uint32_t launch, const std::string& kernel, const Geometry& geometry,
                 const Entry& entry, std::uint64_t launches_left) {
    begin_launch(launch, kernel, geometry, entry);
    for (const auto& observer : observers_) observer->begin_launch(*this);
    const std::uint64_t before = events_;
    const std::uint64_t count = geometry.group_count();
    bool goes_on = run_group(0);
    std::uint64_t dearest = std::max<std::uint64_t>(events_ - before, 1);
    const auto observe = [&](const std::vector<std::uint64_t>& groups, std::uint64_t most,
                             double deadline_ms) {
        for (const std::uint64_t group : groups) {
            if (!goes_on || processor_ms() >= deadline_ms || events_ > most) return;
            if (has_run_[group]) continue;
            const std::uint64_t begin = events_;
            goes_on = run_group(group);
            dearest = std::max(dearest, events_ - begin);
        }
    };
    if (const auto traced = traced_group())
        observe({*traced}, UINT64_MAX, std::numeric_limits<double>::infinity());
    if (recorder_ != nullptr && recorder_->has_recorded()) goes_on = false;
    // In a large launch, group 0 is not enough to estimate the cost of the others.
    if ((options_.keep_counts || options_.keep_sites) && count * dearest > options_.most_events / kSmallPart)
        observe(sample_groups(geometry, least_groups(dearest)), UINT64_MAX, deadline_ms_);
    std::vector<std::uint64_t> others = choose_groups(dearest, launches_left);
    if (options_.order_seed) std::shuffle(others.begin(), others.end(), random_);
    const double begin_ms = processor_ms();
    const auto share = static_cast<double>(launches_left);
    observe(others, options_.most_events, begin_ms + (deadline_ms_ - begin_ms) / share);
    for (const auto& observer : observers_) observer->end_launch(*this);
    if (observed_groups_ > 0 && observed_groups_ < count)
        remarks_.push_back({.code = FindingCode::XraySampled,
                            .subject = kernel,
                            .numbers = {{"groups", static_cast<double>(count)},
                                        {"observed", static_cast<double>(observed_groups_)}}});
    return goes_on && observed_groups_ == count;
}

bool Engine::run_unobserved(std::uint32_t launch, const std::string& kernel, const Geometry& geometry,
                            const Entry& entry) {
    begin_launch(launch, kernel, geometry, entry);
    return run_rest(entry);
}

void Engine::note_watched(const void* pc) {
    const std::array<std::uint64_t, 3> group = geometry_.group_id(group_);
    stores_.last = {
        launch_, {group.begin(), group.begin() + geometry_.dimensions}, item_, debug_.place_of(pc)};
    if (stores_.times++ == 0) stores_.first = stores_.last;
}

bool Engine::run_rest(const Entry& entry) {
    if (is_stopped_) return false;
    entry_ = &entry;
    const double begin_ms = processor_ms();
    rest_deadline_ms_ = begin_ms + rest_ms_;
    blocks_to_look_ = kBlocksBetweenLooks;
    resting_observers_ = std::exchange(observers_, {});
    is_observing_ = false;
    const std::uint64_t events = events_;
    const std::uint64_t observed = observed_groups_;
    bool goes_on = true;
    for (std::uint64_t group = 0; goes_on && group < has_run_.size(); ++group)
        if (!has_run_[group]) goes_on = processor_ms() < rest_deadline_ms_ && run_group(group);
    is_observing_ = true;
    observers_ = std::exchange(resting_observers_, {});
    events_ = events;
    observed_groups_ = observed;
    const double taken_ms = processor_ms() - begin_ms;
    rest_ms_ -= taken_ms;
    deadline_ms_ += taken_ms;
    for (const auto& observer : observers_) observer->rest_done(*this);
    return goes_on;
}

void Engine::end_crashed() {
    if (is_observing_)
        for (const auto& observer : observers_) observer->end_launch(*this);
    else
        observers_ = std::exchange(resting_observers_, {});
}

/// The group to trace in this launch, if it is not the first.
std::optional<std::uint64_t> Engine::traced_group() const {
    if (!options_.trace_group || options_.trace_launch != launch_) return std::nullopt;
    std::uint64_t group = 0;
    for (std::size_t d = 3; d-- > 0;) {
        const std::uint64_t index = d < options_.trace_group->size() ? (*options_.trace_group)[d] : 0;
        if (index >= geometry_.groups[d]) return std::nullopt;
        group = group * geometry_.groups[d] + index;
    }
    return group > 0 ? std::optional(group) : std::nullopt;
}

/// Neighbours show how addresses grow from group to group, and the last group may be cut off.
std::uint64_t Engine::least_groups(std::uint64_t events) const {
    const auto neighbours = static_cast<std::uint64_t>(
        std::ranges::count_if(geometry_.groups, [](std::uint64_t groups) { return groups > 1; }));
    return kLeastGroups * events <= options_.most_events / kOverdraft ? kLeastGroups : neighbours + 1;
}

/// All groups in order, or as many as the budget allows, the most informative first.
/// @param events  of the most expensive group so far
std::vector<std::uint64_t> Engine::choose_groups(std::uint64_t events, std::uint64_t launches_left) const {
    const std::uint64_t count = geometry_.group_count();
    const std::uint64_t left = options_.most_events - std::min(options_.most_events, events_);
    const double whole = launches_left > 1 ? kMostOfBudget : 1;
    const auto not_yet = static_cast<double>(count - observed_groups_);
    if (not_yet * static_cast<double>(events) <= whole * static_cast<double>(left)) {
        std::vector<std::uint64_t> groups(count);
        std::iota(groups.begin(), groups.end(), 0);
        return groups;
    }
    return sample_groups(geometry_, left / launches_left / events + observed_groups_);
}

bool Engine::run_group(std::uint64_t group) {
    group_ = group;
    events_before_group_ = events_;
    group_id_ = geometry_.group_id(group);
    interval_ = 0;
    for (const PrivateMark& mark : marks_)
        std::memset(private_unset_.data() + (mark.begin - stacks_begin_), 0, mark.bytes);
    marks_.clear();
    copies_.begin_group();
    is_awaited_.clear();
    must_yield_ = false;
    for (std::uint32_t i = 0; i < geometry_.items; ++i) {
        items_[i] = {};
        std::byte* const top = stacks_.data() + kBelowStacksBytes + (i + 1) * kStackBytes;
        items_[i].context = context::make_fcontext(top, kStackBytes, &Engine::start_item);
    }
    for (const auto& observer : observers_) observer->begin_group(*this);
    if (recorder_ != nullptr && is_observing_) recorder_->begin_group(*this);
    std::vector<std::uint32_t> order(geometry_.items);
    std::iota(order.begin(), order.end(), 0);
    std::uint64_t yielded = 0;  // consecutive yields of any work-items
    while (true) {
        if (options_.order_seed) std::shuffle(order.begin(), order.end(), random_);
        for (std::size_t i = 0; i < order.size(); ++i) {
            // After atomic operations the order alternates, and begins differently from group to group.
            const bool is_reversed = yielded > 0 && (yielded + group) % 2 == 1;
            const std::uint32_t item = order[is_reversed ? order.size() - 1 - i : i];
            if (items_[item].state == ItemState::Ready) resume(item);
            if (is_stopped_) return false;
        }
        const bool has_yielded =
            std::ranges::any_of(items_, [](const Item& i) { return i.state == ItemState::Ready; });
        yielded = has_yielded ? yielded + 1 : 0;
        if (has_yielded) continue;
        if (let_others_go_on() || meet_in_sub_groups()) continue;
        if (std::ranges::none_of(items_, [](const Item& i) { return i.state == ItemState::Waiting; })) break;
        meet(0, geometry_.items, false);
        if (is_stopped_) return false;
    }
    report_unfinished_copies();
    for (const auto& observer : observers_) observer->end_group(*this);
    if (recorder_ != nullptr) recorder_->end_group(*this);
    ++observed_groups_;
    has_run_[group] = true;
    return true;
}

void Engine::start_item(context::transfer_t from) {
    auto* const engine = static_cast<Engine*>(from.data);
    engine->scheduler_ = from.fctx;
    (*engine->entry_)();
    if (engine->is_recording()) engine->recorder_->end_item(engine->item_);
    engine->leave(ItemState::Done);
}

void Engine::resume(std::uint32_t item) {
    item_ = item;
    must_yield_ = false;
    local_id_ = geometry_.local_id(item);
    in_item_ = true;
    items_[item].context = context::jump_fcontext(items_[item].context, this).fctx;
    in_item_ = false;
}

void Engine::leave(ItemState state) {
    is_storing_ = false;
    settle();
    if (is_recording()) recorder_->finish_stores();
    items_[item_].state = state;
    scheduler_ = context::jump_fcontext(scheduler_, nullptr).fctx;
}

void Engine::stop_item() {
    leave(ItemState::Stopped);
    throw ContractError("a stopped work-item was resumed");
}

void Engine::wait_at(Meeting meeting, bool of_sub_group, const void* pc) {
    count_event(pc);
    Item& item = items_[item_];
    item.meeting = meeting;
    item.of_sub_group = of_sub_group;
    item.site = site_of(pc);
    if (meeting == Meeting::Barrier) barrier_sites_.insert(item.site);
    if (is_recording()) recorder_->wait(*this, item_, item.site);
    leave(ItemState::Waiting);
}

bool Engine::meet_in_sub_groups() {
    bool any = false;
    for (std::uint32_t first = 0; first < geometry_.items; first += geometry_.sub_group) {
        const std::uint32_t last = std::min(first + geometry_.sub_group, geometry_.items);
        const bool waits = std::any_of(items_.begin() + first, items_.begin() + last, [](const Item& item) {
            return item.state == ItemState::Waiting && item.of_sub_group;
        });
        if (waits) meet(first, last, true);
        any = any || waits;
    }
    return any;
}

void Engine::meet(std::uint32_t first, std::uint32_t last, bool of_sub_group) {
    find_divergence(first, last, of_sub_group);
    if (!of_sub_group) {
        begin_copy();
        end_copies();
    }
    // A fence counts if all work-items request it.
    std::uint32_t flags = kLocalFence | kGlobalFence;
    bool barrier = false;
    bool gathers = false;
    for (std::uint32_t i = first; i < last; ++i) {
        Item& item = items_[i];
        if (item.state != ItemState::Waiting || item.of_sub_group != of_sub_group) continue;
        barrier = barrier || item.meeting == Meeting::Barrier;
        if (item.meeting == Meeting::Barrier) flags &= item.flags;
        gathers = gathers || item.meeting == Meeting::Gather;
        item.state = ItemState::Ready;
    }
    if (gathers) gather(first, last, of_sub_group);
    if (!barrier) return;
    const bool local = (flags & kLocalFence) != 0;
    const bool global = (flags & kGlobalFence) != 0;
    if (!of_sub_group) ++interval_;
    if (!of_sub_group && is_recording()) recorder_->barrier(*this);
    for (const auto& observer : observers_)
        if (of_sub_group)
            observer->sub_group_barrier(*this, first, last, local, global);
        else
            observer->barrier(*this, local, global);
}

/// All work-items must wait at the same place.
void Engine::find_divergence(std::uint32_t first, std::uint32_t last, bool of_sub_group) {
    static constexpr const char* kFunctions[] = {"barrier", "async_work_group_copy", "wait_group_events",
                                                 "a function of the whole group"};
    std::optional<std::uint32_t> one;
    std::optional<std::uint32_t> other;
    double waiting = 0;
    for (std::uint32_t i = first; i < last; ++i) {
        const Item& item = items_[i];
        if (item.state == ItemState::Stopped) return;  // it was stopped, so its absence is no error
        const bool waits = item.state == ItemState::Waiting && item.of_sub_group == of_sub_group;
        if (waits && !one) one = i;
        if (waits && item.site == items_[*one].site)
            ++waiting;
        else if (!other)
            other = i;
    }
    if (!one || !other) return;
    const Item& absent = items_[*other];
    report({.code = FindingCode::DivergentBarrier,
            .place = place_name(items_[*one].site),
            .numbers = {{"waiting", waiting}, {"items", static_cast<double>(last - first)}},
            .texts = {{"function", kFunctions[static_cast<std::size_t>(items_[*one].meeting)]},
                      {"item", item_name(*one)},
                      {"other_item", item_name(*other)},
                      {"other_place", absent.state == ItemState::Waiting ? place_name(absent.site) : ""}}});
}

/// Two buffers alternate: a work-item that runs ahead to the next gathering leaves this one for the others.
void Engine::gather(std::uint32_t first, std::uint32_t last, bool of_sub_group) {
    Gathered& place = gathered_[{of_sub_group, first}];
    std::vector<std::byte>& all = place.all[place.turn++ % 2];
    std::uint64_t bytes = 0;
    for (std::uint32_t i = first; i < last; ++i)
        if (items_[i].meeting == Meeting::Gather) bytes = std::max(bytes, items_[i].value_bytes);
    all.assign((last - first) * bytes, std::byte{0});
    for (std::uint32_t i = first; i < last; ++i) {
        Item& item = items_[i];
        if (item.meeting != Meeting::Gather || item.value_bytes != bytes) continue;
        std::memcpy(all.data() + (i - first) * bytes, item.value, bytes);
        item.value = all.data();
    }
}

bool Engine::pause() {
    if (wait_ && wait_()) return true;
    is_stopped_ = true;
    if (in_item_) stop_item();
    return false;
}

void Engine::allow(double most_ms) {
    deadline_ms_ = processor_ms() + most_ms;
}

void Engine::look() {
    next_look_ = events_ + kEventsBetweenLooks;
    if (in_item_ && recorder_ != nullptr && recorder_->is_done()) {
        is_stopped_ = true;
        stop_item();
    }
    const bool too_long = processor_ms() >= deadline_ms_;
    if (!in_item_ || (!too_long && events_ - events_before_group_ <= kEndlessFactor * options_.most_events))
        return;
    if (observed_groups_ == 0)
        remarks_.push_back(
            {.code = FindingCode::XrayEndless,
             .subject = kernel_,
             .place = name_of(debug_.place_of(last_pc_)),
             .numbers = {{"events", static_cast<double>(events_)}, {"seconds", options_.most_ms / 1000}},
             .texts = {{"item", item_name(item_)}}});
    is_stopped_ = true;
    stop_item();
}

void Engine::look_at_rest() {
    blocks_to_look_ = kBlocksBetweenLooks;
    if (processor_ms() < rest_deadline_ms_) return;
    is_stopped_ = true;
    stop_item();
}

void Engine::on_barrier(std::uint32_t flags, bool of_sub_group, const void* pc) {
    items_[item_].flags = flags;
    wait_at(Meeting::Barrier, of_sub_group, pc);
}

const void* Engine::on_gather(const void* value, std::uint64_t bytes, bool of_sub_group, const void* pc) {
    items_[item_].value = value;
    items_[item_].value_bytes = bytes;
    wait_at(Meeting::Gather, of_sub_group, pc);
    return items_[item_].value;
}

std::uint64_t Engine::global_id(unsigned d) const {
    return d < 3 ? group_id_[d] * geometry_.local[d] + local_id_[d] : 0;
}

std::uint32_t Engine::sub_group_items() const {
    const std::uint32_t first = item_ - item_ % geometry_.sub_group;
    return std::min(geometry_.sub_group, geometry_.items - first);
}

}  // namespace kwb::xray
