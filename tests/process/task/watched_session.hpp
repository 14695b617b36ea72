// SPDX-License-Identifier: Apache-2.0
// A session with fake judges (tests/support/fake_judge.cpp), and a way to wait for its snapshots.
#pragma once

#include <doctest/doctest.h>
#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "task/session.hpp"

namespace kwb::test {

using SnapshotPtr = std::shared_ptr<const Snapshot>;

class WatchedSession {
public:
    /// @param judges  behaviours of the judges, in the order of their start
    /// @param elsewhere  what the judges' place is called; empty: this machine
    explicit WatchedSession(const std::string& judges, const std::string& elsewhere = {});
    ~WatchedSession();

    Session& operator*() { return *session_; }
    Session* operator->() { return session_.get(); }

    /// Wait for a snapshot for which `holds` returns true; fails after two minutes, which only a hang takes.
    SnapshotPtr wait_until(const std::function<bool(const Snapshot&)>& holds);
    SnapshotPtr wait_for(std::uint64_t command);

    SnapshotPtr list() { return wait_for(session_->list_devices()); }
    SnapshotPtr run(std::size_t contestants = 1) { return wait_for(start(contestants)); }
    std::uint64_t start(std::size_t contestants = 1);

    /// Destroy the session now, before the object's end.
    void end() { session_.reset(); }

    std::vector<pid_t> judges() const;
    int changes() const { return changes_; }

private:
    std::filesystem::path folder_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<int> changes_ = 0;
    std::unique_ptr<Session> session_;  ///< declared last because its thread uses the members above
};

}  // namespace kwb::test
