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

}  // namespace

std::string Console::tell_store(std::uint32_t number) const {
    const RecordedEvent& event = recording_.events[number];
    const std::string line = name_of(recording_.sites[event.site].place);
    const Store store = store_of(player_, number);
    if (store.now.empty())
        return fmt::format("line {} stores {} to {}", line, counted(event.bytes, "byte"), store.memory.name);
    return fmt::format("line {} stores {} to {}, which held {}", line, store.now, store.memory.name,
                       store.before);
}

/// "a[3][4] = 2, stored by line 49 in work-item (4, 3)"
std::string Console::tell_origin(const Origin& origin) const {
    const std::string is =
        origin.memory.name + " = " + memory_text(recording_, origin.memory.type, origin.value, kListedValues);
    switch (origin.from) {
        case Origin::From::Unknown:
            return is;
        case Origin::From::BeforeLaunch:
            return is + ", from before the launch";
        case Origin::From::Argument:
            return is + ", an argument";
        case Origin::From::Store:
            break;
    }
    const RecordedEvent& event = recording_.events[*origin.store];
    const std::string item = event.item == moment().item ? ""
                             : event.item == kGroupCopy
                                 ? " for the whole group"
                                 : " in work-item " + item_text(recording_, event.item);
    return fmt::format("{}, stored by line {}{}", is, name_of(recording_.sites[event.site].place), item);
}

std::string Console::origins(const Words&) {
    if (player_.is_end(moment())) throw BadInput("this is behind the last step: reverse-step goes back");
    std::vector<std::string> lines;
    for (const Origin& origin : origins_of(player_, moment())) lines.push_back(tell_origin(origin));
    if (lines.empty()) return "This line reads no variable.";
    return join(lines, "\n");
}

std::string Console::print(const Words& words) {
    return fmt::format("{} = {}", words, evaluated_text(evaluate(words, moves_.scope()), recording_));
}

std::string Console::locals(bool parameters, bool variables) const {
    std::string text;
    for (const VisibleVariable& one : visible_variables(moves_.scope())) {
        if (one.is_parameter ? !parameters : !variables) continue;
        const std::string value =
            evaluated_text(evaluate(one.name, moves_.scope()), recording_, kListedValues);
        const std::string space = one.space == AddressSpace::Private ? "" : to_string(one.space) + " ";
        text += fmt::format("{}{}{}{} = {}", text.empty() ? "" : "\n", space,
                            type_name(recording_, one.type) + " ", one.name, value);
    }
    return text.empty() ? "There are none here." : text;
}

std::string Console::info(const Words& words) {
    const auto is = [&](std::string_view name) { return !words.empty() && name.starts_with(words); };
    if (is("locals")) return locals(false, true);
    if (is("args")) return locals(true, false);
    if (is("lane") || is("frame") || is("line") || is("thread"))
        return fmt::format("Work-item {}, step {} of {}, {} passed\n", item_text(recording_, moment().item),
                           std::min(moment().step + 1, player_.steps(moment().item)),
                           player_.steps(moment().item), counted(player_.interval(moment()), "barrier")) +
               arrive();
    if (!is("breakpoints") && !is("watchpoints"))
        throw BadInput("give one of: info locals, info args, info breakpoints, info lane");
    std::string text;
    for (const Breakpoint& one : moves_.breakpoints())
        text += fmt::format("{}{}: line {}{}", text.empty() ? "" : "\n", one.number,
                            name_of({one.file, one.line, 0}),
                            one.condition.empty() ? "" : " if " + one.condition);
    for (const Watchpoint& one : moves_.watchpoints())
        text += fmt::format("{}{}: watch {}", text.empty() ? "" : "\n", one.number, one.expression);
    return text.empty() ? "There are no breakpoints and no watchpoints." : text;
}

std::string Console::lane(const Words& words) {
    if (words.empty()) return info("lane");
    std::vector<std::uint64_t> ids;
    for (const std::string& word : split(words, ',')) ids.push_back(parse_number(trim(word), "an index"));
    const std::uint32_t number = item_at(recording_, ids);
    return arrive(moves_.select_item(number)
                      ? ""
                      : fmt::format("Work-item {} does not come to this line: this is its first step.",
                                    item_text(recording_, number)));
}

std::string Console::lanes(const Words& words) {
    std::vector<std::string> cells;
    for (LaneValue& lane : lane_values(player_, moves_.scope(), words))
        cells.push_back(lane.state == LaneValue::State::Known    ? std::move(lane.text)
                        : lane.state == LaneValue::State::Absent ? "-"
                                                                 : "?");
    std::size_t width = 0;
    for (const std::string& cell : cells) width = std::max(width, cell.size());
    std::string text;
    const std::uint64_t columns = recording_.local[0];
    for (std::size_t i = 0; i < cells.size(); ++i) {
        text += fmt::format("{:>{}}", cells[i], width);
        const bool is_last = i % columns + 1 == columns;
        text += is_last ? (i + 1 < cells.size() ? "\n" : "") : " ";
    }
    return text;
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
        const RecordedFrame& call = recording_.frames[frame];
        text += fmt::format("{}#{} {} at line {}{}", text.empty() ? "" : "\n", number,
                            recording_.functions[call.function].name,
                            site != nullptr ? name_of(site->place) : "?",
                            frame == moves_.frame() ? "  (selected)" : "");
        site = &recording_.sites[call.site];
        frame = call.caller;
    }
    return text.empty() ? "It has no steps." : text;
}

std::string Console::up(const Words&) {
    const std::uint32_t frame = moves_.frame();
    if (frame == kNoFrame || recording_.frames[frame].caller == kNoFrame)
        throw BadInput("this is the kernel function, which nothing has called");
    moves_.select_frame(recording_.frames[frame].caller);
    return backtrace("");
}

std::string Console::down(const Words&) {
    std::uint32_t callee = player_.frame(moment());
    if (callee == moves_.frame()) throw BadInput("this is the innermost function");
    while (recording_.frames[callee].caller != moves_.frame()) callee = recording_.frames[callee].caller;
    moves_.select_frame(callee);
    return backtrace("");
}

}  // namespace kwb::debug
