// SPDX-License-Identifier: Apache-2.0
#include "debug/moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "debug/origins.hpp"

namespace kwb::debug {
namespace {

/// Parts of a record that one movement looks through.
constexpr int kMostTurns = 10;

}  // namespace

Moves::Moves(const Player& player) : player_(player) {
    select({});
}

void Moves::select(Moment moment) {
    moment_ = moment;
    frame_ = player_.frame(moment_);
}

bool Moves::select_item(std::uint32_t item) {
    begin_move();
    const auto there = player_.same_moment(moment_, item);
    const auto has_steps = [&] { return player_.steps(item) > player_.first_step(item); };
    if (!there && !has_steps() && turn_to({WantedPart::kLast, item}))
        select({item, player_.first_step(item)});
    else
        select(there.value_or(player_.last_moment(moment_, item)));
    return there.has_value();
}

void Moves::begin_move() {
    turns_left_ = kMostTurns;
    cut_.clear();
}

bool Moves::turn_to(const WantedPart& wanted) {
    if (!turn_) return false;
    if (turns_left_-- == 0) {
        cut_ = fmt::format("This looked through {} million events: the same command goes on from here.",
                           (player_.recording().end() - player_.recording().begin) * kMostTurns / 1'000'000);
        return false;
    }
    cut_ = turn_(wanted);
    if (cut_.empty()) stop_event_.reset();
    return cut_.empty();
}

bool Moves::turn(Direction direction) {
    return turn_to({direction == Direction::Forwards ? recording().end() : recording().begin - 1});
}

bool Moves::goes_on(Direction direction) const {
    return direction == Direction::Forwards ? recording().goes_on : recording().begin > 0;
}

bool Moves::goes_on(Direction direction, std::uint32_t item) const {
    return direction == Direction::Forwards ? !player_.is_over(item) : player_.first_step(item) > 0;
}

void Moves::select_edge(Direction direction) {
    const std::uint32_t item = moment_.item;
    select({item, direction == Direction::Forwards ? player_.steps(item) : player_.first_step(item)});
}

void Moves::go_to_start() {
    begin_move();
    const std::uint32_t item = moment_.item;
    if (player_.first_step(item) > 0 || (player_.steps(item) == 0 && goes_on(Direction::Forwards, item)))
        turn_to({WantedPart::kLast, item});
    select_edge(Direction::Backwards);
}

void Moves::go_to_end() {
    move(Direction::Forwards, [](Moment) { return false; });
}

std::optional<Moment> Moves::find(Direction direction, const Predicate& is_it) {
    Moment moment = moment_;
    if (direction == Direction::Forwards) ++moment.step;
    while (true) {
        if (direction == Direction::Forwards)
            for (; moment.step < player_.steps(moment.item); ++moment.step) {
                if (is_it(moment)) return moment;
            }
        else
            while (moment.step > player_.first_step(moment.item)) {
                --moment.step;
                if (is_it(moment)) return moment;
            }
        if (!goes_on(direction, moment.item) || !turn(direction)) return std::nullopt;
        if (direction == Direction::Forwards) moment.step = player_.first_step(moment.item);
    }
}

bool Moves::move(Direction direction, const Predicate& is_it) {
    begin_move();
    const auto there = find(direction, is_it);
    there ? select(*there) : select_edge(direction);
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
    // The first step after a barrier.
    move(direction, [&](Moment moment) {
        return moment.step > 0 &&
               player_.interval(moment) != player_.interval({moment.item, moment.step - 1});
    });
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
    const auto is_there = [&](Moment moment) { return is_hit(wanted, moment, problem); };
    go_to_start();
    const bool is_found = (!is_end() && is_there(moment_)) || move(Direction::Forwards, is_there);
    if (!problem.empty()) throw BadInput(problem);
    return is_found;
}

Moves::From Moves::edge(Direction direction) const {
    const bool is_forward = direction == Direction::Forwards;
    const std::uint32_t item = moment_.item;
    const auto event =
        static_cast<std::uint32_t>(is_forward ? recording().earlier.size() : recording().events.size());
    return {is_forward ? player_.first_step(item) : player_.steps(item), event, event};
}

Stop Moves::find_breakpoint(Direction direction, Whose whose, const From& from) const {
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
    // Up to the last one, or down to the first.
    const auto look = [&](std::uint64_t at, std::uint64_t first, std::uint64_t end, const auto& stops_at) {
        if (direction == Direction::Forwards)
            for (; at < end && !stops_at(at); ++at) {
            }
        else
            while (at > first && !stops_at(--at)) {
            }
    };
    const std::uint32_t item = moment_.item;
    if (whose == Whose::WorkItem)
        look(from.step, player_.first_step(item), player_.steps(item), [&](std::uint64_t step) {
            return stops({item, step});
        });
    else
        look(from.event, recording().earlier.size(), recording().events.size(), [&](std::uint64_t number) {
            const auto event = static_cast<std::uint32_t>(number);
            return recording().events[event].kind == RecordedKind::Step && stops(player_.moment_of(event));
        });
    return stop;
}

std::optional<std::uint32_t> Moves::find_change(const Watchpoint& watchpoint, Direction direction,
                                                std::uint32_t event) const {
    const std::uint64_t address = player_.address(watchpoint.location);
    const auto find = [&](std::uint32_t from) {
        return direction == Direction::Forwards ? player_.next_store(from, address, watchpoint.bytes)
                                                : player_.last_store(from, address, watchpoint.bytes);
    };
    const auto changes = [&](std::uint32_t store) {
        const RecordedEvent& one = recording().events[store];
        return player_.old_bytes(one) != player_.new_bytes(one);
    };
    auto store = find(event);
    while (store && !changes(*store)) store = find(direction == Direction::Forwards ? *store + 1 : *store);
    return store && player_.is_earlier(*store) ? std::nullopt : store;
}

Stop Moves::find_stop(Direction direction, Whose whose, const From& from) const {
    Stop stop = find_breakpoint(direction, whose, from);
    for (const Watchpoint& one : watchpoints_) {
        const auto store = find_change(one, direction, from.store);
        if (!store) continue;
        const bool is_later = direction == Direction::Forwards ? stop.event <= *store : stop.event >= *store;
        if (stop.reason != Stop::Reason::End && is_later) continue;
        stop.reason = Stop::Reason::Watchpoint;
        stop.event = *store;
        stop.number = one.number;
        stop.expression = one.expression;
        stop.problem.clear();
    }
    return stop;
}

Stop Moves::run(Direction direction, Whose whose) {
    begin_move();
    const Moment begin = moment_;
    const bool is_forward = direction == Direction::Forwards;
    const std::uint32_t here = player_.event_of(begin);
    // Another work-item may store between the last one found and this work-item's next step.
    const bool is_at_stop = stop_event_ && stop_moment_ == begin;
    From from{begin.step, here, !is_at_stop ? here : *stop_event_ + (is_forward || is_stop_passed_ ? 1 : 0)};
    if (is_forward) ++from.step, ++from.event;
    Stop stop = find_stop(direction, whose, from);
    const bool is_of_item = whose == Whose::WorkItem && watchpoints_.empty();
    while (stop.reason == Stop::Reason::End &&
           (is_of_item ? goes_on(direction, begin.item) : goes_on(direction)) && turn(direction))
        stop = find_stop(direction, whose, edge(direction));
    if (stop.reason == Stop::Reason::End) {
        select_edge(direction);
        return stop;
    }
    if (stop.reason == Stop::Reason::Breakpoint) {
        select(player_.moment_of(stop.event));
    } else {
        stop.text = store_text(player_, stop.event);
        Moment moment = store_moment(stop.event);
        // Forwards, the change has happened.
        if (is_forward && recording().events[stop.event].item != kGroupCopy) ++moment.step;
        const bool is_here = player_.has(moment);
        show(moment);
        if (is_here) stop_event_ = stop.event;
        stop_moment_ = moment_;
        is_stop_passed_ = is_forward;
    }
    stop.is_another_item = moment_.item != begin.item;
    return stop;
}

void Moves::go_to(Moment moment, std::uint64_t number) {
    begin_move();
    if (number < recording().begin || number >= recording().end()) turn_to({number});
    show(moment);
}

void Moves::go_to_store(std::uint32_t event) {
    if (!player_.is_earlier(event)) show(store_moment(event));
}

Moment Moves::store_moment(std::uint32_t event) const {
    return recording().events[event].item == kGroupCopy ? player_.moment_after(event, moment_.item)
                                                        : player_.moment_of(event);
}

void Moves::show(Moment moment) {
    // A step may have begun in the part before.
    if (!player_.has(moment)) turn(Direction::Backwards);
    if (!player_.has(moment)) moment.step = player_.first_step(moment.item);
    select(moment);
}

Evaluated Moves::memory_of(const std::string& expression) const {
    Evaluated value = evaluate(expression, scope());
    if (!value.address || value.bytes == 0)
        throw BadInput(fmt::format("{} is no variable and no element, so nothing stores to it", expression));
    return value;
}

std::optional<std::uint32_t> Moves::find_last_store(const std::string& expression) {
    const Evaluated value = memory_of(expression);
    const auto store = player_.last_store(player_.event_of(moment_), *value.address, value.bytes);
    return store ? std::optional(turn_to_store(*store)) : std::nullopt;
}

std::uint32_t Moves::turn_to_store(std::uint32_t event) {
    begin_move();
    const std::uint64_t number = player_.number(event);
    if (!player_.is_earlier(event) || !turn_to({number})) return event;
    return static_cast<std::uint32_t>(number - recording().begin + recording().earlier.size());
}

std::optional<std::uint32_t> Moves::find_next_store(const std::string& expression) {
    begin_move();
    const Evaluated value = memory_of(expression);
    const Location location = player_.location(*value.address);
    const std::uint64_t here = player_.number_at(moment_);
    auto store = player_.next_store(player_.event_of(moment_), *value.address, value.bytes);
    while (store && recording().events[*store].item == moment_.item && player_.moment_of(*store) == moment_)
        store = player_.next_store(*store + 1, *value.address, value.bytes);
    while (!store && goes_on(Direction::Forwards) && turn(Direction::Forwards))
        store = player_.next_store(edge(Direction::Forwards).event, player_.address(location), value.bytes);
    if (!store && here < recording().begin && turn_to({here})) show(moment_);
    return store;
}

Breakpoint Moves::breakpoint_for(const std::string& file, std::uint64_t line,
                                 const std::string& condition) const {
    Breakpoint added{0, file, 0, condition};
    for (const XrayPlace& place : recording().code_lines)
        if (place.file == file && place.line >= line && (added.line == 0 || place.line < added.line))
            added.line = place.line;
    if (added.line == 0)
        throw BadInput(
            fmt::format("there is no code at or after line {}{}", line, file.empty() ? "" : " of " + file));
    if (!condition.empty()) {  // where it will be asked: names are those of that line
        const auto at = std::ranges::find_if(recording().events, [&](const RecordedEvent& event) {
            const XrayPlace& place = recording().sites[event.site].place;
            return event.kind == RecordedKind::Step && place.line == added.line && place.file == file;
        });
        if (at != recording().events.end()) {
            const auto event = static_cast<std::uint32_t>(at - recording().events.begin());
            try {
                evaluate(condition, scope_at(player_, player_.moment_of(event)));
            } catch (const DivisionByZero&) {  // at other executions it may have a value
            }
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
    return add_watchpoint(expression, player_.location(*value.address), value.bytes);
}

Watchpoint Moves::add_watchpoint(const std::string& name, const Location& location, std::uint64_t bytes) {
    watchpoints_.push_back({++last_number_, name, location, bytes});
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
