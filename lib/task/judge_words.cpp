// SPDX-License-Identifier: Apache-2.0
#include "task/judge_words.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"

namespace kwb {
namespace {

// What a shell, and so ssh, returns for a command that it cannot run. Source: POSIX, "Exit Status for
// Commands".
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;

std::string program_of(const JudgePlace& place) {
    return std::filesystem::path(place.command.front()).filename().string();
}

std::string command_text(const JudgePlace& place) {
    std::vector<std::string> words;
    for (const std::string& word : place.command) words.push_back(quote_for_shell(word));
    return join(words, " ");
}

/// "the judge at lab", or "the judge (/usr/bin/kwb-judge)" if it is the one of this machine.
std::string judge_at(const JudgePlace& place) {
    return place.is_elsewhere() ? "the judge at " + place.name : "the judge (" + place.command.front() + ")";
}

/// ": its last words", if there are any.
std::string after_colon(std::string line) {
    if (line.ends_with('.')) line.pop_back();  // our sentence continues
    return line.empty() ? "" : ": " + line;
}

std::string how_it_ended(const JudgeEnd& end) {
    return (end.status ? ": " + end.status->describe() : "") +
           (end.cut_off ? ", in the middle of a message" : "") + after_colon(end.last_lines);
}

std::string try_by_hand(const JudgePlace& place) {
    return fmt::format(
        "try it in a terminal, where it must print a version without asking for anything: {} --version",
        command_text(place));
}

/// The remedy for a launch command that ended before a judge greeted.
std::string advise_no_judge(const JudgePlace& place, const JudgeEnd& end) {
    if (end.status && (end.status->code == kNotFound || end.status->code == kNotExecutable))
        return "install kwb there, or give the full path of its kwb-judge, because a command gets a shorter "
               "PATH there than a login shell";
    return try_by_hand(place);
}

/// Advice on a judge of this machine that ended unexpectedly.
std::string advise_after_end(const JudgeEnd& end) {
    const int signal = end.status && !end.status->code ? end.status->signal : 0;
    if (signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP)
        return "another process ended it, or memory ran out; try again, with a smaller size if it happens "
               "again";
    return end.was_up ? "try again, or run 'kwb doctor'" : "run 'kwb doctor', or rebuild and reinstall kwb";
}

}  // namespace

std::string explain_no_start(const JudgePlace& place, const std::string& cause) {
    if (!place.is_elsewhere()) return cause + "; build and install kwb-judge next to kwb";
    return fmt::format("{}; install {} on this machine, or correct the command of {}", cause,
                       program_of(place), place.name);
}

std::string explain_no_greeting(const JudgePlace& place, const std::string& last_line) {
    if (!place.is_elsewhere()) return explain_no_answer(place);
    // An srun that kwb starts itself does not: see start_judge().
    const bool has_far_srun =
        std::any_of(place.command.begin() + 1, place.command.end(),
                    [](const auto& word) { return word.find("srun") != std::string::npos; });
    return fmt::format(
        "{} has not greeted within {:g} s{}. {}If it is waiting in a queue, allow more time with --wait "
        "10min; otherwise {}",
        judge_at(place), place.greeting_ms / 1000, after_colon(last_line),
        has_far_srun ? "Without -u (unbuffered), srun holds back its greeting. " : "", try_by_hand(place));
}

std::string explain_wrong_greeting(const JudgePlace& place, const std::string& fault) {
    if (!place.is_elsewhere()) return fault + kSameBuildRemedy;
    return fmt::format("{}: {}; install the same version of kwb at both ends", place.name, fault);
}

std::string explain_no_protocol(const JudgePlace& place, const std::string& fault) {
    if (!place.is_elsewhere())
        return judge_at(place) + " does not speak kwb's protocol: " + fault + kSameBuildRemedy;
    return fmt::format(
        "{} does not speak kwb's protocol: {}. Nothing may print there before its greeting, not even "
        "~/.bashrc; {}",
        judge_at(place), fault, try_by_hand(place));
}

std::string explain_end(const JudgePlace& place, const JudgeEnd& end) {
    if (!place.is_elsewhere())
        return judge_at(place) + " ended unexpectedly" + how_it_ended(end) + "; " + advise_after_end(end);
    if (!end.was_up)
        return fmt::format("{} did not start{}; {}", judge_at(place), how_it_ended(end),
                           advise_no_judge(place, end));
    return explain_loss(place, end, "") + "; try again when the place can be reached";
}

std::string explain_no_answer(const JudgePlace& place) {
    return judge_at(place) + " does not answer";
}

std::string explain_loss(const JudgePlace& place, const JudgeEnd& end, const std::string& doing) {
    return "the link to " + place.name + " was lost" + (doing.empty() ? "" : " during " + doing) +
           how_it_ended(end);
}

}  // namespace kwb
