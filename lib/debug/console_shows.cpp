// SPDX-License-Identifier: Apache-2.0
// Commands that show: values, what a line reads, work-items, the source, calls.
#include "debug/console.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "debug/views.hpp"

namespace kwb::debug {
namespace {

constexpr std::size_t kListedLines = 10;
constexpr std::size_t kListedValues = 8;  ///< of an array in `info locals`
constexpr const char* kFromBefore = ", from before this work-group";

/// Rows of cells; long ones are broken, and begin with the number of their first cell.
std::string grid_text(const std::vector<std::string>& cells, std::uint64_t columns) {
    constexpr std::size_t kMostWidth = 100;
    std::size_t width = 1;
    for (const std::string& cell : cells) width = std::max(width, cell.size());
    const std::size_t most = std::max<std::size_t>(kMostWidth / (width + 1), 1);
    const bool is_broken = columns > most;
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t column = i % columns;
        const bool is_first = column == 0 || (is_broken && column % most == 0);
        if (is_first && i > 0) text += "\n";
        if (is_first && is_broken) text += fmt::format("{:>5}: ", column);
        text += fmt::format("{}{:>{}}", is_first ? "" : " ", cells[i], width);
    }
    return text;
}

}  // namespace

/// "a[3][4] = 2, stored by line 49 in work-item (4, 3)"
std::string Console::tell_origin(const Origin& origin) const {
    const std::string is = origin.name + " = " + origin.value;
    if (!origin.store)
        return is + (origin.from == Origin::From::BeforeLaunch ? ", from before the launch"
                     : origin.from == Origin::From::Earlier    ? kFromBefore
                                                               : "");
    const RecordedEvent& event = recording().events[*origin.store];
    const std::string line = line_text(recording().sites[event.site].place);
    if (origin.from == Origin::From::Declaration)
        return fmt::format("{}: line {} declares it without a value", is, line);
    if (origin.from == Origin::From::Argument) return is + ", an argument";
    const std::string item = event.item == moment().item ? ""
                             : event.item == kGroupCopy
                                 ? " for the whole group"
                                 : " in work-item " + item_text(recording(), event.item);
    return fmt::format("{}, stored by line {}{}", is, line, item);
}

std::string Console::origins(const Words&) {
    if (player_.is_end(moment())) throw BadInput("this is behind the last step: reverse-step goes back");
    std::vector<std::string> lines;
    for (const Origin& origin : origins_of(player_, moment())) lines.push_back(tell_origin(origin));
    if (lines.empty()) return "This line reads no variable.";
    return join(lines, "\n");
}

std::string Console::print(const Words& words) {
    return fmt::format("{} = {}", words, evaluated_text(evaluate(words, moves_.scope()), recording()));
}

std::string Console::locals(bool parameters, bool variables) const {
    std::string text;
    for (const VisibleVariable& one : visible_variables(moves_.scope())) {
        if (one.is_parameter ? !parameters : !variables) continue;
        const std::string value =
            evaluated_text(evaluate(one.name, moves_.scope()), recording(), kListedValues);
        const std::string space = one.space == AddressSpace::Private ? "" : to_string(one.space) + " ";
        text += fmt::format("{}{}{}{} = {}", text.empty() ? "" : "\n", space,
                            type_name(recording(), one.type) + " ", one.name, value);
    }
    return text.empty() ? "There are none here." : text;
}

std::string Console::info(const Words& words) {
    const auto is = [&](std::string_view name) { return !words.empty() && name.starts_with(words); };
    if (words.starts_with("output"))
        return output(std::string(trim(words.substr(std::min<std::size_t>(words.size(), 6)))));
    if (is("locals")) return locals(false, true);
    if (is("args")) return locals(true, false);
    if (is("lane") || is("frame") || is("line") || is("thread"))
        return fmt::format("Work-item {}, step {}, {} passed\n", item_text(recording(), moment().item),
                           step_text(player_, moment()), counted(player_.interval(moment()), "barrier")) +
               arrive();
    if (!is("breakpoints") && !is("watchpoints"))
        throw BadInput("give one of: info locals, info args, info output, info breakpoints, info lane");
    std::string text;
    for (const Breakpoint& one : moves_.breakpoints())
        text += fmt::format("{}{}: line {}{}", text.empty() ? "" : "\n", one.number,
                            line_text({one.file, one.line, 0}),
                            one.condition.empty() ? "" : " if " + one.condition);
    for (const Watchpoint& one : moves_.watchpoints())
        text += fmt::format("{}{}: watch {}", text.empty() ? "" : "\n", one.number, one.expression);
    return text.empty() ? "There are no breakpoints and no watchpoints." : text;
}

std::string Console::printed_since(Moment before) const {
    std::string text;
    if (moment().item == before.item)
        for (const std::uint32_t event : player_.prints_between(before, moment()))
            text += fmt::format("printed: {}\n", player_.printed_line(event));
    return text;
}

std::string Console::output(const Words& lane) const {
    constexpr std::size_t kMostRows = 200;
    std::vector<std::uint32_t> events = player_.prints();
    if (!lane.empty()) {
        const std::uint32_t item = item_at(recording(), parse_lane(lane));
        std::erase_if(events, [&](std::uint32_t event) { return recording().events[event].item != item; });
    }
    if (events.empty())
        return lane.empty() ? "Nothing is printed in this record."
                            : "This work-item prints nothing in this record.";
    const std::size_t shown = std::min(events.size(), kMostRows);
    std::string text = fmt::format("{:>12} {:>8} {:>6}  {}", "work-item", "step", "line", "text");
    for (std::size_t i = 0; i < shown; ++i) {
        const RecordedEvent& event = recording().events[events[i]];
        text += fmt::format("\n{:>12} {:>8} {:>6}  {}", item_text(recording(), event.item),
                            player_.moment_of(events[i]).step + 1,
                            line_text(recording().sites[event.site].place), player_.printed_line(events[i]));
    }
    if (shown < events.size())
        text +=
            fmt::format("\nand {} more: info output X,Y shows those of one work-item", events.size() - shown);
    return text;
}

std::vector<std::uint64_t> Console::parse_lane(const Words& words) {
    std::vector<std::uint64_t> ids;
    for (const std::string& word : split(words, ',')) ids.push_back(parse_number(trim(word), "an index"));
    return ids;
}

std::string Console::lane(const Words& words) {
    if (words.empty()) return info("lane");
    const std::uint32_t number = item_at(recording(), parse_lane(words));
    const bool is_known = player_.has_interval(moment(), number);
    if (moves_.select_item(number)) return arrive();
    const std::string item = item_text(recording(), number);
    return arrive(
        is_known
            ? fmt::format("Work-item {} does not come to this line: this is its last one before "
                          "the next barrier.",
                          item)
            : fmt::format("What is recorded here has no such point of work-item {}: this is another one.{}",
                          item, cut()));
}

std::string Console::lanes(const Words& words) {
    std::vector<std::string> cells;
    bool is_elsewhere = false;
    for (LaneValue& lane : lane_values(player_, moves_.scope(), words)) {
        using State = LaneValue::State;
        cells.push_back(lane.state == State::Known   ? std::move(lane.text)
                        : lane.state == State::Unset ? "?"
                                                     : "-");
        if (lane.is_elsewhere && lane.state != State::Unknown) cells.back() += "*";
        is_elsewhere = is_elsewhere || lane.is_elsewhere;
    }
    return grid_text(cells, recording().local[0]) +
           (is_elsewhere ? "\n* does not come to this line: its last value before the next barrier" : "");
}

std::string Console::list(const Words& words) {
    const RecordedSite* const site = player_.site(moment());
    const XrayPlace here = site != nullptr ? site->place : XrayPlace{};
    const std::vector<std::string>& lines = lines_of(here.file);
    const std::uint64_t middle = words.empty() ? here.line : parse_number(words, "the line");
    const std::uint64_t first = middle > kListedLines / 2 ? middle - kListedLines / 2 : 1;
    std::string text;
    for (std::uint64_t line = first; line < first + kListedLines && line <= lines.size(); ++line) {
        const XrayPlace place{here.file, static_cast<std::uint32_t>(line), 0};
        text +=
            (text.empty() ? "" : "\n") + source_line(place, line == here.line && !player_.is_end(moment()));
    }
    return text.empty() ? fmt::format("There is no line {}.", middle) : text;
}

std::string Console::backtrace(const Words&) {
    std::string text;
    int number = 0;
    const RecordedSite* site = player_.site(moment());
    for (std::uint32_t frame = player_.frame(moment()); frame != kNoFrame; ++number) {
        const RecordedFrame& call = recording().frames[frame];
        text += fmt::format("{}#{} {} at line {}{}", text.empty() ? "" : "\n", number,
                            recording().functions[call.function].name,
                            site != nullptr ? line_text(site->place) : "?",
                            frame == moves_.frame() ? "  (selected)" : "");
        site = &recording().sites[call.site];
        frame = call.caller;
    }
    return text.empty() ? "It has no steps." : text;
}

std::string Console::up(const Words&) {
    const std::uint32_t frame = moves_.frame();
    if (frame == kNoFrame || recording().frames[frame].caller == kNoFrame)
        throw BadInput("this is the kernel function, which nothing has called");
    moves_.select_frame(recording().frames[frame].caller);
    return backtrace("");
}

std::string Console::down(const Words&) {
    std::uint32_t callee = player_.frame(moment());
    if (callee == moves_.frame()) throw BadInput("this is the innermost function");
    while (recording().frames[callee].caller != moves_.frame()) callee = recording().frames[callee].caller;
    moves_.select_frame(callee);
    return backtrace("");
}

}  // namespace kwb::debug
