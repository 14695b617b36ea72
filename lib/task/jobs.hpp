// SPDX-License-Identifier: Apache-2.0
// Requests of run, sweep and check, at one place or at several.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/device_info.hpp"
#include "task/hang_watch.hpp"
#include "task/task.hpp"

namespace kwb {

/// A request and its outcome.
struct Job {
    RunRequest request;
    std::optional<std::size_t> place = {};  ///< where it runs; nullopt: at the first place that is free
    enum class State { Waiting, Running, Ended };
    State state = State::Waiting;
    std::vector<KernelResult> results = {};
    std::vector<WrittenOutput> outputs = {};
};

/// The outcome of several jobs.
struct Collected {
    std::vector<Environment> environments;  ///< by place
    std::vector<Job> jobs;
    std::string error;         ///< why results are missing; empty if none are
    bool interrupted = false;  ///< ended early by the user

    std::vector<KernelResult> results(std::optional<std::size_t> place = {}) const;

    /// @throws EnvironmentError  if there are no results to keep
    void require_results() const;
};

/// Runs jobs at free places. Results obtained before a failure are kept, and a kernel that hangs is not
/// retried at every size. The job of a place that fails is run elsewhere, if its place is not fixed.
class Jobs : public Task {
public:
    struct Place {
        std::string name;  ///< as in KernelResult::place
        DeviceInfo device;
        std::vector<KernelResult> bounds = {};  ///< for bound_rates(); empty: none
    };
    /// @param headline  what is done, for progress(); empty: sizes are
    Jobs(std::vector<Job> jobs, std::vector<Place> places, std::string headline = {});

    std::optional<Request> next(std::size_t place) override;
    void take(std::size_t place, const Snapshot& answer) override;
    std::string progress() const override;

    /// Why a place is no longer used, whose job another one has taken over; empty: that has not happened.
    std::string lost(std::size_t place) const;

    /// Once it has ended.
    /// @param interrupted  by the user, so that jobs may be left
    Collected collect(bool interrupted);

private:
    struct At {
        Place about;
        Job* job = nullptr;         ///< in progress
        std::string error = {};     ///< not empty: nothing more runs there
        bool is_passed_on = false;  ///< its job runs elsewhere
        HangWatch watch = {};
    };
    bool is_any_left() const;
    void skip(Job& job, const std::string& reason);

    std::string headline_;
    std::vector<At> places_;
    Collected all_;
};

}  // namespace kwb
