// SPDX-License-Identifier: Apache-2.0
// The session, and what it shows.
#include "debug/dap_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "debug/values.hpp"

namespace kwb::debug {
namespace {

constexpr std::uint32_t kMostThreads = 1024;

Json thread_json(const Recording& recording, std::uint32_t item) {
    return {{"id", item + 1}, {"name", "work-item " + item_text(recording, item)}};
}

}  // namespace

const std::vector<DapServer::Request>& DapServer::requests() {
    static const std::vector<Request> kRequests{
        {"initialize", &DapServer::initialize, false},
        {"launch", &DapServer::launch, false},
        {"configurationDone", &DapServer::configuration_done},
        {"disconnect", &DapServer::disconnect, false},
        {"terminate", &DapServer::terminate, false},
        {"setBreakpoints", &DapServer::set_breakpoints},
        {"setFunctionBreakpoints", &DapServer::set_function_breakpoints},
        {"setDataBreakpoints", &DapServer::set_data_breakpoints},
        {"setExceptionBreakpoints", &DapServer::set_exception_breakpoints, false},
        {"dataBreakpointInfo", &DapServer::data_breakpoint_info},
        {"breakpointLocations", &DapServer::breakpoint_locations},
        {"threads", &DapServer::threads},
        {"stackTrace", &DapServer::stack_trace},
        {"scopes", &DapServer::scopes},
        {"variables", &DapServer::variables},
        {"evaluate", &DapServer::evaluate_text},
        {"completions", &DapServer::completions},
        {"source", &DapServer::source},
        {"next", &DapServer::next},
        {"stepIn", &DapServer::step_in},
        {"stepOut", &DapServer::step_out},
        {"stepBack", &DapServer::step_back},
        {"continue", &DapServer::go_on},
        {"reverseContinue", &DapServer::go_back},
        {"pause", &DapServer::pause},
    };
    return kRequests;
}

void DapServer::send(Json message) {
    Json numbered = {{"seq", ++sequence_}};
    numbered.update(message);
    send_(numbered);
}

void DapServer::send_event(const char* name, Json body) {
    later_.push_back({{"type", "event"}, {"event", name}, {"body", std::move(body)}});
}

void DapServer::send_failure(std::int64_t request, const std::string& command, const std::string& why) {
    // Braces would be placeholders for variables.
    std::string format = why;
    for (char& c : format)
        if (c == '{' || c == '}') c = c == '{' ? '(' : ')';
    send({{"type", "response"},
          {"request_seq", request},
          {"success", false},
          {"command", command},
          {"message", why},
          {"body", {{"error", {{"id", 1}, {"format", format}, {"showUser", true}}}}}});
}

void DapServer::refuse(const std::string& why) {
    send_failure(0, "", why);
}

void DapServer::take(const Json& message) {
    const auto has = [&](const char* key, bool (Json::*is)() const noexcept) {
        return message.is_object() && message.contains(key) && (message[key].*is)();
    };
    if (!has("seq", &Json::is_number_integer) || !has("type", &Json::is_string))
        return refuse("a message must be an object with the number seq and the text type");
    if (message["type"] == "response") return;  // nothing has been asked
    const auto sequence = message["seq"].get<std::int64_t>();
    if (message["type"] != "request" || !has("command", &Json::is_string))
        return send_failure(sequence, "", "a request must have the type request, and the text command");
    const auto name = message["command"].get<std::string>();
    const auto request = std::ranges::find(requests(), name, &Request::name);
    try {
        if (request == requests().end()) throw BadInput("there is no request " + name + " here");
        if (request->needs_program && session_ == nullptr)
            throw BadInput(name + " needs a kernel: the request launch comes first");
        const DapArguments arguments(message.value("arguments", Json()));
        Json body = (this->*request->answer)(arguments);
        Json answer = {{"type", "response"}, {"request_seq", sequence}, {"success", true}, {"command", name}};
        if (!body.is_null()) answer["body"] = std::move(body);
        send(std::move(answer));
    } catch (const BadInput& error) {
        send_failure(sequence, name, error.what());
    } catch (const EnvironmentError& error) {
        send_failure(sequence, name, error.what());
    }
    for (Json& event : std::exchange(later_, {})) send(std::move(event));
}

Json DapServer::initialize(const DapArguments& arguments) {
    if (arguments.optional_text("pathFormat").value_or("path") != "path")
        throw BadInput("arguments.pathFormat must be path");
    first_line_ = arguments.flag("linesStartAt1", true) ? 0 : 1;
    first_column_ = arguments.flag("columnsStartAt1", true) ? 0 : 1;
    Json can = Json::object();
    for (const char* const what :
         {"supportsConfigurationDoneRequest", "supportsConditionalBreakpoints", "supportsFunctionBreakpoints",
          "supportsDataBreakpoints", "supportsStepBack", "supportsEvaluateForHovers",
          "supportsCompletionsRequest", "supportsBreakpointLocationsRequest", "supportsTerminateRequest",
          "supportsDelayedStackTraceLoading"})
        can[what] = true;
    return can;
}

Json DapServer::launch(const DapArguments& arguments) {
    if (session_ != nullptr) throw BadInput("a kernel has been launched already");
    stops_on_entry_ = arguments.flag("stopOnEntry", true);
    whose_ = arguments.flag("allWorkItems", false) ? Whose::Group : Whose::WorkItem;
    session_ = std::make_unique<Session>(launch_(arguments));
    const std::string& text = session_->program.text;
    tell(text.empty() || text.ends_with('\n') ? text : text + "\n");
    tell(session_->console.greeting() + "\n");
    send_event("initialized", Json::object());
    return {};
}

Json DapServer::configuration_done(const DapArguments&) {
    if (stops_on_entry_)
        stop("entry");
    else
        run(Direction::Forwards);
    return {};
}

void DapServer::end_session() {
    send_event("exited", {{"exitCode", 0}});
    send_event("terminated", Json::object());
}

Json DapServer::terminate(const DapArguments&) {
    send_event("terminated", Json::object());
    return {};
}

Json DapServer::disconnect(const DapArguments&) {
    is_end_ = true;
    return {};
}

void DapServer::tell(const std::string& text, const char* category) {
    if (!text.empty()) send_event("output", {{"category", category}, {"output", text}});
}

void DapServer::tell_if_stale() {
    if (is_stale_told_) return;
    const DapProgram& program = session_->program;
    const std::string* const recorded = find_named(program.sources, "");
    try {
        if (recorded == nullptr || read_file(program.path) == *recorded) return;
    } catch (const BadInput&) {  // it is gone
    }
    is_stale_told_ = true;
    tell(fmt::format("{} has changed since it was recorded, so lines may not match. Start again.\n",
                     program.path.filename().string()),
         "important");
}

void DapServer::tell_printed(Moment since) {
    const std::uint32_t end = player().event_of(moves().moment());
    const std::vector<std::uint32_t>& prints = player().prints();
    for (auto at = std::ranges::lower_bound(prints, player().event_of(since));
         at != prints.end() && *at < end; ++at) {
        const RecordedEvent& event = recording().events[*at];
        if (whose_ == Whose::WorkItem && event.item != moves().moment().item) continue;
        const XrayPlace& place = recording().sites[event.site].place;
        send_event("output", {{"category", "stdout"},
                              {"output", fmt::format("{}: {}\n", item_text(recording(), event.item),
                                                     player().printed_line(*at))},
                              {"source", source_json(place.file)},
                              {"line", shown_line(place.line)}});
    }
}

std::uint32_t DapServer::item_of(const DapArguments& arguments) const {
    const std::uint64_t id = arguments.whole("threadId");
    if (id < 1 || id > player().items())
        throw BadInput(
            fmt::format("there is no thread {}: the group's work-items are 1 to {}", id, player().items()));
    return static_cast<std::uint32_t>(id - 1);
}

Json DapServer::threads(const DapArguments&) {
    Json all = Json::array();
    for (std::uint32_t item = 0; item < std::min(player().items(), kMostThreads); ++item)
        all.push_back(thread_json(recording(), item));
    const std::uint32_t selected = moves().moment().item;
    if (selected >= kMostThreads) all.push_back(thread_json(recording(), selected));
    return {{"threads", all}};
}

std::optional<std::string> DapServer::file_of(const DapArguments& source) const {
    const std::filesystem::path path =
        std::filesystem::weakly_canonical(source.optional_text("path").value_or(""));
    const std::filesystem::path own = std::filesystem::weakly_canonical(session_->program.path);
    for (const Named<std::string>& one : session_->program.sources)
        if (path == (one.name.empty() ? own : own.parent_path() / one.name)) return one.name;
    return std::nullopt;
}

Json DapServer::source_json(const std::string& file) const {
    const std::filesystem::path& own = session_->program.path;
    const std::filesystem::path path = file.empty() ? own : own.parent_path() / file;
    return {{"name", path.filename().string()}, {"path", path.string()}};
}

Json DapServer::stack_trace(const DapArguments& arguments) {
    const std::uint32_t item = item_of(arguments);
    const auto there = player().same_moment(moves().moment(), item);
    Json frames = Json::array();
    const auto label = [&](const std::string& text) {
        frames.push_back({{"id", session_->values.refer(scope_at(player(), there.value_or(Moment{item, 0})))},
                          {"name", text},
                          {"line", 0},
                          {"column", 0},
                          {"presentationHint", "label"}});
    };
    if (!there)
        label(player().has_interval(moves().moment(), item) ? "does not come to this line"
                                                            : "not in this part of the record");
    if (there && player().is_end(*there))
        label(player().is_over(item) ? "behind the last step" : "the record ends here");
    const RecordedSite* site = there ? player().site(*there) : nullptr;
    std::uint32_t frame = there ? player().frame(*there) : kNoFrame;
    while (frame != kNoFrame && site != nullptr) {
        const RecordedFrame& call = recording().frames[frame];
        frames.push_back({{"id", session_->values.refer({player(), *there, frame})},
                          {"name", recording().functions[call.function].name},
                          {"source", source_json(site->place.file)},
                          {"line", shown_line(site->place.line)},
                          {"column", 1 - first_column_}});
        site = &recording().sites[call.site];
        frame = call.caller;
    }
    const std::size_t total = frames.size();
    const std::size_t start =
        std::min<std::size_t>(arguments.optional_whole("startFrame").value_or(0), total);
    const std::size_t levels = arguments.optional_whole("levels").value_or(0);
    frames.erase(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(start));
    if (levels > 0 && levels < frames.size())
        frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(levels), frames.end());
    return {{"stackFrames", frames}, {"totalFrames", total}};
}

Json DapServer::scopes(const DapArguments& arguments) {
    return session_->values.scopes(static_cast<std::int64_t>(arguments.whole("frameId")));
}

Json DapServer::variables(const DapArguments& arguments) {
    return session_->values.variables(static_cast<std::int64_t>(arguments.whole("variablesReference")),
                                      arguments.optional_whole("start").value_or(0),
                                      arguments.optional_whole("count"));
}

Json DapServer::evaluate_text(const DapArguments& arguments) {
    const std::string text = arguments.text("expression");
    const auto frame = arguments.optional_whole("frameId");
    const Scope scope = frame ? session_->values.scope(static_cast<std::int64_t>(*frame)) : moves().scope();
    try {
        return session_->values.evaluated(text, evaluate(text, scope), scope);
    } catch (const BadInput&) {
        if (arguments.optional_text("context").value_or("") != "repl" || !Console::is_command(text)) throw;
    }
    // Commands act on the work-item and the call that the client shows.
    moves().select(scope.moment);
    moves().select_frame(scope.frame);
    return {{"result", run_command(text)}, {"variablesReference", 0}};
}

std::string DapServer::run_command(const std::string& line) {
    const Moment before = moves().moment();
    const std::vector<Breakpoint> breakpoints = moves().breakpoints();
    const ConsoleAnswer answer = session_->console.run(line);
    if (answer.is_error) throw BadInput(answer.text);
    tell_changed_breakpoints(breakpoints);
    if (answer.is_end)
        send_event("terminated", Json::object());
    else if (moves().moment() != before)
        stop("step");
    return answer.text;
}

Json DapServer::completions(const DapArguments& arguments) {
    const std::string line = arguments.text("text");
    const auto column = static_cast<std::int64_t>(arguments.whole("column")) - 1 + first_column_;
    const std::string begin = line.substr(0, static_cast<std::size_t>(std::max<std::int64_t>(column, 0)));
    const std::size_t word = Console::word_begin(begin);
    // The first word is a command or begins an expression.
    std::vector<std::string> found = session_->console.complete(begin);
    if (word == 0)
        for (const std::string& one : session_->console.complete("print " + begin))
            found.push_back(one.substr(std::string_view("print ").size()));
    Json targets = Json::array();
    for (const std::string& one : found)
        targets.push_back({{"label", one.substr(word)},
                           {"start", static_cast<std::int64_t>(word) + 1 - first_column_},
                           {"length", begin.size() - word}});
    return {{"targets", targets}};
}

Json DapServer::source(const DapArguments& arguments) {
    const auto file = file_of(arguments.part("source"));
    if (!file) throw BadInput("this is no file of the kernel");
    return {{"content", *find_named(session_->program.sources, *file)}};
}

void DapServer::stop(const char* reason, const std::string& text, std::optional<int> breakpoint) {
    session_->values.forget();
    tell_if_stale();
    Json body = {{"reason", reason}, {"threadId", moves().moment().item + 1}, {"allThreadsStopped", true}};
    if (moves().is_end())
        body["description"] =
            player().is_over(moves().moment().item) ? "Behind the last step" : "The record ends here";
    if (!text.empty()) body["text"] = text;
    if (breakpoint) body["hitBreakpointIds"] = {*breakpoint};
    send_event("stopped", std::move(body));
}

}  // namespace kwb::debug
