// SPDX-License-Identifier: Apache-2.0
// How a debugger moves through a recording: steps, breakpoints, watchpoints, stores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debug/evaluate.hpp"
#include "debug/player.hpp"
#include "debug/wanted_part.hpp"

namespace kwb::debug {

struct Breakpoint {
    int number = 0;
    std::string file;  ///< as in XrayPlace
    std::uint32_t line = 0;
    std::string condition;  ///< empty: none
};

/// Stops where a store changes the memory.
struct Watchpoint {
    int number = 0;
    std::string expression;
    Location location;
    std::uint64_t bytes = 0;
};

enum class Direction { Forwards, Backwards };

/// Whose breakpoints stop. Watchpoints always stop, whichever work-item stores.
enum class Whose { WorkItem, Group };

/// Why a run has ended.
struct Stop {
    enum class Reason { Breakpoint, Watchpoint, End };  ///< End: of the recording, or its beginning
    Reason reason = Reason::End;
    int number = 0;                ///< of the breakpoint or watchpoint
    std::uint32_t event = 0;       ///< of a watchpoint: the store, when it was found
    std::string expression = {};   ///< of a watchpoint
    std::string text = {};         ///< of a watchpoint: store_text()
    std::string problem = {};      ///< of a breakpoint: why its condition has no value here
    bool is_another_item = false;  ///< another work-item is selected now
};

class Moves {
public:
    explicit Moves(const Player& player);

    /// Lets movements go on in other parts of the record. Without it they end with the part.
    void turn_with(TurnTo turn) { turn_ = std::move(turn); }
    /// Why the last movement has ended where the record goes on; empty: it has not.
    const std::string& cut() const { return cut_; }

    /// "53", "53 if k == 9", "helper.h:7": a file, a line and a condition.
    struct Place {
        std::string file = {};  ///< empty: none is named
        std::uint64_t line = 0;
        std::string condition = {};
    };

    const Player& player() const { return player_; }
    Moment moment() const { return moment_; }
    void select(Moment moment);
    /// The selected call; its callees are those of the moment.
    std::uint32_t frame() const { return frame_; }
    void select_frame(std::uint32_t frame) { frame_ = frame; }
    Scope scope() const { return {player_, moment_, frame_}; }
    bool is_end() const { return player_.is_end(moment_); }

    /// Selects another work-item at the same point.
    /// @return  false: it does not come there, and is at its last step before the next barrier
    bool select_item(std::uint32_t item);

    /// To the next or previous line.
    /// @return  false: there is none
    bool step(Direction direction);
    /// The same, but past functions that are called.
    bool next(Direction direction);
    /// To the caller. @return  false: the kernel function has none, and nothing has moved
    bool finish();
    /// On to a line of the current file, or else to the end.
    void advance(std::uint64_t line);
    /// To this work-item's first execution of a line at which the condition holds.
    /// @return  false: it never comes there so, and is at its end
    /// @throws BadInput  as add_breakpoint(); the condition divides by zero there
    bool go_to_place(const Place& place);
    /// On to a line below this one in the same call, which leaves a loop; else to its end.
    void leave_loop();
    /// To the first step after the next barrier, or to the last one before which it is; else to the end or
    /// the beginning.
    void go_to_barrier(Direction direction);
    void go_to_start();
    void go_to_end();
    /// To a breakpoint or watchpoint, or else to the end or the beginning.
    Stop run(Direction direction, Whose whose);

    /// Selects a moment of any part. @param number  of an event there
    void go_to(Moment moment, std::uint64_t number);
    /// Selects the moment at which a store happens, before its line runs, unless that cannot be recorded.
    void go_to_store(std::uint32_t event);
    /// To the part that has a store. @return  the event there; the same: it could not be had
    std::uint32_t turn_to_store(std::uint32_t event);
    /// The last store to a variable or element, or the next one, in the part that has it. Only go_to_store()
    /// may follow.
    /// @return  event; nullopt: there is none
    /// @throws BadInput  it is no variable and no element
    std::optional<std::uint32_t> find_last_store(const std::string& expression);
    std::optional<std::uint32_t> find_next_store(const std::string& expression);

    /// @throws BadInput  there is no line
    static Place read_place(std::string_view text);
    /// A line without code stands for the next one that has some.
    /// @throws BadInput  there is none, or the condition is no expression there
    Breakpoint add_breakpoint(const std::string& file, std::uint64_t line, const std::string& condition);
    /// @throws BadInput  it is no variable and no element
    Watchpoint add_watchpoint(const std::string& expression);
    Watchpoint add_watchpoint(const std::string& name, const Location& location, std::uint64_t bytes);
    /// @return  false: there is none with this number
    bool remove(std::uint64_t number);
    void remove_all();
    const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }
    const std::vector<Watchpoint>& watchpoints() const { return watchpoints_; }

private:
    using Predicate = std::function<bool(Moment)>;
    /// The nearest moment of this work-item in a direction at which `is_it` holds; nullopt: none.
    std::optional<Moment> find(Direction direction, const Predicate& is_it);
    void begin_move();
    /// To the part that has an event. @return  false: it could not be had
    bool turn_to(const WantedPart& wanted);
    /// To the next part or the previous one.
    bool turn(Direction direction);
    bool goes_on(Direction direction) const;
    /// Whether a work-item's way goes on there.
    bool goes_on(Direction direction, std::uint32_t item) const;
    void select_edge(Direction direction);
    /// Where a store of this part happens, perhaps in a step that has begun before it.
    Moment store_moment(std::uint32_t event) const;
    void show(Moment moment);
    /// Goes there, or else to the end or the beginning. @return  it is there
    bool move(Direction direction, const Predicate& is_it);
    std::size_t depth(Moment moment) const { return player_.depth(player_.frame(moment)); }
    /// @throws BadInput  as add_breakpoint()
    Breakpoint breakpoint_for(const std::string& file, std::uint64_t line,
                              const std::string& condition) const;
    /// @param problem  why its condition has no value: then the breakpoint stops, too
    bool is_hit(const Breakpoint& breakpoint, Moment moment, std::string& problem) const;
    const Breakpoint* breakpoint_at(Moment moment, std::string& problem) const;
    /// Where to look for stops in a part: from here on forwards, or before it.
    struct From {
        std::size_t step;              ///< of the work-item
        std::uint32_t event, store{};  ///< of the group
    };
    From edge(Direction direction) const;
    /// The nearest one in a direction in this part; Reason::End: none.
    Stop find_stop(Direction direction, Whose whose, const From& from) const;
    Stop find_breakpoint(Direction direction, Whose whose, const From& from) const;
    /// The first store from an event on, or before it, that changes the memory.
    std::optional<std::uint32_t> find_change(const Watchpoint& watchpoint, Direction direction,
                                             std::uint32_t event) const;
    Evaluated memory_of(const std::string& expression) const;

    const Recording& recording() const { return player_.recording(); }

    const Player& player_;
    TurnTo turn_;
    int turns_left_ = 0;  ///< of this movement
    std::string cut_;
    Moment moment_;
    std::uint32_t frame_ = kNoFrame;
    int last_number_ = 0;  ///< of breakpoints and watchpoints
    std::vector<Breakpoint> breakpoints_;
    std::vector<Watchpoint> watchpoints_;
    std::optional<std::uint32_t> stop_event_;  ///< the last store at which a watchpoint has stopped
    bool is_stop_passed_ = false;              ///< it has happened
    Moment stop_moment_;                       ///< where it did
};

}  // namespace kwb::debug
