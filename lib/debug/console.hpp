// SPDX-License-Identifier: Apache-2.0
// The commands of a debugger over a recording, with the names that gdb has for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/named.hpp"
#include "debug/difference.hpp"
#include "debug/evaluate.hpp"
#include "debug/memory_names.hpp"
#include "debug/moves.hpp"
#include "debug/origins.hpp"
#include "debug/player.hpp"

namespace kwb::debug {

/// What a command has answered.
struct ConsoleAnswer {
    std::string text;       ///< lines, without a final line break
    bool is_error = false;  ///< the command could not be carried out
    bool is_end = false;    ///< it was `quit`
    /// It asked for the last store to this buffer's memory, and the recording has none.
    std::optional<std::uint64_t> stored_before = {};
};

class Console {
public:
    /// @param sources  the text of each file of the kernel; its own one has an empty name
    Console(const Player& player, NamedList<std::string> sources, std::string file_name);

    /// What the command `difference` goes through.
    void compare_with(std::shared_ptr<const Comparison> comparison) { comparison_ = std::move(comparison); }

    /// Carries out a command; an empty one repeats the last that moves.
    ConsoleAnswer run(const std::string& line);

    /// The kernel, its work-group and the current line.
    std::string greeting() const;
    std::string prompt() const { return "(kwb) "; }
    /// Names of commands and of variables here that begin with this text.
    std::vector<std::string> complete(const std::string& begin) const;
    /// Where the last word of a beginning starts, which complete() completes.
    static std::size_t word_begin(std::string_view begin);
    /// Whether its first word is the name of a command, or the unique beginning of one.
    static bool is_command(std::string_view line);

    /// Where it is, with its breakpoints and watchpoints.
    Moves& moves() { return moves_; }
    Moment moment() const { return moves_.moment(); }

private:
    using Words = std::string;  ///< what follows the name of a command
    using Action = std::string (Console::*)(const Words&);
    struct Command {
        const char* name;
        std::vector<const char*> aliases;
        const char* arguments;
        const char* about;
        Action action;
        bool moves = false;  ///< an empty line repeats it
    };
    static const std::vector<Command>& commands();
    static const Command& find_command(const std::string& name);
    /// @throws BadInput  it is no whole number
    static std::uint64_t parse_number(std::string_view text, const std::string& what);

    std::string help(const Words& words);
    std::string step(const Words& words);
    std::string next(const Words& words);
    std::string finish(const Words& words);
    std::string advance(const Words& words);
    std::string go_on(const Words& words);
    std::string start(const Words& words);
    std::string end(const Words& words);
    std::string step_back(const Words& words);
    std::string next_back(const Words& words);
    std::string go_back(const Words& words);
    std::string set_break(const Words& words);
    std::string set_watch(const Words& words);
    std::string remove(const Words& words);
    std::string last_store(const Words& words);
    std::string next_store(const Words& words);
    std::string difference(const Words& words);
    std::string origins(const Words& words);
    std::string print(const Words& words);
    std::string info(const Words& words);
    std::string lane(const Words& words);
    std::string lanes(const Words& words);
    std::string list(const Words& words);
    std::string backtrace(const Words& words);
    std::string up(const Words& words);
    std::string down(const Words& words);
    std::string quit(const Words& words);

    const Recording& recording() const { return player_.recording(); }
    std::string repeat(const Words& words, Direction direction, bool (Moves::*move)(Direction));
    std::string run_until_stop(Direction direction, const Words& words);
    /// Where the work-item is now.
    std::string arrive(const std::string& before = "");
    /// Why a movement has ended early, after a space.
    std::string cut() const;
    std::string arrive_at_store(std::uint32_t store);
    std::string tell_origin(const Origin& origin) const;
    /// What a movement has passed, a line for each.
    std::string printed_since(Moment before) const;
    /// A table of what the work-items print. @param lane  of one only; empty: of all
    std::string output(const Words& lane) const;
    static std::vector<std::uint64_t> parse_lane(const Words& words);
    std::string locals(bool parameters, bool variables) const;
    std::string source_line(const XrayPlace& place, bool is_current) const;
    const std::vector<std::string>& lines_of(const std::string& file) const;

    const Player& player_;
    NamedList<std::vector<std::string>> sources_;
    std::string file_name_;
    Moves moves_;
    std::shared_ptr<const Comparison> comparison_;  ///< nullptr: with nothing
    std::string last_moving_;
    bool is_end_ = false;
    std::optional<std::uint64_t> stored_before_;  ///< as in the answer of the current command
};

}  // namespace kwb::debug
