// SPDX-License-Identifier: Apache-2.0
#include "grading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "grade/submission_requests.hpp"
#include "jobs.hpp"
#include "task/ceilings.hpp"

namespace kwb::cli {
namespace {

/// Time for each of the two kernels of a comparison: first, and what it grows by near a step.
constexpr double kFirstBudgetMs = 300;
constexpr double kBudgetFactor = 5;
constexpr double kMostBudgetMs = 8000;

/// Failures of a place in a row after which nothing more is sent there.
constexpr std::size_t kMostFailures = 2;

/// A check that times out is retried with this multiple of the rubric's limit, because other work may have
/// kept the machine busy. After a second timeout no further size is tried.
constexpr double kSecondTimeout = 3;

bool is_given_up(const Work& work) {
    if (work.checks.empty()) return false;
    const Verdict last = work.checks.back().verdict;
    return last == Verdict::CompileError || last == Verdict::CompilerCrashed || last == Verdict::Skipped ||
           last == Verdict::Timeout;
}

/// Keeps the error map of one result: the first that is wrong.
void keep_one_map(std::vector<KernelResult>& results) {
    bool is_kept = false;
    for (KernelResult& result : results)
        if (is_kept || is_good(result.verdict))
            result.error_map.reset();
        else
            is_kept = result.error_map.has_value();
}

class Grading {
public:
    explicit Grading(const Classroom& classroom)
        : conversation_(classroom.conversation),
          devices_(classroom.devices),
          rubric_(classroom.rubric),
          journal_(classroom.journal),
          places_(devices_.size()) {}

    Environment observe(std::vector<Candidate>& candidates) {
        check_references();
        check_all(candidates);
        time_all(candidates);
        return environment_;
    }

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

    void check_references() {
        for (const Criterion& criterion : rubric_.criteria) {
            if (criterion.kind != Criterion::Kind::Speed) continue;
            const auto snapshot = conversation_.run(reference_request(rubric_, criterion, devices_.front()),
                                                    "the reference " + criterion.reference);
            if (conversation_.interrupted()) throw Interrupted{};
            if (!snapshot->error.empty()) throw EnvironmentError(snapshot->error);
            environment_ = snapshot->environment;
            const KernelResult& result = snapshot->results.front();
            if (!is_good(result.verdict))
                throw BadInput(fmt::format("{}: the reference {} is {} at {}: {}", rubric_.file,
                                           criterion.reference, to_string(result.verdict), criterion.at,
                                           result.reason));
        }
    }

    void check_all(std::vector<Candidate>& candidates) {
        conversation_.run_everywhere(
            [&](std::size_t place) { return next_check(candidates, place); },
            [&](std::size_t place, const Snapshot& snapshot) { end_check(places_[place], snapshot); },
            [&] { return fmt::format("{} of {} checked", ended_, candidates.size()); });
        if (conversation_.interrupted()) throw Interrupted{};
        require_places();
    }

    std::optional<Conversation::Command> next_check(std::vector<Candidate>& candidates, std::size_t place) {
        Place& at = places_[place];
        if (is_lost(at)) return std::nullopt;
        for (;;) {
            if (at.candidate == nullptr) {
                const auto waiting = std::ranges::find_if(candidates, [&](const Candidate& each) {
                    return !each.is_checked &&
                           std::ranges::find(places_, &each, &Place::candidate) == places_.end();
                });
                if (waiting == candidates.end()) return std::nullopt;
                begin(at, *waiting, devices_[place]);
            }
            if (auto command = go_on(at)) return command;
            finish_check(at);
        }
    }

    void begin(Place& place, Candidate& candidate, const DeviceInfo& device) {
        place.candidate = &candidate;
        place.reports.clear();
        place.requests = {};
        candidate.work = {};
        candidate.work.obstacle = candidate.submission.obstacle;
        if (!candidate.work.obstacle.empty()) return;
        try {
            place.requests = submission_requests(rubric_, candidate.submission, device);
        } catch (const BadInput& error) {
            candidate.work.obstacle = error.what();
        }
    }

    std::optional<Conversation::Command> go_on(Place& place) const {
        const Work& work = place.candidate->work;
        if (!work.obstacle.empty()) return std::nullopt;
        if (work.checks.size() < place.requests.checks.size() && !is_given_up(work))
            return place.requests.checks[work.checks.size()];
        if (work.is_correct(rubric_) && place.reports.size() < place.requests.xrays.size())
            return place.requests.xrays[place.reports.size()].request;
        return std::nullopt;
    }

    void end_check(Place& place, const Snapshot& snapshot) {
        if (note_failure(place, snapshot)) {
            place.candidate = nullptr;  // it is checked again, here or elsewhere
            return;
        }
        Work& work = place.candidate->work;
        if (work.checks.size() < place.requests.checks.size() && !is_given_up(work)) {
            RunRequest& request = place.requests.checks[work.checks.size()];
            if (snapshot.results.front().verdict == Verdict::Timeout &&
                request.timeout_ms <= rubric_.timeout_ms) {
                request.timeout_ms *= kSecondTimeout;
                return;
            }
            work.checks.push_back(snapshot.results.front());
            environment_ = snapshot.environment;
        } else {
            place.reports.emplace_back(place.requests.xrays[place.reports.size()].size, snapshot.xray);
        }
    }

    void finish_check(Place& place) {
        Candidate& candidate = *std::exchange(place.candidate, nullptr);
        std::vector<SizedReport> reports;
        for (const auto& [size, report] : place.reports) reports.push_back({size, report.get()});
        answer_facts(candidate.work, rubric_, reports);
        keep_one_map(candidate.work.checks);
        candidate.is_checked = true;
        ++ended_;
        journal_.keep(candidate.key, candidate.work);
    }

    void time_all(std::vector<Candidate>& candidates) {
        for (Candidate& candidate : candidates)
            for (std::uint32_t i = 0; i < rubric_.criteria.size(); ++i)
                if (rubric_.criteria[i].kind == Criterion::Kind::Speed &&
                    candidate.work.is_correct(rubric_) &&
                    std::ranges::find(candidate.work.timed, i, &TimedWork::criterion) ==
                        candidate.work.timed.end())
                    timings_.push_back({&candidate, i, kFirstBudgetMs});
        if (timings_.empty()) return;
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (!is_lost(places_[i]) && (i == 0 || conversation_.place(i).is_elsewhere()))
                places_[i].bounds = measure_bounds(conversation_, i, devices_[i], rubric_.problem);
        ended_ = 0;
        const std::size_t count = timings_.size();
        conversation_.run_everywhere(
            [&](std::size_t place) { return next_timing(place); },
            [&](std::size_t place, const Snapshot& snapshot) { end_timing(places_[place], snapshot); },
            [&] { return fmt::format("{} of {} timed", ended_, count); });
        if (conversation_.interrupted()) throw Interrupted{};
        require_places();
    }

    std::optional<Conversation::Command> next_timing(std::size_t place) {
        Place& at = places_[place];
        // All judges on this machine share its CPU, so only one of them times.
        const bool is_other_here =
            std::any_of(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(place),
                        [&](const Place& before) { return !is_lost(before); }) &&
            !conversation_.place(place).is_elsewhere();
        if (is_lost(at) || is_other_here) return std::nullopt;
        const auto next = std::ranges::find(timings_, false, &Timing::is_taken);
        if (next == timings_.end()) return std::nullopt;
        next->is_taken = true;
        at.timing = static_cast<std::size_t>(next - timings_.begin());
        Candidate& candidate = *next->candidate;
        RunRequest request = speed_request(rubric_, rubric_.criteria[next->criterion], candidate.submission,
                                           devices_[place], next->budget_ms);
        request.timeout_ms *= kSecondTimeout;
        bound_rates(request, at.bounds);
        return request;
    }

    void end_timing(Place& place, const Snapshot& snapshot) {
        Timing timing = timings_[place.timing];
        if (note_failure(place, snapshot)) {
            timings_[place.timing].is_taken = false;
            return;
        }
        const Criterion& criterion = rubric_.criteria[timing.criterion];
        KernelResult result = snapshot.results.front();
        const double next_budget_ms = timing.budget_ms * kBudgetFactor;
        if (is_near_step(criterion, result) && next_budget_ms <= kMostBudgetMs) {
            timings_.push_back({timing.candidate, timing.criterion, next_budget_ms});
            return;
        }
        timing.candidate->work.timed.push_back({timing.criterion, std::move(result)});
        ++ended_;
        // --resume measures undecided results again.
        Work kept = timing.candidate->work;
        std::erase_if(kept.timed, [&](const TimedWork& each) {
            return is_undecided(rubric_.criteria[each.criterion], each.result);
        });
        journal_.keep(timing.candidate->key, kept);
    }

    static bool is_lost(const Place& place) { return place.failures >= kMostFailures; }

    /// @return  true if the command failed, or Ctrl-C ended it
    bool note_failure(Place& place, const Snapshot& snapshot) {
        if (snapshot.error.empty() && !snapshot.stopped) {
            place.failures = 0;
            return false;
        }
        place.error = snapshot.error;
        if (!conversation_.interrupted()) ++place.failures;
        return true;
    }

    void require_places() const {
        if (std::ranges::all_of(places_, [&](const Place& place) { return is_lost(place); }))
            throw EnvironmentError(places_.front().error + "; kwb grade … --resume continues from here");
    }

    Conversation& conversation_;
    const std::vector<DeviceInfo>& devices_;
    const Rubric& rubric_;
    Journal& journal_;
    std::vector<Place> places_;
    std::vector<Timing> timings_;
    Environment environment_;
    std::size_t ended_ = 0;  ///< of this stage, for the headline
};

}  // namespace

Environment observe(const Classroom& classroom, std::vector<Candidate>& candidates) {
    return Grading(classroom).observe(candidates);
}

}  // namespace kwb::cli
