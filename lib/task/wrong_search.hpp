// SPDX-License-Identifier: Apache-2.0
// Looks for the first wrong element of a kernel at one size after the other, and records who stored it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiment/opened_experiment.hpp"
#include "task/session.hpp"

namespace kwb {

/// The sizes with all extents halved again and again, the smallest first, then those of `kwb check`.
/// @param experiment  with one contestant
std::vector<RunRequest> requests_to_find_wrong(const OpenedExperiment& experiment, const Problem& problem,
                                               const Sizes& sizes, const DeviceInfo& device);

class WrongSearch {
public:
    /// @param runs  of one contestant each; those that were refused are left out
    /// @param options  for the recording
    WrongSearch(std::vector<RunRequest> runs, XrayOptions options);

    /// What to ask next; without an answer in between, the same again. nullopt: the search has ended.
    std::optional<XrayRequest> next() const;
    /// @param answer  without an error
    void take(const Snapshot& answer);

    bool has_found() const { return has_found_; }
    /// Once it has found one: the run of the last answer.
    const RunRequest& run() const { return runs_[now_ - 1]; }
    /// Once it has ended without a wrong element: why there is none, a sentence without its full stop.
    std::string explain_none() const;

private:
    std::vector<RunRequest> runs_;
    XrayOptions options_;
    std::size_t now_ = 0;  ///< of `runs_`: the next one
    bool has_found_ = false;
    std::optional<Finding> obstacle_;  ///< why the kernel was not run to its end
};

}  // namespace kwb
