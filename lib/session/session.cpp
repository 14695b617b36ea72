#include "session/session.hpp"

#include <cstdlib>
#include <filesystem>

#include "base/text.hpp"
#include "session/worker.hpp"

namespace kwb {
namespace {

/// Split at blanks, except for blanks inside quotes ("…").
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

Session::Session(JudgeCommand judge, std::function<void()> on_change)
    : worker_(std::make_unique<Worker>(std::move(judge), std::move(on_change))) {}

Session::~Session() = default;

std::shared_ptr<const Snapshot> Session::snapshot() const {
    return worker_->snapshot();
}

std::uint64_t Session::list_devices() {
    return worker_->submit(ListDevices{});
}

std::uint64_t Session::run(RunRequest request) {
    return worker_->submit(std::move(request));
}

void Session::stop() {
    worker_->stop();
}

}  // namespace kwb
