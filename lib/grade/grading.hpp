// SPDX-License-Identifier: Apache-2.0
// Observes the submissions of a class: checks in parallel, then times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grade/gpu_facts.hpp"
#include "grade/grade.hpp"
#include "grade/submission_requests.hpp"
#include "grade/submissions.hpp"
#include "source/fingerprint.hpp"
#include "task/task.hpp"

namespace kwb {

template <class Record>
class KeyedFile;

/// A keyed file (lib/store) with one entry per finished piece of work. That of another version of the
/// workbench is started over.
class Journal {
public:
    /// @param resumes false: starts over
    /// @throws BadInput  it cannot be read or written
    Journal(std::filesystem::path file, bool resumes);
    ~Journal();

    /// @param key identifies the observation: the submission's texts, the rubric, the device
    /// @return  nullptr: not known
    const Work* find(const std::string& key) const;

    /// Adds an entry. @throws BadInput  it cannot be written
    void keep(const std::string& key, const Work& work);

private:
    std::unique_ptr<KeyedFile<Work>> file_;
};

struct Candidate {
    Submission submission;
    Work work = {};
    bool is_checked = false;
    std::string key = {};  ///< in the journal
    std::optional<source::Fingerprint> print = {};
};

/// Checks the references of the rubric, then every unchecked candidate, several at a time; then times the
/// correct ones against the references, one at a time at each place, and for longer if a ratio is near a
/// step.
class Grading : public Task {
public:
    struct Place {
        DeviceInfo device;
        bool is_elsewhere = false;  ///< not on this machine, whose CPU all judges share
    };
    /// All of them must outlive the task.
    /// @param on  times only the criteria that name this place
    Grading(const Rubric& rubric, Journal& journal, std::vector<Candidate>& candidates,
            const std::vector<Place>& places, std::string on = "");

    std::optional<Request> next(std::size_t place) override;
    /// @throws BadInput  a reference of the rubric is wrong, or cannot run
    void take(std::size_t place, const Snapshot& answer) override;
    std::string progress() const override;

    /// Of the last observation; empty if there was none.
    const Environment& environment() const { return environment_; }

    /// @throws EnvironmentError  no place is left; what was observed is in the journal
    void require_places() const;

private:
    enum class Stage { References, Checks, Bounds, Timings };
    struct At {
        Place about;
        Candidate* candidate = nullptr;  ///< being checked
        SubmissionRequests requests = {};
        std::vector<std::shared_ptr<const XrayReport>> reports = {};  ///< as SubmissionRequests::xrays
        std::future<std::vector<TargetReport>> compiling = {};        ///< for gpus_
        std::vector<RunRequest> bound_requests = {};                  ///< not answered yet
        std::vector<KernelResult> bounds = {};
        std::size_t timing = 0;             ///< in hand, index in timings_
        std::size_t failures = 0;           ///< in a row
        std::string error = {};             ///< of the last one
        std::optional<Request> asked = {};  ///< not answered yet
    };
    struct Timing {
        Candidate* candidate;
        std::uint32_t criterion;
        double budget_ms;
        bool is_taken = false;
    };

    std::optional<Request> next_of_stage(std::size_t place);
    bool is_stage_done() const;
    void begin_next_stage();
    std::optional<Request> next_reference(std::size_t place);
    void take_reference(const Snapshot& answer);
    std::optional<Request> next_check(At& at);
    void begin_check(At& at, Candidate& candidate) const;
    std::optional<Request> continue_check(At& at) const;
    void take_check(At& at, const Snapshot& answer);
    void finish_check(At& at);
    std::optional<Request> next_timing(std::size_t place);
    void take_timing(At& at, const Snapshot& answer);
    bool may_time(std::size_t place) const;
    static bool is_lost(const At& at);
    static bool note_failure(At& at, const Snapshot& answer);

    const Rubric& rubric_;
    Journal& journal_;
    std::vector<Candidate>& candidates_;
    std::vector<At> places_;
    Stage stage_ = Stage::References;
    const std::string on_;
    const NamedGpus gpus_;
    std::vector<std::pair<const Criterion*, std::string>> references_;  ///< not checked yet
    std::vector<Timing> timings_;
    std::size_t to_time_ = 0;
    Environment environment_;
    std::size_t ended_ = 0;  ///< of this stage
};

}  // namespace kwb
