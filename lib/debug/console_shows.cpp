// SPDX-License-Identifier: Apache-2.0
// Commands that show: values, what a line reads, work-items, the source, calls.
#include "debug/console.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb::debug {
namespace {

constexpr std::size_t kListedLines = 10;
constexpr std::size_t kListedValues = 8;  ///< of an array in `info locals`

}  // namespace

Console::NamedMemory Console::name_memory(std::uint64_t address, Moment moment, std::uint32_t frame) const {
    NamedMemory found;
    std::uint64_t offset = 0;
    if (const RecordedRegion* const region = player_.region_at(address)) {
        found.name = place_text(recording_, address);
        found.type = region->type;
        while (recording_.types[found.type].kind == ValueKind::Array)
            found.type = recording_.types[found.type].element;
        return found;
    }
    for (const VisibleVariable& one : visible_variables({player_, moment, frame})) {
        offset = address - one.address;
        if (offset >= std::max<std::uint64_t>(recording_.types[one.type].bytes, 1)) continue;
        found = {one.name, one.type};
        break;
    }
    while (recording_.types[found.type].kind == ValueKind::Array) {
        found.type = recording_.types[found.type].element;
        const std::uint64_t size = std::max<std::uint64_t>(recording_.types[found.type].bytes, 1);
        found.name += fmt::format("[{}]", offset / size);
        offset %= size;
    }
    return found;
}

std::string Console::tell_store(std::uint32_t number) const {
    const RecordedEvent& event = recording_.events[number];
    const std::string line = name_of(recording_.sites[event.site].place);
    const NamedMemory memory = name_memory(event.address, player_.moment_of(number), event.frame);
    const std::string name = memory.name.empty() ? "memory" : memory.name;
    if (recording_.types[memory.type].bytes != event.bytes)
        return fmt::format("line {} stores {} to {}", line, counted(event.bytes, "byte"), name);
    const auto text = [&](std::string_view bytes) { return value_text(recording_, memory.type, {bytes}); };
    const bool had_value =
        player_.read(number, event.address, event.bytes).state == MemoryBytes::State::Known;
    return fmt::format("line {} stores {} to {}, which held {}", line, text(player_.new_bytes(event)), name,
                       had_value ? text(player_.old_bytes(event)) : "no value yet");
}

/// "a[3][4] = 2, stored by line 49 in work-item (4, 3)"
std::string Console::origin_of(const std::string& name, std::uint32_t type, std::uint64_t address,
                               std::uint64_t bytes, std::uint32_t before_event) const {
    const MemoryBytes memory = player_.read(before_event, address, bytes);
    const std::string value = memory.state == MemoryBytes::State::Unset ? "not set yet"
                              : memory.state == MemoryBytes::State::Unknown
                                  ? "not recorded"
                                  : value_text(recording_, type, {memory.bytes, memory.unset}, kListedValues);
    const auto store = player_.last_store(before_event, address, bytes);
    if (!store || recording_.events[*store].kind == RecordedKind::Unset) {
        const RecordedRegion* const region = player_.region_at(address);
        return fmt::format("{} = {}{}", name, value,
                           region != nullptr && region->is_set ? ", from before the launch" : "");
    }
    const RecordedEvent& event = recording_.events[*store];
    // The first thing that a function does is to store its arguments.
    if (recording_.sites[event.site].place.column == 0)
        return fmt::format("{} = {}, an argument", name, value);
    const std::string item = event.item == moment().item ? ""
                             : event.item == kGroupCopy
                                 ? " for the whole group"
                                 : " in work-item " + item_text(recording_, event.item);
    return fmt::format("{} = {}, stored by line {}{}", name, value,
                       name_of(recording_.sites[event.site].place), item);
}

std::string Console::origins(const Words&) {
    if (player_.is_end(moment())) throw BadInput("this is behind the last step: reverse-step goes back");
    const XrayPlace& place = player_.site(moment())->place;
    const std::uint32_t frame = player_.frame(moment());
    std::vector<std::string> lines;
    const auto add = [&](std::uint64_t address, std::uint64_t bytes, std::uint32_t event) {
        const NamedMemory memory = name_memory(address, moment(), frame);
        // Pointers to buffers say nothing; what the compiler adds has no name.
        if (memory.name.empty() || recording_.types[memory.type].kind == ValueKind::Pointer) return;
        std::string line =
            origin_of(memory.name, memory.type, address,
                      std::max<std::uint64_t>(recording_.types[memory.type].bytes, bytes), event);
        if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
    };
    for (const std::uint32_t number : player_.events_in(moment())) {
        const RecordedEvent& event = recording_.events[number];
        if (event.frame == frame && (event.kind == RecordedKind::Read || event.kind == RecordedKind::Atomic))
            add(event.address, event.bytes, number);
    }
    for (const RecordedSite& site : recording_.sites)
        if (frame != kNoFrame && site.read_bytes > 0 && site.place.line == place.line &&
            site.place.file == place.file && site.function == recording_.frames[frame].function)
            add(recording_.frames[frame].base + static_cast<std::uint64_t>(site.read_offset), site.read_bytes,
                player_.event_of(moment()));
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
    if (words.starts_with("output"))
        return output(std::string(trim(words.substr(std::min<std::size_t>(words.size(), 6)))));
    if (is("locals")) return locals(false, true);
    if (is("args")) return locals(true, false);
    if (is("lane") || is("frame") || is("line") || is("thread"))
        return fmt::format("Work-item {}, step {} of {}, {} passed\n", item_text(recording_, moment().item),
                           std::min(moment().step + 1, player_.steps(moment().item)),
                           player_.steps(moment().item), counted(player_.interval(moment()), "barrier")) +
               arrive();
    if (!is("breakpoints") && !is("watchpoints"))
        throw BadInput("give one of: info locals, info args, info output, info breakpoints, info lane");
    std::string text;
    for (const Breakpoint& one : moves_.breakpoints())
        text += fmt::format("{}{}: line {}{}", text.empty() ? "" : "\n", one.number,
                            name_of({one.file, one.line, 0}),
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
        const std::uint32_t item = item_at(recording_, parse_lane(lane));
        std::erase_if(events, [&](std::uint32_t event) { return recording_.events[event].item != item; });
    }
    if (events.empty())
        return lane.empty() ? "Nothing is printed in this record."
                            : "This work-item prints nothing in this record.";
    const std::size_t shown = std::min(events.size(), kMostRows);
    std::string text = fmt::format("{:>12} {:>8} {:>6}  {}", "work-item", "step", "line", "text");
    for (std::size_t i = 0; i < shown; ++i) {
        const RecordedEvent& event = recording_.events[events[i]];
        text += fmt::format("\n{:>12} {:>8} {:>6}  {}", item_text(recording_, event.item),
                            player_.moment_of(events[i]).step + 1,
                            name_of(recording_.sites[event.site].place), player_.printed_line(events[i]));
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
    const std::uint32_t number = item_at(recording_, parse_lane(words));
    return arrive(moves_.select_item(number)
                      ? ""
                      : fmt::format("Work-item {} does not come to this line: this is its first step.",
                                    item_text(recording_, number)));
}

std::string Console::lanes(const Words& words) {
    evaluate(words, moves_.scope());  // one clear error instead of one for each
    std::vector<std::string> cells;
    for (std::uint32_t item = 0; item < player_.items(); ++item) {
        const auto there = player_.same_moment(moment(), item);
        std::string cell = "-";
        try {
            if (there) cell = evaluated_text(evaluate(words, scope_at(player_, *there)), recording_);
        } catch (const BadInput&) {  // an index that only some have
            cell = "?";
        }
        cells.push_back(cell == "not set yet" ? "?" : cell);
    }
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
