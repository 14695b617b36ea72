// SPDX-License-Identifier: Apache-2.0
// kwb debug --dap: an editor starts it, and talks to it on standard input and output.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "conversation.hpp"
#include "debug/dap_frames.hpp"
#include "debug/dap_server.hpp"
#include "debug/wrong_words.hpp"
#include "recorded_group.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace {

/// The launch request's arguments as words of the command line.
std::vector<std::string> words_of(const debug::DapArguments& arguments) {
    std::vector<std::string> words{"debug", arguments.text("program")};
    for (const char* const key : {"size", "group", "lane", "launch", "global", "local"})
        if (const auto value = arguments.optional_word(key)) {
            words.push_back(std::string("--") + key);
            words.push_back(*value);
        }
    if (arguments.flag("wrong", false)) words.emplace_back("--wrong");
    for (std::string& word : arguments.texts("args")) words.push_back(std::move(word));
    // Notes would be read as messages on standard output.
    words.insert(words.end(), {"--json", "-"});
    return words;
}

debug::DapProgram launch(const debug::DapArguments& arguments, const Folders& folders) {
    RecordOptions options;
    OutputOptions outputs;
    CLI::App app;
    CLI::App* const verb = app.add_subcommand("debug");
    options.add(*verb);
    outputs.add_json(*verb);
    std::vector<std::string> words = words_of(arguments);
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::ParseError& error) {
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        refuse_words(error, app, pointers);
    }
    try {
        const auto group = std::make_shared<RecordedGroup>(record_group(options, folders, outputs));
        if (group->player == nullptr)
            throw BadInput(group->text.substr(0, group->text.find_last_not_of('\n') + 1));
        return {group->player,
                debug::sources_of(group->plan),
                std::filesystem::absolute(group->plan.file),
                group->text,
                group->begin,
                group->comparison,
                [group](const debug::WantedPart& wanted) { return group->turn_to(wanted); }};
    } catch (const Interrupted&) {
        throw BadInput("interrupted before anything was recorded");
    }
}

void write_all(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) throw EnvironmentError("standard output cannot be written: the editor has gone");
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

int serve_editor(const Folders& folders) {
    debug::DapServer server([&](const debug::DapArguments& arguments) { return launch(arguments, folders); },
                            [](const Json& message) { write_all(debug::dap_frame(message)); });
    debug::DapFrames frames;
    std::array<char, 65536> buffer{};
    while (!server.is_end()) {
        try {
            if (const auto message = frames.next()) {
                server.take(*message);
                continue;
            }
        } catch (const ProtocolError& error) {
            server.refuse(error.what());
            continue;
        }
        const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        frames.add({buffer.data(), static_cast<std::size_t>(count)});
    }
    return kExitGood;
}

}  // namespace kwb::cli
