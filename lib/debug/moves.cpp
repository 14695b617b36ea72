// SPDX-License-Identifier: Apache-2.0
#include "debug/moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb::debug {

Moves::Moves(const Player& player) : player_(player), recording_(player.recording()) {
    select({});
}

void Moves::select(Moment moment) {
    moment_ = moment;
    frame_ = player_.frame(moment_);
}

bool Moves::select_item(std::uint32_t item) {
    const auto there = player_.same_moment(moment_, item);
    select(there.value_or(player_.last_moment(moment_, item)));
    return there.has_value();
}

std::optional<Moment> Moves::find(Direction direction, const Predicate& is_it) const {
    Moment moment = moment_;
    const std::size_t steps = player_.steps(moment.item);
    while (direction == Direction::Forwards ? moment.step + 1 < steps : moment.step > 0) {
        direction == Direction::Forwards ? ++moment.step : --moment.step;
        if (is_it(moment)) return moment;
    }
    return std::nullopt;
}

bool Moves::move(Direction direction, const Predicate& is_it) {
    const auto there = find(direction, is_it);
    if (there)
        select(*there);
    else if (direction == Direction::Forwards)
        go_to_end();
    else
        go_to_start();
    return there.has_value();
}

bool Moves::step(Direction direction) {
    return move(direction, [](Moment) { return true; });
}

bool Moves::next(Direction direction) {
    const std::size_t begin = depth(moment_);
    return move(direction, [&](Moment moment) { return depth(moment) <= begin; });
}

bool Moves::finish() {
    const std::size_t begin = depth(moment_);
    if (begin <= 1) return false;
    move(Direction::Forwards, [&](Moment moment) { return depth(moment) < begin; });
    return true;
}

void Moves::advance(std::uint64_t line) {
    const RecordedSite* const site = player_.site(moment_);
    const std::string file = site == nullptr ? "" : site->place.file;
    move(Direction::Forwards, [&](Moment moment) {
        const XrayPlace& place = player_.site(moment)->place;
        return place.line == line && place.file == file;
    });
}

void Moves::leave_loop() {
    const RecordedSite* const site = player_.site(moment_);
    if (site == nullptr) return;
    const XrayPlace& here = site->place;
    const std::size_t begin = depth(moment_);
    move(Direction::Forwards, [&](Moment moment) {
        const XrayPlace& place = player_.site(moment)->place;
        const std::size_t now = depth(moment);
        return now < begin || (now == begin && place.file == here.file && place.line > here.line);
    });
}

void Moves::go_to_barrier(Direction direction) {
    const std::vector<std::size_t> steps = player_.barrier_steps(moment_.item);
    if (direction == Direction::Forwards) {
        const auto next = std::ranges::upper_bound(steps, moment_.step);
        select({moment_.item, next != steps.end() ? *next : player_.steps(moment_.item)});
    } else {
        const auto here = std::ranges::lower_bound(steps, moment_.step);
        select({moment_.item, here != steps.begin() ? *std::prev(here) : 0});
    }
}

Moves::Place Moves::read_place(std::string_view text) {
    Place place;
    if (const std::size_t at = text.find(" if "); at != std::string_view::npos) {
        place.condition = trim(text.substr(at + 4));
        text = text.substr(0, at);
    }
    if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
        place.file = trim(text.substr(0, colon));
        text = text.substr(colon + 1);
    }
    text = trim(text);
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), place.line);
    if (fault != std::errc() || end != text.data() + text.size())
        throw BadInput(fmt::format("'{}' is no line: give a number, as in 53 if k == 9", text));
    return place;
}

bool Moves::is_hit(const Breakpoint& breakpoint, Moment moment, std::string& problem) const {
    const XrayPlace& place = player_.site(moment)->place;
    if (breakpoint.line != place.line || breakpoint.file != place.file) return false;
    if (breakpoint.condition.empty()) return true;
    try {
        const Evaluated value = evaluate(breakpoint.condition, scope_at(player_, moment));
        // A condition over a variable without a value does not hold.
        return value.number && value.number->is_true();
    } catch (const BadInput& error) {  // it divides by zero
        problem = error.what();
        return true;
    }
}

const Breakpoint* Moves::breakpoint_at(Moment moment, std::string& problem) const {
    const auto found = std::ranges::find_if(
        breakpoints_, [&](const Breakpoint& one) { return is_hit(one, moment, problem); });
    return found == breakpoints_.end() ? nullptr : &*found;
}

bool Moves::go_to_place(const Place& place) {
    const Breakpoint wanted = breakpoint_for(place.file, place.line, place.condition);
    std::string problem;
    for (Moment moment{moment_.item, 0}; !player_.is_end(moment); ++moment.step)
        if (is_hit(wanted, moment, problem)) {
            select(moment);
            return true;
        }
    return false;
}

Stop Moves::find_breakpoint(Direction direction, Whose whose) const {
    Stop stop;
    if (breakpoints_.empty()) return stop;
    const auto stops = [&](Moment moment) {
        const Breakpoint* const hit = breakpoint_at(moment, stop.problem);
        if (hit == nullptr) return false;
        stop.reason = Stop::Reason::Breakpoint;
        stop.number = hit->number;
        stop.event = player_.event_of(moment);
        return true;
    };
    if (whose == Whose::WorkItem) {
        find(direction, stops);
        return stop;
    }
    const auto count = static_cast<std::int64_t>(recording_.events.size());
    const int by = direction == Direction::Forwards ? 1 : -1;
    for (std::int64_t i = std::int64_t{player_.event_of(moment_)} + by; i >= 0 && i < count; i += by) {
        const auto event = static_cast<std::uint32_t>(i);
        if (recording_.events[event].kind == RecordedKind::Step && stops(player_.moment_of(event))) break;
    }
    return stop;
}

std::optional<std::uint32_t> Moves::find_change(const Watchpoint& watchpoint, Direction direction,
                                                std::uint32_t event) const {
    const auto find = [&](std::uint32_t from) {
        return direction == Direction::Forwards
                   ? player_.next_store(from, watchpoint.address, watchpoint.bytes)
                   : player_.last_store(from, watchpoint.address, watchpoint.bytes);
    };
    const auto changes = [&](std::uint32_t store) {
        const RecordedEvent& one = recording_.events[store];
        return player_.old_bytes(one) != player_.new_bytes(one);
    };
    auto store = find(event);
    while (store && !changes(*store)) store = find(direction == Direction::Forwards ? *store + 1 : *store);
    return store;
}

Stop Moves::run(Direction direction, Whose whose) {
    const Moment begin = moment_;
    const bool is_forward = direction == Direction::Forwards;
    const std::uint32_t here = player_.event_of(begin);
    Stop stop = find_breakpoint(direction, whose);
    // Another work-item may store between the last one found and this work-item's next step.
    const bool is_at_stop = stop_event_ && stop_moment_ == begin;
    const std::uint32_t from = !is_at_stop ? here : *stop_event_ + (is_forward || is_stop_passed_ ? 1 : 0);
    for (const Watchpoint& one : watchpoints_) {
        const auto store = find_change(one, direction, from);
        if (!store) continue;
        const bool is_later = is_forward ? stop.event <= *store : stop.event >= *store;
        if (stop.reason != Stop::Reason::End && is_later) continue;
        stop.reason = Stop::Reason::Watchpoint;
        stop.event = *store;
        stop.number = one.number;
        stop.expression = one.expression;
        stop.problem.clear();
    }
    if (stop.reason == Stop::Reason::End) {
        is_forward ? go_to_end() : go_to_start();
        return stop;
    }
    go_to_store(stop.event);
    if (stop.reason == Stop::Reason::Watchpoint) {
        // Forwards, the change has happened.
        if (is_forward && recording_.events[stop.event].item != kGroupCopy)
            select({moment_.item, moment_.step + 1});
        stop_event_ = stop.event;
        stop_moment_ = moment_;
        is_stop_passed_ = is_forward;
    }
    stop.is_another_item = moment_.item != begin.item;
    return stop;
}

void Moves::go_to_store(std::uint32_t event) {
    Moment moment = moment_;
    if (recording_.events[event].item != kGroupCopy) {
        moment = player_.moment_of(event);
    } else {  // before the work-item's first step after the copy
        moment.step = 0;
        while (!player_.is_end(moment) && player_.event_of(moment) < event) ++moment.step;
    }
    select(moment);
}

Evaluated Moves::memory_of(const std::string& expression) const {
    Evaluated value = evaluate(expression, scope());
    if (!value.address || value.bytes == 0)
        throw BadInput(fmt::format("{} is no variable and no element, so nothing stores to it", expression));
    return value;
}

std::optional<std::uint32_t> Moves::go_to_last_store(const std::string& expression) {
    const Evaluated value = memory_of(expression);
    const auto store = player_.last_store(player_.event_of(moment_), *value.address, value.bytes);
    if (store) go_to_store(*store);
    return store;
}

std::optional<std::uint32_t> Moves::go_to_next_store(const std::string& expression) {
    const Evaluated value = memory_of(expression);
    auto store = player_.next_store(player_.event_of(moment_), *value.address, value.bytes);
    while (store && recording_.events[*store].item == moment_.item && player_.moment_of(*store) == moment_)
        store = player_.next_store(*store + 1, *value.address, value.bytes);
    if (store) go_to_store(*store);
    return store;
}

Breakpoint Moves::breakpoint_for(const std::string& file, std::uint64_t line,
                                 const std::string& condition) const {
    Breakpoint added{0, file, 0, condition};
    for (const XrayPlace& place : recording_.code_lines)
        if (place.file == file && place.line >= line && (added.line == 0 || place.line < added.line))
            added.line = place.line;
    if (added.line == 0)
        throw BadInput(
            fmt::format("there is no code at or after line {}{}", line, file.empty() ? "" : " of " + file));
    if (!condition.empty()) {  // where it will be asked: names are those of that line
        const auto at = std::ranges::find_if(recording_.events, [&](const RecordedEvent& event) {
            const XrayPlace& place = recording_.sites[event.site].place;
            return event.kind == RecordedKind::Step && place.line == added.line && place.file == file;
        });
        if (at != recording_.events.end()) {
            const auto event = static_cast<std::uint32_t>(at - recording_.events.begin());
            evaluate(condition, scope_at(player_, player_.moment_of(event)));
        }
    }
    return added;
}

Breakpoint Moves::add_breakpoint(const std::string& file, std::uint64_t line, const std::string& condition) {
    Breakpoint added = breakpoint_for(file, line, condition);
    added.number = ++last_number_;
    breakpoints_.push_back(added);
    return added;
}

Watchpoint Moves::add_watchpoint(const std::string& expression) {
    const Evaluated value = memory_of(expression);
    return add_watchpoint(expression, *value.address, value.bytes);
}

Watchpoint Moves::add_watchpoint(const std::string& name, std::uint64_t address, std::uint64_t bytes) {
    watchpoints_.push_back({++last_number_, name, address, bytes});
    return watchpoints_.back();
}

bool Moves::remove(std::uint64_t number) {
    const auto is_it = [&](const auto& one) { return static_cast<std::uint64_t>(one.number) == number; };
    return std::erase_if(breakpoints_, is_it) + std::erase_if(watchpoints_, is_it) > 0;
}

void Moves::remove_all() {
    breakpoints_.clear();
    watchpoints_.clear();
}

}  // namespace kwb::debug
