// Converts a contestant's state to its result, during a run and at its end.
#pragma once

#include <string>

#include "ipc/judge_messages.hpp"
#include "judge/contestant_state.hpp"

namespace kwb {

/// The part of a contestant's result that the face does not have yet: new samples, or, once it has a verdict,
/// everything but the error map.
/// @param samples_sent  number of samples sent earlier
ResultEvent partial_result(const ContestantState& contestant, const RunRequest& request,
                           std::size_t samples_sent);

/// Completes the result at the end of a run: times, rates, warnings, and a verdict if it has none yet.
/// @param stopped  the user stopped the run
/// @param failure  a sentence that says why the run could not continue; empty if it could
void complete_result(ContestantState& contestant, const RunRequest& request, const ProblemInstance& instance,
                     bool stopped, const std::string& failure);

/// Adds the speedup over `baseline` if both have times.
void compare_times(const ContestantState& baseline, ContestantState& contestant);

}  // namespace kwb
