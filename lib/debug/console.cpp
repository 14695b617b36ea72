// SPDX-License-Identifier: Apache-2.0
#include "debug/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb::debug {
namespace {

constexpr std::size_t kListedLines = 10;
constexpr std::size_t kListedValues = 8;  ///< of an array in `info locals`
constexpr std::size_t kMostRepeats = 1'000'000;

/// The first word, and the rest.
std::pair<std::string, std::string> split_command(std::string_view line) {
    line = trim(line);
    std::size_t end = line.find_first_of(" \t");
    // gdb's p/x, x/4: formats are not supported, but the name is known.
    end = std::min(end, line.size());
    return {std::string(line.substr(0, end)), std::string(trim(line.substr(end)))};
}

std::uint64_t parse_number(std::string_view text, const std::string& what) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        throw BadInput(fmt::format("{} must be a whole number, not '{}'", what, text));
    return value;
}

std::string ids_text(const std::vector<std::uint64_t>& ids) {
    std::vector<std::string> words;
    for (const std::uint64_t id : ids) words.push_back(std::to_string(id));
    return words.size() == 1 ? words.front() : "(" + join(words, ", ") + ")";
}

}  // namespace

const std::vector<Console::Command>& Console::commands() {
    static const std::vector<Command> kCommands{
        {"step", {"s"}, "[N]", "to the next line, also in a function that is called", &Console::step, true},
        {"next", {"n"}, "[N]", "to the next line of this function, or of its caller", &Console::next, true},
        {"finish", {"fin"}, "", "to the caller", &Console::finish, true},
        {"advance", {"until", "u"}, "LINE", "on to a line", &Console::advance, true},
        {"continue",
         {"c"},
         "[all]",
         "on to a breakpoint or watchpoint of this work-item, or of any",
         &Console::go_on,
         true},
        {"start", {"run", "r"}, "", "to the first step of this work-item", &Console::start},
        {"end", {}, "", "behind its last step", &Console::end},
        {"reverse-step", {"rs"}, "[N]", "back to the previous line", &Console::step_back, true},
        {"reverse-next",
         {"rn"},
         "[N]",
         "back, without functions that were called",
         &Console::next_back,
         true},
        {"reverse-continue", {"rc"}, "[all]", "back to a breakpoint or watchpoint", &Console::go_back, true},
        {"break", {"b"}, "LINE [if CONDITION]", "stop before a line", &Console::set_break},
        {"watch",
         {},
         "EXPRESSION",
         "stop after a line that changes a value; backwards, before it",
         &Console::set_watch},
        {"delete", {"d"}, "[NUMBER]", "remove a breakpoint or watchpoint, or all", &Console::remove},
        {"last",
         {"lw"},
         "EXPRESSION",
         "back to the last store to a variable or element",
         &Console::last_store},
        {"following", {"fw"}, "EXPRESSION", "on to the next store to it", &Console::next_store},
        {"origins", {"from", "o"}, "", "what this line reads, and who stored it", &Console::origins},
        {"print",
         {"p", "inspect"},
         "EXPRESSION",
         "a value: sum, tile[3][4], A[row * N + k], v.x, *p",
         &Console::print},
        {"info",
         {"i"},
         "locals | args | breakpoints | lane",
         "variables, breakpoints, this work-item",
         &Console::info},
        {"lane", {"thread", "t"}, "X[,Y[,Z]]", "another work-item, at the same point", &Console::lane},
        {"lanes", {}, "EXPRESSION", "a value in all work-items, at the same point", &Console::lanes},
        {"list", {"l"}, "[LINE]", "the source", &Console::list},
        {"backtrace", {"bt", "where"}, "", "the calls that this work-item is in", &Console::backtrace},
        {"up", {}, "", "select the caller", &Console::up},
        {"down", {}, "", "select what it called", &Console::down},
        {"help", {"h"}, "", "this list", &Console::help},
        {"quit", {"q", "exit"}, "", "end", &Console::quit},
    };
    return kCommands;
}

const Console::Command& Console::find_command(const std::string& name) {
    std::vector<std::string> names;
    std::vector<const Command*> begun;
    for (const Command& command : commands()) {
        const std::string full = command.name;
        if (full == name || std::ranges::find(command.aliases, name) != command.aliases.end()) return command;
        if (full.starts_with(name)) begun.push_back(&command);
        names.push_back(full);
    }
    if (begun.size() == 1) return *begun.front();
    if (begun.size() > 1) {
        std::vector<std::string> possible;
        for (const Command* const command : begun) possible.emplace_back(command->name);
        throw BadInput(fmt::format("{} is not unique: {}", name, enumerate(possible, "or")));
    }
    throw BadInput(
        fmt::format("there is no command {}.{} `help` lists them", name, did_you_mean(name, names)));
}

Console::Console(const Player& player, NamedList<std::string> sources, std::string file_name)
    : player_(player), recording_(player.recording()), file_name_(std::move(file_name)) {
    for (Named<std::string>& source : sources) sources_.push_back({source.name, split_lines(source.value)});
    frame_ = player_.frame(moment_);
}

ConsoleAnswer Console::run(const std::string& line) {
    ConsoleAnswer answer;
    try {
        const bool is_repeated = trim(line).empty();
        if (is_repeated && last_moving_.empty()) return answer;
        const std::string typed = is_repeated ? last_moving_ : line;
        const auto [name, words] = split_command(typed);
        const Command& command = find_command(name);
        last_moving_ = command.moves ? typed : "";
        answer.text = (this->*command.action)(words);
    } catch (const BadInput& error) {
        answer.text = error.what();
        answer.is_error = true;
    }
    answer.is_end = is_end_;
    return answer;
}

std::vector<std::string> Console::complete(const std::string& begin) const {
    std::vector<std::string> found;
    const std::size_t blank = begin.find_last_of(" \t([+-*/%<>=&|!,");
    const std::string word = blank == std::string::npos ? begin : begin.substr(blank + 1);
    if (blank == std::string::npos) {
        for (const Command& command : commands())
            if (std::string_view(command.name).starts_with(word)) found.emplace_back(command.name);
        return found;
    }
    for (const VisibleVariable& variable : visible_variables(scope()))
        if (variable.name.starts_with(word)) found.push_back(begin.substr(0, blank + 1) + variable.name);
    return found;
}

std::string Console::greeting() const {
    const std::string group = fmt::format("work-group {} of {}: {} work-items", ids_text(recording_.group),
                                          recording_.kernel, recording_.items());
    const std::string cut = recording_.is_whole ? "" : "\nIts record is full: it ends before the group does.";
    const RecordedSite* const site = player_.site(moment_);
    return fmt::format("{}, work-item {}{}", group, item_name(moment_.item), cut) +
           (site == nullptr ? "\nIt has no steps." : "\n" + source_line(site->place, true));
}

std::string Console::item_name(std::uint32_t item) const {
    std::vector<std::uint64_t> ids;
    for (const std::uint64_t extent : recording_.local) {
        ids.push_back(item % extent);
        item /= static_cast<std::uint32_t>(extent);
    }
    return ids_text(ids);
}

std::string Console::name_of(const XrayPlace& place) const {
    return (place.file.empty() ? "" : place.file + ":") + std::to_string(place.line);
}

const std::vector<std::string>& Console::lines_of(const std::string& file) const {
    static const std::vector<std::string> kNone;
    const std::vector<std::string>* const found = find_named(sources_, file);
    return found != nullptr ? *found : kNone;
}

std::string Console::source_line(const XrayPlace& place, bool is_current) const {
    const std::vector<std::string>& lines = lines_of(place.file);
    const std::string text = place.line > 0 && place.line <= lines.size() ? lines[place.line - 1] : "";
    return fmt::format("{:>5} {} {}", name_of(place), is_current ? "→" : " ", text);
}

/// Where the work-item is now.
std::string Console::arrive(const std::string& before) {
    frame_ = player_.frame(moment_);
    const std::string text = before.empty() ? "" : before + "\n";
    if (player_.is_end(moment_))
        return text +
               (recording_.is_whole ? "Behind the last step of work-item "
                                    : "The record is full and ends here for work-item ") +
               item_name(moment_.item) + ".";
    return text + source_line(player_.site(moment_)->place, true);
}

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
    if (moment_.item != begin.item) reason += fmt::format("\nWork-item {}", item_name(moment_.item));
    return arrive(reason);
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

/// "line 53 stores 7 to sum, which held 3"
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
    const std::string item = event.item == moment_.item ? ""
                             : event.item == kGroupCopy ? " for the whole group"
                                                        : " in work-item " + item_name(event.item);
    return fmt::format("{} = {}, stored by line {}{}", name, value,
                       name_of(recording_.sites[event.site].place), item);
}

std::string Console::origins(const Words&) {
    if (player_.is_end(moment_)) throw BadInput("this is behind the last step: reverse-step goes back");
    const XrayPlace& place = player_.site(moment_)->place;
    const std::uint32_t frame = player_.frame(moment_);
    std::vector<std::string> lines;
    const auto add = [&](std::uint64_t address, std::uint64_t bytes, std::uint32_t event) {
        const NamedMemory memory = name_memory(address, moment_, frame);
        // Pointers to buffers say nothing; what the compiler adds has no name.
        if (memory.name.empty() || recording_.types[memory.type].kind == ValueKind::Pointer) return;
        std::string line =
            origin_of(memory.name, memory.type, address,
                      std::max<std::uint64_t>(recording_.types[memory.type].bytes, bytes), event);
        if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
    };
    for (const std::uint32_t number : player_.events_in(moment_)) {
        const RecordedEvent& event = recording_.events[number];
        if (event.frame == frame && (event.kind == RecordedKind::Read || event.kind == RecordedKind::Atomic))
            add(event.address, event.bytes, number);
    }
    for (const RecordedSite& site : recording_.sites)
        if (frame != kNoFrame && site.read_bytes > 0 && site.place.line == place.line &&
            site.place.file == place.file && site.function == recording_.frames[frame].function)
            add(recording_.frames[frame].base + static_cast<std::uint64_t>(site.read_offset), site.read_bytes,
                player_.event_of(moment_));
    if (lines.empty()) return "This line reads no variable.";
    return join(lines, "\n");
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
    return arrive((moment_.item == item ? "" : fmt::format("Work-item {}: ", item_name(moment_.item))) +
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
    return arrive((moment_.item == begin.item ? "" : fmt::format("Work-item {}: ", item_name(moment_.item))) +
                  tell_store(*store));
}

std::string Console::print(const Words& words) {
    return fmt::format("{} = {}", words, evaluated_text(evaluate(words, scope()), recording_));
}

std::string Console::locals(bool parameters, bool variables) const {
    std::string text;
    for (const VisibleVariable& one : visible_variables(scope())) {
        if (one.is_parameter ? !parameters : !variables) continue;
        const std::string value = evaluated_text(evaluate(one.name, scope()), recording_, kListedValues);
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
        return fmt::format("Work-item {}, step {} of {}, {} passed\n", item_name(moment_.item),
                           std::min(moment_.step + 1, player_.steps(moment_.item)),
                           player_.steps(moment_.item), counted(player_.interval(moment_), "barrier")) +
               arrive();
    if (!is("breakpoints") && !is("watchpoints"))
        throw BadInput("give one of: info locals, info args, info breakpoints, info lane");
    std::string text;
    for (const Breakpoint& one : breakpoints_)
        text += fmt::format("{}{}: line {}{}", text.empty() ? "" : "\n", one.number,
                            name_of({one.file, one.line, 0}),
                            one.condition.empty() ? "" : " if " + one.condition);
    for (const Watchpoint& one : watchpoints_)
        text += fmt::format("{}{}: watch {}", text.empty() ? "" : "\n", one.number, one.expression);
    return text.empty() ? "There are no breakpoints and no watchpoints." : text;
}

std::string Console::lane(const Words& words) {
    if (words.empty()) return info("lane");
    std::vector<std::uint64_t> ids;
    for (const std::string& word : split(words, ',')) ids.push_back(parse_number(trim(word), "an index"));
    if (ids.size() > recording_.local.size())
        throw BadInput(fmt::format("the work-group has {}", counted(recording_.local.size(), "dimension")));
    std::uint64_t item = 0;
    for (std::size_t d = recording_.local.size(); d-- > 0;) {
        const std::uint64_t id = d < ids.size() ? ids[d] : 0;
        if (id >= recording_.local[d])
            throw BadInput(fmt::format("the work-group has {} work-items in dimension {}, from 0 to {}",
                                       recording_.local[d], d, recording_.local[d] - 1));
        item = item * recording_.local[d] + id;
    }
    const auto there = player_.same_moment(moment_, static_cast<std::uint32_t>(item));
    moment_ = there.value_or(Moment{static_cast<std::uint32_t>(item), 0});
    return arrive(there ? ""
                        : fmt::format("Work-item {} does not come to this line: this is its first step.",
                                      item_name(moment_.item)));
}

std::string Console::lanes(const Words& words) {
    evaluate(words, scope());  // one clear error instead of one for each
    std::vector<std::string> cells;
    for (std::uint32_t item = 0; item < player_.items(); ++item) {
        const auto there = player_.same_moment(moment_, item);
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
    const RecordedSite* const site = player_.site(moment_);
    const XrayPlace here = site != nullptr ? site->place : XrayPlace{};
    const std::vector<std::string>& lines = lines_of(here.file);
    const std::uint64_t middle = words.empty() ? here.line : parse_number(words, "the line");
    const std::uint64_t first = middle > kListedLines / 2 ? middle - kListedLines / 2 : 1;
    std::string text;
    for (std::uint64_t line = first; line < first + kListedLines && line <= lines.size(); ++line) {
        const XrayPlace place{here.file, static_cast<std::uint32_t>(line), 0};
        text +=
            (text.empty() ? "" : "\n") + source_line(place, line == here.line && !player_.is_end(moment_));
    }
    return text.empty() ? fmt::format("There is no line {}.", middle) : text;
}

std::string Console::backtrace(const Words&) {
    std::string text;
    int number = 0;
    const RecordedSite* site = player_.site(moment_);
    for (std::uint32_t frame = player_.frame(moment_); frame != kNoFrame; ++number) {
        const RecordedFrame& call = recording_.frames[frame];
        text +=
            fmt::format("{}#{} {} at line {}{}", text.empty() ? "" : "\n", number,
                        recording_.functions[call.function].name,
                        site != nullptr ? name_of(site->place) : "?", frame == frame_ ? "  (selected)" : "");
        site = &recording_.sites[call.site];
        frame = call.caller;
    }
    return text.empty() ? "It has no steps." : text;
}

std::string Console::up(const Words&) {
    if (frame_ == kNoFrame || recording_.frames[frame_].caller == kNoFrame)
        throw BadInput("this is the kernel function, which nothing has called");
    frame_ = recording_.frames[frame_].caller;
    return backtrace("");
}

std::string Console::down(const Words&) {
    std::uint32_t callee = player_.frame(moment_);
    if (callee == frame_) throw BadInput("this is the innermost function");
    while (recording_.frames[callee].caller != frame_) callee = recording_.frames[callee].caller;
    frame_ = callee;
    return backtrace("");
}

std::string Console::help(const Words&) {
    std::string text;
    for (const Command& command : commands()) {
        std::string names = command.name;
        for (const char* const alias : command.aliases) names += std::string(", ") + alias;
        text += fmt::format("{}{:<24} {:<36} {}", text.empty() ? "" : "\n", names, command.arguments,
                            command.about);
    }
    return text;
}

std::string Console::quit(const Words&) {
    is_end_ = true;
    return "";
}

}  // namespace kwb::debug
