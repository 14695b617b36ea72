#include "session/judge_command.hpp"

#include <cstdlib>
#include <filesystem>

#include "base/text.hpp"

namespace kwb {
namespace {

/// Words separated by blanks; "…" keeps blanks within a word.
JudgeCommand split_words(std::string_view text) {
    JudgeCommand words;
    bool quoted = false;
    bool in_word = false;
    for (const char c : text) {
        if (c == '"') {
            quoted = !quoted;
            if (!in_word) words.emplace_back();
            in_word = true;
        } else if (c == ' ' && !quoted) {
            in_word = false;
        } else {
            if (!in_word) words.emplace_back();
            words.back() += c;
            in_word = true;
        }
    }
    return words;
}

}  // namespace

JudgeCommand default_judge_command() {
    if (const char* chosen = std::getenv("KWB_JUDGE"); chosen != nullptr && !trim(chosen).empty())
        return split_words(chosen);
    return {(std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kwb-judge").string()};
}

}  // namespace kwb
