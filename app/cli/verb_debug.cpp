// SPDX-License-Identifier: Apache-2.0
// kwb debug: follow the work-items of a work-group with the values of their variables, forwards and
// backwards.
#include <fmt/format.h>
#include <unistd.h>

#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/user_folders.hpp"
#include "debug/console.hpp"
#include "debug/wrong_words.hpp"
#include "line_editor.hpp"
#include "outputs.hpp"
#include "recorded_group.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace {

constexpr const char* kDebugFooter =
    "The kernel's own source runs on the CPU, compiled without optimisation, and one work-group is "
    "recorded.\n"
    "`help` lists the commands; most have the names that gdb has for them. A moment of a work-item is before "
    "the\n"
    "line that is marked; other work-items are shown at the same execution of the same line since the last "
    "barrier.\n"
    "Exit code 1: a command could not be carried out (with --command), or nothing could be recorded.\n";

struct DebugOptions {
    RecordOptions recorded;
    OutputOptions outputs;
    std::vector<std::string> commands;
    bool is_editor = false;

    void add(CLI::App& verb) {
        CLI::Option* const kernel = recorded.add(verb);
        add_repeated(verb, "--command", commands, "COMMAND",
                     "carry out this command instead of reading commands from standard input");
        outputs.add_json(verb);
        verb.add_flag("--dap", is_editor,
                      "serve an editor: the Debug Adapter Protocol on standard input and output. The kernel "
                      "and its "
                      "options come from the editor's launch request")
            ->excludes(kernel);
    }
};

/// Where commands are kept between sessions; empty: nowhere.
std::filesystem::path history_file() {
    try {
        make_private_folders(data_folder());
        return data_folder() / "debug_history";
    } catch (const std::exception&) {  // no home folder, or one that cannot be written
        return {};
    }
}

class DebugSession {
public:
    explicit DebugSession(const RecordedGroup& group)
        : group_(group),
          player_(*group.player),
          console_(player_, debug::sources_of(group.plan), group.plan.file),
          launches_(group.plan.launches.size()) {
        console_.moves().turn_with(
            [&group](const debug::WantedPart& wanted) { return group.turn_to(wanted); });
        console_.moves().select(group.begin);
        console_.compare_with(group.comparison);
    }

    /// @return  false: it could not be carried out
    bool perform(const std::string& command) {
        debug::ConsoleAnswer answer = console_.run(command);
        if (answer.stored_before)
            if (const std::string earlier = group_.explain_earlier(*answer.stored_before); !earlier.empty())
                answer.text += "\n" + earlier;
        is_end_ = answer.is_end;
        note(command, answer.text, answer.is_error);
        if (!is_quiet_ && !answer.text.empty())
            answer.is_error ? print_error(answer.text + "\n") : print(answer.text + "\n");
        return !answer.is_error;
    }

    void tell(const std::string& text) {
        if (!is_quiet_ && !text.empty()) print(text);
    }

    void greet() {
        if (is_quiet_) return;
        const std::uint32_t launch = player_.recording().launch + 1;
        print((launches_ > 1 ? fmt::format("launch {} of {}, ", launch, launches_) : "") +
              console_.greeting() + "\n");
    }

    /// Reads commands until the end of the input.
    void read_commands() {
        const bool is_terminal = ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0;
        std::optional<LineEditor> editor;
        if (is_terminal && !is_quiet_)
            editor.emplace(console_.prompt(), history_file(),
                           [&](const std::string& begin) { return console_.complete(begin); });
        const auto read = [&]() -> std::optional<std::string> {
            if (editor) return editor->read();
            std::string line;
            return std::getline(std::cin, line) ? std::optional(line) : std::nullopt;
        };
        while (!is_end_)
            if (const auto line = read())
                perform(*line);
            else
                break;
    }

    void be_quiet() { is_quiet_ = true; }
    bool is_end() const { return is_end_; }
    const Json& answers() const { return answers_; }

private:
    void note(const std::string& command, const std::string& text, bool is_error) {
        Json answer = {{"command", command}, {"text", text}, {"is_error", is_error}};
        const debug::Moment moment = console_.moment();
        answer["work_item"] = moment.item;
        answer["step"] = moment.step;
        const RecordedSite* const site = player_.site(moment);
        if (site != nullptr && !player_.is_end(moment)) {
            answer["file"] = site->place.file;
            answer["line"] = site->place.line;
        }
        answers_.push_back(std::move(answer));
    }

    const RecordedGroup& group_;
    const debug::Player& player_;
    debug::Console console_;
    std::size_t launches_;
    bool is_quiet_ = false;
    bool is_end_ = false;
    Json answers_ = Json::array();
};

int debug_kernel(const DebugOptions& options, const Folders& folders) {
    if (options.is_editor) return serve_editor(folders);
    if (options.recorded.chosen.kernels.empty()) throw BadInput("KERNEL is required. See 'kwb debug --help'");
    const RecordedGroup group = record_group(options.recorded, folders, options.outputs);
    if (group.player == nullptr) {
        group.is_good ? options.outputs.tell(group.text) : print_error("kwb: " + group.text);
        return group.is_good ? kExitGood : kExitVerdict;
    }
    DebugSession session(group);
    if (options.outputs.data_on_stdout()) session.be_quiet();
    session.tell(group.text);
    session.greet();
    bool is_good = true;
    for (const std::string& command : options.commands)
        if (!session.is_end()) is_good = session.perform(command) && is_good;
    if (options.commands.empty()) session.read_commands();
    OutputWriter writer(options.outputs);
    writer.write("--json", [&] { return dump_json(session.answers()); });
    writer.finish();
    return is_good ? kExitGood : kExitVerdict;
}

}  // namespace

Verb add_debug(CLI::App& kwb) {
    return add_verb<DebugOptions>(
        kwb, {"debug", "step through a work-group with its values, forwards and backwards", kDebugFooter},
        debug_kernel);
}

}  // namespace kwb::cli
