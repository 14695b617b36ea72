// SPDX-License-Identifier: Apache-2.0
// Commands that move: steps, breakpoints, watchpoints, stores.
#include "debug/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb::debug {
namespace {

constexpr std::size_t kMostRepeats = 1'000'000;

}  // namespace

bool Console::move(int direction, const std::function<bool(Moment)>& is_there) {
    const std::size_t steps = player_.steps(moment_.item);
    while (direction > 0 ? moment_.step < steps : moment_.step > 0) {
        moment_.step += direction > 0 ? 1 : static_cast<std::size_t>(-1);
        if (player_.is_end(moment_)) return false;
        if (is_there(moment_)) return true;
    }
    return false;
}

/// @param is_there  (moment, depth of the calls at the beginning)
std::string Console::repeat(const Words& words, int direction,
                            const std::function<bool(Moment, std::size_t)>& is_there) {
    const std::uint64_t times = words.empty() ? 1 : parse_number(words, "the number of steps");
    if (direction < 0 && moment_.step == 0) return arrive("This is the first step.");
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(times, kMostRepeats); ++i) {
        const std::size_t depth = player_.depth(player_.frame(moment_));
        if (!move(direction, [&](Moment moment) { return is_there(moment, depth); })) break;
    }
    return arrive();
}

std::string Console::step(const Words& words) {
    return repeat(words, 1, [](Moment, std::size_t) { return true; });
}

std::string Console::step_back(const Words& words) {
    return repeat(words, -1, [](Moment, std::size_t) { return true; });
}

std::string Console::next(const Words& words) {
    return repeat(words, 1, [this](Moment moment, std::size_t depth) {
        return player_.depth(player_.frame(moment)) <= depth;
    });
}

std::string Console::next_back(const Words& words) {
    return repeat(words, -1, [this](Moment moment, std::size_t depth) {
        return player_.depth(player_.frame(moment)) <= depth;
    });
}

std::string Console::finish(const Words&) {
    const std::size_t depth = player_.depth(player_.frame(moment_));
    if (depth <= 1)
        throw BadInput("this is the kernel function, which nothing has called: `end` goes to its end");
    move(1, [&](Moment moment) { return player_.depth(player_.frame(moment)) < depth; });
    return arrive();
}

std::string Console::advance(const Words& words) {
    const std::uint64_t line = parse_number(words, "the line");
    const std::string& file =
        player_.site(moment_) == nullptr ? std::string() : player_.site(moment_)->place.file;
    move(1, [&](Moment moment) {
        const XrayPlace& place = player_.site(moment)->place;
        return place.line == line && place.file == file;
    });
    return arrive();
}

std::string Console::start(const Words&) {
    moment_.step = 0;
    return arrive();
}

std::string Console::end(const Words&) {
    moment_.step = player_.steps(moment_.item);
    return arrive();
}

const Console::Breakpoint* Console::breakpoint_at(Moment moment) const {
    const XrayPlace& place = player_.site(moment)->place;
    for (const Breakpoint& one : breakpoints_) {
        if (one.line != place.line || one.file != place.file) continue;
        if (one.condition.empty()) return &one;
        const Evaluated value = evaluate(one.condition, scope_at(player_, moment));
        // A condition over a variable without a value does not hold.
        if (value.number && value.number->is_true()) return &one;
    }
    return nullptr;
}

std::string Console::go_on(const Words& words) {
    return run_until_stop(words == "all" ? 2 : 1);
}

std::string Console::go_back(const Words& words) {
    return run_until_stop(words == "all" ? -2 : -1);
}

/// @param direction  1: forwards, -1: backwards; twice as much: in any work-item
std::string Console::run_until_stop(int direction) {
    const Moment begin = moment_;
    const bool is_forward = direction > 0;
    const std::uint32_t here = player_.event_of(begin);
    std::optional<std::uint32_t> stop;  // event
    std::string reason;
    const auto take = [&](std::uint32_t event, const std::string& why) {
        if (stop && (is_forward ? *stop <= event : *stop >= event)) return;
        stop = event;
        reason = why;
    };
    if (!breakpoints_.empty() && std::abs(direction) == 1) {
        const Breakpoint* hit = nullptr;
        if (move(direction, [&](Moment moment) { return (hit = breakpoint_at(moment)) != nullptr; }))
            take(player_.event_of(moment_), fmt::format("Breakpoint {}", hit->number));
        moment_ = begin;
    } else if (!breakpoints_.empty()) {
        const auto count = static_cast<std::int64_t>(recording_.events.size());
        const int by = is_forward ? 1 : -1;
        for (std::int64_t i = std::int64_t{here} + by; i >= 0 && i < count && !stop; i += by) {
            const auto event = static_cast<std::uint32_t>(i);
            if (recording_.events[event].kind != RecordedKind::Step) continue;
            if (const Breakpoint* const hit = breakpoint_at(player_.moment_of(event)))
                take(event, fmt::format("Breakpoint {}", hit->number));
        }
    }
    // Another work-item may store between the last one found and this work-item's next step.
    const bool is_at_stop = stop_event_ && stop_moment_ == begin;
    const std::uint32_t from = !is_at_stop ? here : *stop_event_ + (is_forward || is_stop_passed_ ? 1 : 0);
    for (const Watchpoint& one : watchpoints_) {
        const auto find = [&](std::uint32_t event) {
            return is_forward ? player_.next_store(event, one.address, one.bytes)
                              : player_.last_store(event, one.address, one.bytes);
        };
        auto store = find(from);
        while (store &&
               player_.old_bytes(recording_.events[*store]) == player_.new_bytes(recording_.events[*store]))
            store = find(is_forward ? *store + 1 : *store);
        if (store) take(*store, fmt::format("Watchpoint {}, {}", one.number, one.expression));
    }
    if (!stop) {
        moment_.step = is_forward ? player_.steps(moment_.item) : 0;
        return arrive(
            breakpoints_.empty() && watchpoints_.empty() ? "There is no breakpoint and no watchpoint." : "");
    }
    go_to_store(*stop);
    if (recording_.events[*stop].kind != RecordedKind::Step) {
        reason += ": " + tell_store(*stop);
        // Forwards, the change has happened.
        if (is_forward && recording_.events[*stop].item != kGroupCopy) ++moment_.step;
        stop_event_ = stop;
        stop_moment_ = moment_;
        is_stop_passed_ = is_forward;
    }
    if (moment_.item != begin.item)
        reason += fmt::format("\nWork-item {}", item_name(recording_, moment_.item));
    return arrive(reason);
}

void Console::go_to(Moment moment) {
    moment_ = moment;
    frame_ = player_.frame(moment_);
}

void Console::go_to_store(std::uint32_t event) {
    if (recording_.events[event].item != kGroupCopy) {
        moment_ = player_.moment_of(event);
    } else {  // before the work-item's first step after the copy
        moment_.step = 0;
        while (!player_.is_end(moment_) && player_.event_of(moment_) < event) ++moment_.step;
    }
    frame_ = player_.frame(moment_);
}

/// A line without code stands for the next one that has some.
std::string Console::set_break(const Words& words) {
    std::string text = words;
    Breakpoint added;
    if (const std::size_t at = text.find(" if "); at != std::string::npos) {
        added.condition = trim(text.substr(at + 4));
        text = trim(text.substr(0, at));
    }
    if (const std::size_t colon = text.rfind(':'); colon != std::string::npos) {
        added.file = text.substr(0, colon);
        if (added.file == file_name_) added.file.clear();
        text = text.substr(colon + 1);
    }
    const std::uint64_t wanted = parse_number(text, "the line");
    std::uint32_t nearest = 0;
    for (const XrayPlace& place : recording_.code_lines)
        if (place.file == added.file && place.line >= wanted && (nearest == 0 || place.line < nearest))
            nearest = place.line;
    if (nearest == 0)
        throw BadInput(fmt::format("there is no code at or after line {}{}", wanted,
                                   added.file.empty() ? "" : " of " + added.file));
    added.line = nearest;
    added.number = last_number_ + 1;
    if (!added.condition.empty()) {  // where it will be asked: names are those of that line
        const auto at = std::ranges::find_if(recording_.events, [&](const RecordedEvent& event) {
            const XrayPlace& place = recording_.sites[event.site].place;
            return event.kind == RecordedKind::Step && place.line == added.line && place.file == added.file;
        });
        if (at != recording_.events.end()) {
            const auto event = static_cast<std::uint32_t>(at - recording_.events.begin());
            evaluate(added.condition, scope_at(player_, player_.moment_of(event)));
        }
    }
    breakpoints_.push_back(added);
    ++last_number_;
    return fmt::format("Breakpoint {} at line {}{}", added.number, name_of({added.file, added.line, 0}),
                       nearest == wanted ? "" : fmt::format(": there is no code in line {}", wanted));
}

Evaluated Console::memory_of(const Words& expression) const {
    Evaluated value = evaluate(expression, scope());
    if (!value.address || value.bytes == 0)
        throw BadInput(fmt::format("{} is no variable and no element, so nothing stores to it", expression));
    return value;
}

std::string Console::set_watch(const Words& words) {
    const Evaluated value = memory_of(words);
    watchpoints_.push_back({++last_number_, words, *value.address, value.bytes, value.type});
    return fmt::format("Watchpoint {}: {} = {}", last_number_, words, evaluated_text(value, recording_));
}

std::string Console::remove(const Words& words) {
    if (words.empty()) {
        breakpoints_.clear();
        watchpoints_.clear();
        return "";
    }
    const std::uint64_t number = parse_number(words, "its number");
    const auto is_it = [&](const auto& one) { return static_cast<std::uint64_t>(one.number) == number; };
    if (std::erase_if(breakpoints_, is_it) + std::erase_if(watchpoints_, is_it) == 0)
        throw BadInput(
            fmt::format("there is no breakpoint or watchpoint {}: `info breakpoints` lists them", number));
    return "";
}

std::string Console::last_store(const Words& words) {
    const Evaluated value = memory_of(words);
    const auto store = player_.last_store(player_.event_of(moment_), *value.address, value.bytes);
    if (!store) return fmt::format("Nothing in this record has stored to {} before.", words);
    const std::uint32_t item = moment_.item;
    go_to_store(*store);
    return arrive(
        (moment_.item == item ? "" : fmt::format("Work-item {}: ", item_name(recording_, moment_.item))) +
        tell_store(*store));
}

std::string Console::next_store(const Words& words) {
    const Evaluated value = memory_of(words);
    const Moment begin = moment_;
    auto store = player_.next_store(player_.event_of(moment_), *value.address, value.bytes);
    while (store && recording_.events[*store].item == begin.item && player_.moment_of(*store) == begin)
        store = player_.next_store(*store + 1, *value.address, value.bytes);
    if (!store) return fmt::format("Nothing in this record stores to {} afterwards.", words);
    go_to_store(*store);
    return arrive((moment_.item == begin.item
                       ? ""
                       : fmt::format("Work-item {}: ", item_name(recording_, moment_.item))) +
                  tell_store(*store));
}

}  // namespace kwb::debug
