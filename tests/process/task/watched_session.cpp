// SPDX-License-Identifier: Apache-2.0
#include "watched_session.hpp"

#include <signal.h>
#include <stdlib.h>

#include <chrono>
#include <fstream>

#include "support/patience.hpp"

namespace kwb::test {
namespace {

std::filesystem::path make_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "kwb-session-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    return pattern;
}

}  // namespace

WatchedSession::WatchedSession(const std::string& judges, const std::string& elsewhere)
    : folder_(make_folder()) {
    ::signal(SIGPIPE, SIG_IGN);
    const JudgeCommand command = {KWB_FAKE_JUDGE_PROGRAM, (folder_ / "log").string(), judges};
    session_ = std::make_unique<Session>(JudgePlace{command, elsewhere}, [this] {
        const std::lock_guard lock(mutex_);
        ++changes_;
        changed_.notify_all();
    });
}

WatchedSession::~WatchedSession() {
    session_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

SnapshotPtr WatchedSession::wait_until(const std::function<bool(const Snapshot&)>& holds) {
    SnapshotPtr snapshot;
    std::unique_lock lock(mutex_);
    const bool came = changed_.wait_for(lock, std::chrono::milliseconds(kPatienceMs), [&] {
        snapshot = session_->snapshot();
        return holds(*snapshot);
    });
    REQUIRE(came);
    return snapshot;
}

SnapshotPtr WatchedSession::wait_for(std::uint64_t command) {
    return wait_until([=](const Snapshot& snapshot) { return snapshot.answered >= command; });
}

std::uint64_t WatchedSession::start(std::size_t contestants) {
    RunRequest request;
    request.device = "fake:0";
    request.problem = "matmul";
    request.sizes = {{"M", 4}, {"N", 4}, {"K", 4}};
    for (std::size_t i = 0; i < contestants; ++i) {
        KernelPlan plan;
        plan.name = "k" + std::to_string(i);
        request.contestants.push_back({plan});
    }
    return session_->ask(std::move(request));
}

std::vector<pid_t> WatchedSession::judges() const {
    std::ifstream log(folder_ / "log");
    std::vector<pid_t> pids;
    for (pid_t pid = 0; log >> pid;) pids.push_back(pid);
    return pids;
}

}  // namespace kwb::test
