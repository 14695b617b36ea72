// SPDX-License-Identifier: Apache-2.0
// Shared by the verbs that judge kernels: run, why, sweep and check.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conversation.hpp"
#include "experiment/opened_experiment.hpp"
#include "model/result.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "report/tables.hpp"
#include "task/jobs.hpp"

namespace kwb::cli {

/// Options of run, why, sweep and check.
struct ComparisonOptions {
    ExperimentOptions chosen;
    JudgeOptions judge;
    OutputOptions outputs;
    bool explain = false;

    void add_common(CLI::App& verb, const char* several_places);

    TableOptions table() const;
};

/// Add advice on options that replace what the kernel's host program did.
void add_advice(std::vector<KernelResult>& results, const OpenedExperiment& experiment);

std::vector<Jobs::Place> places_of(const Conversation& conversation, const std::vector<DeviceInfo>& devices);

/// @throws EnvironmentError  if there are no results to keep
Collected run_jobs(Conversation& conversation, std::vector<Job> jobs, const std::vector<Jobs::Place>& places);

/// Run an experiment. If a guessed launch ends badly, try the other order of its dimensions before reporting.
/// @param experiment  receives the orders that are right
Collected run_both_orders(OpenedExperiment& experiment,
                          const std::function<std::vector<Job>(const OpenedExperiment&)>& make_jobs,
                          const std::function<Collected(std::vector<Job>)>& run);

/// Show the results, write the requested files, then determine the exit code.
/// @throws EnvironmentError  if results are missing; BadInput if something could not be written. Both are
///          thrown only after everything else was shown and written.
int finish(OutputWriter& writer, const Conversation& conversation, const Collected& all,
           const std::vector<KernelResult>& results, const std::string& text);

}  // namespace kwb::cli
