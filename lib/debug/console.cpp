// SPDX-License-Identifier: Apache-2.0
#include "debug/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb::debug {
namespace {

/// The first word, and the rest.
std::pair<std::string, std::string> split_command(std::string_view line) {
    line = trim(line);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    return {std::string(line.substr(0, end)), std::string(trim(line.substr(end)))};
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
        {"difference",
         {"diff"},
         "[all]",
         "on to the next store that differs from --against",
         &Console::difference,
         true},
        {"origins", {"from", "o"}, "", "what this line reads, and who stored it", &Console::origins},
        {"print",
         {"p", "inspect"},
         "EXPRESSION",
         "a value: sum, tile[3][4], A[row * N + k], v.x, *p",
         &Console::print},
        {"info",
         {"i"},
         "locals | args | output [X,Y] | breakpoints | lane",
         "variables, what was printed, breakpoints, this work-item",
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
    : player_(player), file_name_(std::move(file_name)), moves_(player) {
    for (Named<std::string>& source : sources) sources_.push_back({source.name, split_lines(source.value)});
}

std::uint64_t Console::parse_number(std::string_view text, const std::string& what) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        throw BadInput(fmt::format("{} must be a whole number, not '{}'", what, text));
    return value;
}

ConsoleAnswer Console::run(const std::string& line) {
    ConsoleAnswer answer;
    stored_before_.reset();
    try {
        const bool is_repeated = trim(line).empty();
        if (is_repeated && last_moving_.empty()) return answer;
        const std::string typed = is_repeated ? last_moving_ : line;
        const auto [name, words] = split_command(typed);
        const Command& command = find_command(name);
        last_moving_ = command.moves ? typed : "";
        const Moment before = moment();
        answer.text = (this->*command.action)(words);
        answer.text = printed_since(before) + answer.text;
    } catch (const BadInput& error) {
        answer.text = error.what();
        answer.is_error = true;
    }
    answer.is_end = is_end_;
    answer.stored_before = stored_before_;
    return answer;
}

std::size_t Console::word_begin(std::string_view begin) {
    // The names of commands contain hyphens.
    if (begin.find_first_of(" \t") == std::string_view::npos) return 0;
    return begin.find_last_of(" \t([+-*/%<>=&|!,") + 1;
}

bool Console::is_command(std::string_view line) {
    try {
        find_command(split_command(line).first);
        return true;
    } catch (const BadInput&) {
        return false;
    }
}

std::vector<std::string> Console::complete(const std::string& begin) const {
    std::vector<std::string> found;
    const std::size_t at = word_begin(begin);
    const std::string word = begin.substr(at);
    if (at == 0) {
        for (const Command& command : commands())
            if (std::string_view(command.name).starts_with(word)) found.emplace_back(command.name);
        return found;
    }
    for (const VisibleVariable& variable : visible_variables(moves_.scope()))
        if (variable.name.starts_with(word)) found.push_back(begin.substr(0, at) + variable.name);
    return found;
}

std::string Console::greeting() const {
    const std::string group = fmt::format("work-group {} of {}: {} work-items", ids_text(recording().group),
                                          recording().kernel, recording().items());
    const std::string cut =
        recording().is_whole()
            ? ""
            : fmt::format("\nIt does too much to be recorded at once. These are its events {} to {}.",
                          recording().begin + 1, recording().end());
    const RecordedSite* const site = player_.site(moment());
    return fmt::format("{}, work-item {}{}", group, item_text(recording(), moment().item), cut) +
           (site == nullptr ? "\nIt has no steps." : "\n" + source_line(site->place, true));
}

const std::vector<std::string>& Console::lines_of(const std::string& file) const {
    static const std::vector<std::string> kNone;
    const std::vector<std::string>* const found = find_named(sources_, file);
    return found != nullptr ? *found : kNone;
}

std::string Console::source_line(const XrayPlace& place, bool is_current) const {
    const std::vector<std::string>& lines = lines_of(place.file);
    const std::string text = place.line > 0 && place.line <= lines.size() ? lines[place.line - 1] : "";
    return fmt::format("{:>5} {} {}", line_text(place), is_current ? "→" : " ", text);
}

std::string Console::arrive(const std::string& before) {
    moves_.select(moment());
    const std::string text = before.empty() ? "" : before + "\n";
    if (player_.is_end(moment()))
        return text +
               (player_.is_over(moment().item) ? "Behind the last step of work-item "
                                               : "This part of the record ends here for work-item ") +
               item_text(recording(), moment().item) + "." + cut();
    return text + source_line(player_.site(moment())->place, true);
}

std::string Console::cut() const {
    return moves_.cut().empty() ? "" : " " + moves_.cut();
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
