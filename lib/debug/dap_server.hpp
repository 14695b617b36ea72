// SPDX-License-Identifier: Apache-2.0
// The debugger for editors: requests of the Debug Adapter Protocol, and their answers. A work-item is one of
// its threads. All of them are shown at the same point as the selected one; what moves one of them selects
// it. Source: https://microsoft.github.io/debug-adapter-protocol/specification
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/named.hpp"
#include "debug/console.hpp"
#include "debug/dap_arguments.hpp"
#include "debug/dap_values.hpp"

namespace kwb::debug {

/// What a launch has recorded.
struct DapProgram {
    std::shared_ptr<const Player> player;
    NamedList<std::string> sources;  ///< the text of each file; the kernel's own one has an empty name
    std::filesystem::path path;      ///< of the kernel's file; the others are named from its folder
    std::string text;                ///< for the person: what was found
    Moment begin;
    std::shared_ptr<const Comparison> comparison;  ///< nullptr: with nothing
    TurnTo turn = {};                              ///< as for Moves::turn_with()
};

class DapServer {
public:
    /// @throws BadInput, EnvironmentError  nothing could be recorded
    using Launch = std::function<DapProgram(const DapArguments&)>;
    using Send = std::function<void(const Json&)>;

    DapServer(Launch launch, Send send) : launch_(std::move(launch)), send_(std::move(send)) {}

    /// Answers a message.
    void take(const Json& message);
    /// Answers something that is no message.
    void refuse(const std::string& why);
    /// The client has ended the session.
    bool is_end() const { return is_end_; }

private:
    /// What depends on the recording.
    struct Session {
        explicit Session(DapProgram started)
            : program(std::move(started)),
              console(*program.player, program.sources, program.path.filename().string()),
              values(*program.player) {
            console.moves().turn_with(program.turn);
            console.moves().select(program.begin);
            console.compare_with(program.comparison);
        }
        DapProgram program;
        Console console;
        DapValues values;
    };
    struct Request {
        const char* name;
        Json (DapServer::*answer)(const DapArguments&);
        bool needs_program = true;
    };
    static const std::vector<Request>& requests();

    Json initialize(const DapArguments& arguments);
    Json launch(const DapArguments& arguments);
    Json configuration_done(const DapArguments& arguments);
    Json disconnect(const DapArguments& arguments);
    Json terminate(const DapArguments& arguments);

    Json set_breakpoints(const DapArguments& arguments);
    Json set_function_breakpoints(const DapArguments& arguments);
    Json set_data_breakpoints(const DapArguments& arguments);
    Json set_exception_breakpoints(const DapArguments& arguments);
    Json data_breakpoint_info(const DapArguments& arguments);
    Json breakpoint_locations(const DapArguments& arguments);

    Json threads(const DapArguments& arguments);
    Json stack_trace(const DapArguments& arguments);
    Json scopes(const DapArguments& arguments);
    Json variables(const DapArguments& arguments);
    Json evaluate_text(const DapArguments& arguments);
    Json completions(const DapArguments& arguments);
    Json source(const DapArguments& arguments);

    Json next(const DapArguments& arguments);
    Json step_in(const DapArguments& arguments);
    Json step_out(const DapArguments& arguments);
    Json step_back(const DapArguments& arguments);
    Json go_on(const DapArguments& arguments);
    Json go_back(const DapArguments& arguments);
    Json pause(const DapArguments& arguments);

    Moves& moves() { return session_->console.moves(); }
    const Player& player() const { return *session_->program.player; }
    const Recording& recording() const { return player().recording(); }

    std::uint32_t item_of(const DapArguments& arguments) const;
    /// Selects the work-item of the arguments. @return  false: it is at its end, so the session ends
    bool begin_forwards(const DapArguments& arguments);
    void begin_move(const DapArguments& arguments);
    Json run(Direction direction);
    /// Sends the reason why it is still or again at rest, after the answer.
    void stop(const char* reason, const std::string& text = "", std::optional<int> breakpoint = {});
    void end_session();
    void tell(const std::string& text, const char* category = "console");
    void tell_if_stale();
    /// What the selected work-item has printed since a moment; with allWorkItems, what all have.
    void tell_printed(Moment since);

    Json breakpoint_json(const Breakpoint& breakpoint, std::uint64_t wanted) const;
    Json add_breakpoint(const std::string& file, std::uint64_t line, const std::string& condition);
    /// Those that a command of the console has added or removed.
    void tell_changed_breakpoints(const std::vector<Breakpoint>& before);
    std::string run_command(const std::string& line);
    /// A file as the recording names it; nullopt: it is none of the kernel's.
    std::optional<std::string> file_of(const DapArguments& source) const;
    Json source_json(const std::string& file) const;
    std::int64_t shown_line(std::uint64_t line) const {
        return static_cast<std::int64_t>(line) - first_line_;
    }

    void send(Json message);
    void send_event(const char* name, Json body);
    void send_failure(std::int64_t request, const std::string& command, const std::string& why);

    Launch launch_;
    Send send_;
    std::int64_t sequence_ = 0;
    std::vector<Json> later_;                         ///< events that follow the answer
    std::int64_t first_line_ = 0, first_column_ = 0;  ///< subtracted from numbers that begin at 1
    bool stops_on_entry_ = true;
    Whose whose_ = Whose::WorkItem;
    bool is_end_ = false;
    bool is_stale_told_ = false;
    std::set<int> function_breakpoints_, data_breakpoints_;  ///< numbers
    std::unique_ptr<Session> session_;                       ///< null: nothing has been launched
};

}  // namespace kwb::debug
