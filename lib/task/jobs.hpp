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
    Jobs(std::vector<Job> jobs, std::vector<Place> places);

    std::optional<Request> next(std::size_t place) override;
    void take(std::size_t place, const Snapshot& answer) override;
    std::string progress() const override;

    /// Why nothing more runs at a place, although others continue; empty: it is used, or none is.
    std::string lost(std::size_t place) const;

    /// Once it has ended.
    /// @param interrupted  by the user, so that jobs may be left
    /// @throws EnvironmentError  if there are no results to keep
    Collected collect(bool interrupted);

private:
    struct At {
        Place about;
        Job* job = nullptr;      ///< in progress
        std::string error = {};  ///< not empty: nothing more runs there
        HangWatch watch = {};
    };
    bool is_any_left() const;
    void skip(Job& job, const std::string& reason);

    std::vector<At> places_;
    Collected all_;
};

}  // namespace kwb
