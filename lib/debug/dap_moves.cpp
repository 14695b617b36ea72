// SPDX-License-Identifier: Apache-2.0
// Requests that move, and breakpoints.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/text.hpp"
#include "debug/dap_server.hpp"

namespace kwb::debug {
namespace {

/// What a data breakpoint watches.
struct Watched {
    Location location;
    std::uint64_t bytes = 0;
    std::string name;
};

/// As the client keeps it: the number of the region from 1, or 0, and so on.
std::string data_id(const Watched& watched) {
    return fmt::format("{}:{}:{}:{}", watched.location.region ? *watched.location.region + 1 : 0,
                       watched.location.offset, watched.bytes, watched.name);
}

/// @throws BadInput  it is none of data_id()
Watched read_data_id(const std::string& id) {
    Watched watched;
    std::uint64_t region = 0;
    const char* at = id.data();
    const char* const end = at + id.size();
    bool is_sound = true;
    for (std::uint64_t* const number : {&region, &watched.location.offset, &watched.bytes}) {
        const auto [rest, fault] = std::from_chars(at, end, *number);
        is_sound = is_sound && fault == std::errc() && rest != end && *rest == ':';
        at = std::min(rest + 1, end);
    }
    constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
    if (!is_sound || watched.bytes == 0 || watched.bytes > kMost || watched.location.offset > kMost)
        throw BadInput(id + " is no dataId of dataBreakpointInfo");
    if (region > 0) watched.location.region = region - 1;
    watched.name.assign(at, end);
    return watched;
}

Json unverified(const std::string& why) {
    return {{"verified", false}, {"message", why}};
}

}  // namespace

void DapServer::begin_move(const DapArguments& arguments) {
    const std::uint32_t item = item_of(arguments);
    if (item != moves().moment().item) moves().select_item(item);
}

bool DapServer::begin_forwards(const DapArguments& arguments) {
    begin_move(arguments);
    if (!moves().is_end()) return true;
    end_session();
    return false;
}

Json DapServer::next(const DapArguments& arguments) {
    if (!begin_forwards(arguments)) return {};
    const Moment before = moves().moment();
    moves().next(Direction::Forwards);
    tell_printed(before);
    stop("step");
    return {};
}

Json DapServer::step_in(const DapArguments& arguments) {
    if (!begin_forwards(arguments)) return {};
    const Moment before = moves().moment();
    moves().step(Direction::Forwards);
    tell_printed(before);
    stop("step");
    return {};
}

Json DapServer::step_out(const DapArguments& arguments) {
    if (!begin_forwards(arguments)) return {};
    const Moment before = moves().moment();
    if (!moves().finish()) moves().go_to_end();
    tell_printed(before);
    stop("step");
    return {};
}

Json DapServer::step_back(const DapArguments& arguments) {
    begin_move(arguments);
    const bool is_first = moves().moment().step == 0;
    moves().next(Direction::Backwards);
    stop("step", is_first ? "This is the first step." : "");
    return {};
}

Json DapServer::go_on(const DapArguments& arguments) {
    if (!begin_forwards(arguments)) return {{"allThreadsContinued", true}};
    return run(Direction::Forwards);
}

Json DapServer::go_back(const DapArguments& arguments) {
    begin_move(arguments);
    return run(Direction::Backwards);
}

Json DapServer::run(Direction direction) {
    const Moment before = moves().moment();
    const Stop end = moves().run(direction, whose_);
    if (direction == Direction::Forwards) tell_printed(before);
    if (end.reason == Stop::Reason::Watchpoint) {
        const std::string text = fmt::format("{}: {}", end.expression, end.text);
        tell(text + "\n");
        stop("data breakpoint", text, end.number);
    } else if (end.reason == Stop::Reason::Breakpoint) {
        stop(function_breakpoints_.contains(end.number) ? "function breakpoint" : "breakpoint", end.problem,
             end.number);
    } else {
        stop("pause", direction == Direction::Forwards ? "" : "This is the first step.");
    }
    return {{"allThreadsContinued", true}};
}

Json DapServer::pause(const DapArguments& arguments) {
    begin_move(arguments);
    stop("pause");
    return {};
}

Json DapServer::breakpoint_json(const Breakpoint& breakpoint, std::uint64_t wanted) const {
    Json answer = {{"id", breakpoint.number},
                   {"verified", true},
                   {"source", source_json(breakpoint.file)},
                   {"line", shown_line(breakpoint.line)}};
    if (breakpoint.line != wanted)
        answer["message"] =
            fmt::format("There is no code in line {}: it stops at line {}", wanted, breakpoint.line);
    return answer;
}

Json DapServer::add_breakpoint(const std::string& file, std::uint64_t line, const std::string& condition) {
    try {
        return breakpoint_json(moves().add_breakpoint(file, line, condition), line);
    } catch (const BadInput& error) {
        return unverified(error.what());
    }
}

Json DapServer::set_breakpoints(const DapArguments& arguments) {
    const auto file = file_of(arguments.part("source"));
    std::vector<std::pair<std::uint64_t, std::string>> wanted;
    for (const DapArguments& one : arguments.list("breakpoints"))
        wanted.emplace_back(one.whole("line") + static_cast<std::uint64_t>(first_line_),
                            one.optional_text("condition").value_or(""));
    if (file) {
        const std::vector<Breakpoint> before = moves().breakpoints();
        for (const Breakpoint& one : before)
            if (one.file == *file && !function_breakpoints_.contains(one.number))
                moves().remove(static_cast<std::uint64_t>(one.number));
    }
    Json answer = Json::array();
    for (const auto& [line, condition] : wanted)
        answer.push_back(file ? add_breakpoint(*file, line, condition)
                              : unverified("This is no file of the kernel that was launched."));
    return {{"breakpoints", answer}};
}

Json DapServer::set_function_breakpoints(const DapArguments& arguments) {
    const std::vector<DapArguments> wanted = arguments.list("breakpoints");
    std::vector<std::string> names;
    for (const DapArguments& one : wanted) names.push_back(one.text("name"));
    for (const int number : std::exchange(function_breakpoints_, {}))
        moves().remove(static_cast<std::uint64_t>(number));
    std::vector<std::string> known;
    for (const RecordedFunction& function : recording().functions) known.push_back(function.name);
    Json answer = Json::array();
    for (std::size_t i = 0; i < names.size(); ++i) {
        const RecordedSite* first = nullptr;
        for (const RecordedSite& site : recording().sites)
            // In column 0 its arguments are stored.
            if (site.function != kNoFunction && known[site.function] == names[i] && site.place.column > 0 &&
                (first == nullptr || site.code < first->code))
                first = &site;
        if (first == nullptr) {
            answer.push_back(unverified(fmt::format("The recorded group calls no function {}.{}", names[i],
                                                    did_you_mean(names[i], known))));
            continue;
        }
        answer.push_back(add_breakpoint(first->place.file, first->place.line,
                                        wanted[i].optional_text("condition").value_or("")));
        if (answer.back().contains("id")) function_breakpoints_.insert(answer.back()["id"].get<int>());
    }
    return {{"breakpoints", answer}};
}

Json DapServer::set_data_breakpoints(const DapArguments& arguments) {
    std::vector<Watched> wanted;
    for (const DapArguments& one : arguments.list("breakpoints"))
        wanted.push_back(read_data_id(one.text("dataId")));
    for (const int number : std::exchange(data_breakpoints_, {}))
        moves().remove(static_cast<std::uint64_t>(number));
    Json answer = Json::array();
    for (const Watched& one : wanted) {
        const Watchpoint added = moves().add_watchpoint(one.name, one.location, one.bytes);
        data_breakpoints_.insert(added.number);
        answer.push_back({{"id", added.number}, {"verified", true}});
    }
    return {{"breakpoints", answer}};
}

Json DapServer::set_exception_breakpoints(const DapArguments&) {
    return {{"breakpoints", Json::array()}};
}

Json DapServer::data_breakpoint_info(const DapArguments& arguments) {
    const std::string name = arguments.text("name");
    std::optional<DapValues::Memory> memory;
    if (const auto reference = arguments.optional_whole("variablesReference"); reference && *reference > 0) {
        memory = session_->values.memory(static_cast<std::int64_t>(*reference), name);
    } else {
        const auto frame = arguments.optional_whole("frameId");
        const Scope scope =
            frame ? session_->values.scope(static_cast<std::int64_t>(*frame)) : moves().scope();
        const Evaluated value = evaluate(name, scope);
        if (value.address && value.bytes > 0) memory = DapValues::Memory{name, *value.address, value.bytes};
    }
    if (!memory)
        return {{"dataId", nullptr},
                {"description", name + " is no variable and no element, so nothing stores to it"}};
    return {{"dataId", data_id({player().location(memory->address), memory->bytes, memory->name})},
            {"description", memory->name},
            {"accessTypes", {"write"}},
            {"canPersist", false}};
}

Json DapServer::breakpoint_locations(const DapArguments& arguments) {
    const auto file = file_of(arguments.part("source"));
    const std::uint64_t first = arguments.whole("line") + static_cast<std::uint64_t>(first_line_);
    const std::uint64_t last = arguments.optional_whole("endLine").value_or(arguments.whole("line")) +
                               static_cast<std::uint64_t>(first_line_);
    std::set<std::uint32_t> lines;
    for (const XrayPlace& place : recording().code_lines)
        if (file && place.file == *file && place.line >= first && place.line <= last)
            lines.insert(place.line);
    Json answer = Json::array();
    for (const std::uint32_t line : lines) answer.push_back({{"line", shown_line(line)}});
    return {{"breakpoints", answer}};
}

void DapServer::tell_changed_breakpoints(const std::vector<Breakpoint>& before) {
    const auto tell_missing = [&](const std::vector<Breakpoint>& from, const std::vector<Breakpoint>& in,
                                  const char* reason) {
        for (const Breakpoint& one : from)
            if (std::ranges::find(in, one.number, &Breakpoint::number) == in.end())
                send_event("breakpoint",
                           {{"reason", reason}, {"breakpoint", breakpoint_json(one, one.line)}});
    };
    tell_missing(moves().breakpoints(), before, "new");
    tell_missing(before, moves().breakpoints(), "removed");
}

}  // namespace kwb::debug
