// From the state of a contestant to its result: while a run goes on, and at its end.
#pragma once

#include <string>

#include "ipc/judge_messages.hpp"
#include "judge/contestant_state.hpp"

namespace kwb {

/// What the face does not know yet of a contestant in a run that goes on: new samples, or everything but the
/// error map once it has its verdict.
/// @param samples_sent  so many of its samples were sent before
ResultEvent partial_result(const ContestantState& contestant, const RunRequest& request,
                           std::size_t samples_sent);

/// Complete the result at the end of a run: times, rates, warnings, and a verdict if it has none yet.
/// @param stopped  by the user
/// @param failure  why the run could not continue, a sentence; empty if it could
void complete_result(ContestantState& contestant, const RunRequest& request, const ProblemInstance& instance,
                     bool stopped, const std::string& failure);

/// Add the speed-up over `baseline`, if both have times.
void compare_times(const ContestantState& baseline, ContestantState& contestant);

}  // namespace kwb
