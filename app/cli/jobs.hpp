// SPDX-License-Identifier: Apache-2.0
// Requests of run, sweep and check, at one place or at several.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conversation.hpp"
#include "model/device_info.hpp"
#include "model/request.hpp"
#include "model/result.hpp"
#include "task/session.hpp"

namespace kwb::cli {

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
    bool interrupted = false;  ///< ended early by Ctrl-C

    std::vector<KernelResult> results(std::optional<std::size_t> place = {}) const {
        std::vector<KernelResult> all;
        for (const Job& job : jobs)
            if (!place || job.place == place) all.insert(all.end(), job.results.begin(), job.results.end());
        return all;
    }
};

/// Runs jobs at free places. Results obtained before a failure are kept, and a kernel that hangs is not
/// retried at every size. The job of a place that fails is run elsewhere, if its place is not fixed.
/// @param devices  of each place
/// @param bounds   of each place, for bound_rates(); empty: none
/// @throws EnvironmentError  if there are no results to keep
Collected run_jobs(Conversation& conversation, std::vector<Job> jobs, std::vector<DeviceInfo> devices,
                   std::vector<std::vector<KernelResult>> bounds = {});

/// Measures the limits of the device at a place, for bound_rates().
/// @throws Interrupted
std::vector<KernelResult> measure_bounds(Conversation& conversation, std::size_t place,
                                         const DeviceInfo& device, const std::string& problem);

}  // namespace kwb::cli
