// SPDX-License-Identifier: Apache-2.0
// Observes the submissions of a class: checks in parallel, then times.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conversation.hpp"
#include "grade/grade.hpp"
#include "grade/journal.hpp"
#include "grade/submission_requests.hpp"
#include "grade/submissions.hpp"

namespace kwb::cli {

struct Candidate {
    Submission submission;
    Work work = {};
    bool is_checked = false;
    std::string key = {};  ///< in the journal
};

/// Checks every unchecked candidate, several at a time, then times the correct ones against the references of
/// the rubric, one at a time at each place, and for longer if a ratio is near a step.
class Grading {
public:
    /// @param devices  of each place
    Grading(Conversation& conversation, const std::vector<DeviceInfo>& devices, const Rubric& rubric,
            Journal& journal);

    /// @throws BadInput          a reference of the rubric is wrong, or cannot run
    /// @throws EnvironmentError  no place is left; what was observed is in the journal
    /// @throws Interrupted
    void observe(std::vector<Candidate>& candidates);

    const Environment& environment() const { return environment_; }

private:
    struct Place {
        Candidate* candidate = nullptr;  ///< in hand
        SubmissionRequests requests = {};
        std::vector<std::pair<std::string, std::shared_ptr<const XrayReport>>> reports = {};
        std::vector<KernelResult> bounds = {};
        std::size_t timing = 0;    ///< in hand, index in timings_
        std::size_t failures = 0;  ///< in a row
        std::string error = {};    ///< of the last one
    };
    struct Timing {
        Candidate* candidate;
        std::uint32_t criterion;
        double budget_ms;
        bool is_taken = false;
    };

    void check_references();
    void check_all(std::vector<Candidate>& candidates);
    std::optional<Conversation::Command> next_check(std::vector<Candidate>& candidates, std::size_t place);
    std::optional<Conversation::Command> go_on(Place& place) const;
    void begin(Place& place, Candidate& candidate, const DeviceInfo& device);
    void end_check(Place& place, const Snapshot& snapshot);
    void finish_check(Place& place);
    void time_all(std::vector<Candidate>& candidates);
    std::optional<Conversation::Command> next_timing(std::size_t place);
    void end_timing(Place& place, const Snapshot& snapshot);
    bool is_lost(const Place& place) const;
    bool note_failure(Place& place, const Snapshot& snapshot);
    void require_places() const;

    Conversation& conversation_;
    const std::vector<DeviceInfo> devices_;
    const Rubric& rubric_;
    Journal& journal_;
    std::vector<Place> places_;
    std::vector<Timing> timings_;
    Environment environment_;
    std::size_t ended_ = 0;  ///< of this stage, for the headline
};

}  // namespace kwb::cli
