// SPDX-License-Identifier: Apache-2.0
// Observes the submissions of a class: checks in parallel, then times.
#pragma once

#include <string>
#include <vector>

#include "conversation.hpp"
#include "grade/grade.hpp"
#include "grade/journal.hpp"
#include "grade/submissions.hpp"

namespace kwb::cli {

struct Candidate {
    Submission submission;
    Work work = {};
    bool is_checked = false;
    std::string key = {};  ///< in the journal
};

/// What observations need.
struct Classroom {
    Conversation& conversation;
    const std::vector<DeviceInfo>& devices;  ///< of each place
    const Rubric& rubric;
    Journal& journal;
};

/// Checks every unchecked candidate, several at a time, then times the correct ones against the references of
/// the rubric, one at a time at each place, and for longer if a ratio is near a step.
/// @return  of the last observation; empty if there was none
/// @throws BadInput          a reference of the rubric is wrong, or cannot run
/// @throws EnvironmentError  no place is left; what was observed is in the journal
/// @throws Interrupted
Environment observe(const Classroom& classroom, std::vector<Candidate>& candidates);

}  // namespace kwb::cli
