// SPDX-License-Identifier: Apache-2.0
// Commands that move: steps, breakpoints, watchpoints, stores.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "debug/console.hpp"

namespace kwb::debug {
namespace {

constexpr std::uint64_t kMostRepeats = 1'000'000;

}  // namespace

std::string Console::repeat(const Words& words, Direction direction, bool (Moves::*move)(Direction)) {
    const std::uint64_t times = words.empty() ? 1 : parse_number(words, "the number of steps");
    if (direction == Direction::Backwards && moment().step == 0) return arrive("This is the first step.");
    for (std::uint64_t i = 0; i < std::min(times, kMostRepeats); ++i)
        if (!(moves_.*move)(direction)) break;
    return arrive();
}

std::string Console::step(const Words& words) {
    return repeat(words, Direction::Forwards, &Moves::step);
}

std::string Console::step_back(const Words& words) {
    return repeat(words, Direction::Backwards, &Moves::step);
}

std::string Console::next(const Words& words) {
    return repeat(words, Direction::Forwards, &Moves::next);
}

std::string Console::next_back(const Words& words) {
    return repeat(words, Direction::Backwards, &Moves::next);
}

std::string Console::finish(const Words&) {
    if (!moves_.finish())
        throw BadInput("this is the kernel function, which nothing has called: `end` goes to its end");
    return arrive();
}

std::string Console::advance(const Words& words) {
    moves_.advance(parse_number(words, "the line"));
    return arrive();
}

std::string Console::start(const Words&) {
    moves_.go_to_start();
    return arrive();
}

std::string Console::end(const Words&) {
    moves_.go_to_end();
    return arrive();
}

std::string Console::go_on(const Words& words) {
    return run_until_stop(Direction::Forwards, words);
}

std::string Console::go_back(const Words& words) {
    return run_until_stop(Direction::Backwards, words);
}

std::string Console::run_until_stop(Direction direction, const Words& words) {
    const Stop stop = moves_.run(direction, words == "all" ? Whose::Group : Whose::WorkItem);
    if (stop.reason == Stop::Reason::End)
        return arrive(moves_.breakpoints().empty() && moves_.watchpoints().empty()
                          ? "There is no breakpoint and no watchpoint."
                          : "");
    std::string reason = stop.reason == Stop::Reason::Breakpoint
                             ? fmt::format("Breakpoint {}", stop.number)
                             : fmt::format("Watchpoint {}, {}: {}", stop.number, stop.expression, stop.text);
    if (!stop.problem.empty()) reason += ": " + stop.problem;
    if (stop.is_another_item) reason += fmt::format("\nWork-item {}", item_text(recording(), moment().item));
    return arrive(reason);
}

std::string Console::set_break(const Words& words) {
    const Moves::Place wanted = Moves::read_place(words);
    const Breakpoint added =
        moves_.add_breakpoint(wanted.file == file_name_ ? "" : wanted.file, wanted.line, wanted.condition);
    return fmt::format(
        "Breakpoint {} at line {}{}", added.number, line_text({added.file, added.line, 0}),
        added.line == wanted.line ? "" : fmt::format(": there is no code in line {}", wanted.line));
}

std::string Console::set_watch(const Words& words) {
    const Watchpoint added = moves_.add_watchpoint(words);
    return fmt::format("Watchpoint {}: {} = {}", added.number, words,
                       evaluated_text(evaluate(words, moves_.scope()), recording()));
}

std::string Console::remove(const Words& words) {
    if (words.empty()) {
        moves_.remove_all();
        return "";
    }
    const std::uint64_t number = parse_number(words, "its number");
    if (!moves_.remove(number))
        throw BadInput(
            fmt::format("there is no breakpoint or watchpoint {}: `info breakpoints` lists them", number));
    return "";
}

std::string Console::last_store(const Words& words) {
    const auto store = moves_.find_last_store(words);
    if (!store) {
        const std::uint64_t address = evaluate(words, moves_.scope()).address.value_or(0);
        const RecordedRegion* const region = player_.region_at(address);
        if (region != nullptr && region->space == AddressSpace::Global) stored_before_ = address;
        return fmt::format("Nothing in this record has stored to {} before.", words);
    }
    return arrive_at_store(*store);
}

std::string Console::next_store(const Words& words) {
    const auto store = moves_.find_next_store(words);
    if (!store) return fmt::format("Nothing in this record stores to {} afterwards.", words);
    return arrive_at_store(*store);
}

std::string Console::difference(const Words& words) {
    if (comparison_ == nullptr)
        throw BadInput("there is nothing to compare with: start with --against and another kernel");
    const Difference* const next =
        next_difference(*comparison_, player_, moment(), words == "all" ? Whose::Group : Whose::WorkItem);
    if (next == nullptr)
        return words == "all" ? "No further difference." : "No further difference in this work-item.";
    moves_.go_to(next->moment, next->event);
    return arrive(differences_text(*comparison_, next->moment, recording()));
}

std::string Console::arrive_at_store(std::uint32_t store) {
    const std::uint32_t before = moment().item;
    std::string text = store_text(player_, store);
    // A copy by the group happens between two lines of the work-item.
    const RecordedEvent& event = recording().events[store];
    if (event.item == kGroupCopy) text += "\n" + source_line(recording().sites[event.site].place, false);
    moves_.go_to_store(store);
    const std::uint32_t item = moment().item;
    return arrive((item == before ? "" : fmt::format("Work-item {}: ", item_text(recording(), item))) + text);
}

}  // namespace kwb::debug
