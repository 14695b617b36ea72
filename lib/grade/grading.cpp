// SPDX-License-Identifier: Apache-2.0
#include "grade/grading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "catalog/kernel_folders.hpp"
#include "source/read.hpp"
#include "task/attempt.hpp"
#include "task/ceilings.hpp"

namespace kwb {
namespace {

/// Time for each of the two kernels of a comparison: first, and what it grows by near a step.
constexpr double kFirstBudgetMs = 300;
constexpr double kBudgetFactor = 5;
constexpr double kMostBudgetMs = 8000;

/// A mean over several places is known only at the end, so each of them is measured for longer at once.
double first_budget_ms(const Criterion& criterion) {
    return kFirstBudgetMs * (criterion.kind == Criterion::Kind::Portability ? kBudgetFactor : 1);
}

/// Failures of a place in a row after which nothing more is sent there.
constexpr std::size_t kMostPlaceFailures = 2;

/// A check that times out is retried with this multiple of the rubric's limit, because other work may have
/// kept the machine busy, unless X-ray saw a loop that does not end. Then no further size is tried.
constexpr double kSecondTimeout = 3;

bool is_given_up(const Work& work) {
    if (work.checks.empty()) return false;
    return !is_compiled(work.checks.back()) || work.checks.back().verdict == Verdict::Timeout;
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

}  // namespace

Grading::Grading(const Rubric& rubric, Journal& journal, std::vector<Candidate>& candidates,
                 const std::vector<Place>& places, std::string on)
    : rubric_(rubric),
      journal_(journal),
      candidates_(candidates),
      on_(std::move(on)),
      gpus_(gpus_of(rubric)) {
    for (const Place& place : places) places_.emplace_back(At{place});
    for (const Criterion& criterion : rubric.criteria)
        if (criterion.is_timed_at(on_))
            for (const std::string& name : criterion.references) references_.push_back({&criterion, name});
}

bool Grading::is_lost(const At& at) {
    return at.failures >= kMostPlaceFailures;
}

std::optional<Task::Request> Grading::next(std::size_t place) {
    At& at = places_[place];
    if (at.asked || is_lost(at)) return at.asked;
    at.asked = next_of_stage(place);
    while (!at.asked && stage_ != Stage::Timings && is_stage_done()) {
        begin_next_stage();
        at.asked = next_of_stage(place);
    }
    return at.asked;
}

/// A place that has answered may have more of the same candidate, or limit, to ask.
bool Grading::is_stage_done() const {
    return (references_.empty() || stage_ != Stage::References) &&
           std::ranges::all_of(places_, [](const At& at) {
               return is_lost(at) || (!at.asked && at.candidate == nullptr && at.bound_requests.empty());
           });
}

std::optional<Task::Request> Grading::next_of_stage(std::size_t place) {
    At& at = places_[place];
    switch (stage_) {
        case Stage::References:
            return next_reference(place);
        case Stage::Checks:
            return next_check(at);
        case Stage::Bounds:
            return at.bound_requests.empty() ? std::nullopt
                                             : std::optional<Request>(at.bound_requests.front());
        case Stage::Timings:
            return next_timing(place);
    }
    return std::nullopt;
}

void Grading::begin_next_stage() {
    stage_ = static_cast<Stage>(static_cast<int>(stage_) + 1);
    ended_ = 0;
    if (stage_ != Stage::Bounds) return;
    for (Candidate& candidate : candidates_)
        for (std::uint32_t i = 0; i < rubric_.criteria.size(); ++i)
            if (rubric_.criteria[i].is_timed_at(on_) && candidate.work.is_correct(rubric_) &&
                std::ranges::none_of(candidate.work.timed, [&](const TimedWork& timed) {
                    return timed.criterion == i && timed.on == on_;
                }))
                timings_.push_back({&candidate, i, first_budget_ms(rubric_.criteria[i])});
    to_time_ = timings_.size();
    for (std::size_t i = 0; i < places_.size() && !timings_.empty(); ++i)
        if (may_time(i))
            places_[i].bound_requests =
                make_bound_requests(open_catalogue({}), places_[i].about.device, rubric_.problem);
}

void Grading::take(std::size_t place, const Snapshot& answer) {
    At& at = places_[place];
    at.asked.reset();
    switch (stage_) {
        case Stage::References:
            return take_reference(answer);
        case Stage::Checks:
            return take_check(at, answer);
        case Stage::Bounds:
            at.bound_requests.erase(at.bound_requests.begin());
            at.bounds.insert(at.bounds.end(), answer.results.begin(), answer.results.end());
            return;
        case Stage::Timings:
            return take_timing(at, answer);
    }
}

std::string Grading::progress() const {
    switch (stage_) {
        case Stage::References:
            return references_.empty() ? "" : "the reference " + references_.front().second;
        case Stage::Checks:
            return fmt::format("{} of {} checked", ended_, candidates_.size());
        case Stage::Bounds:
            return "measuring the device's limits";
        case Stage::Timings:
            return fmt::format("{} of {} timed", ended_, to_time_);
    }
    return "";
}

std::optional<Task::Request> Grading::next_reference(std::size_t place) {
    if (place != 0 || references_.empty()) return std::nullopt;
    const auto& [criterion, name] = references_.front();
    return reference_request(rubric_, *criterion, name, places_[place].about.device);
}

void Grading::take_reference(const Snapshot& answer) {
    if (answer.stopped) return;
    if (!answer.error.empty()) throw EnvironmentError(answer.error);
    const auto [criterion, name] = references_.front();
    references_.erase(references_.begin());
    environment_ = answer.environment;
    const KernelResult& result = answer.results.front();
    if (!is_good(result.verdict))
        throw BadInput(fmt::format("{}: the reference {} is {} at {}{}: {}", rubric_.file, name,
                                   to_string(result.verdict), criterion->at, place_words(on_),
                                   result.reason));
}

std::optional<Task::Request> Grading::next_check(At& at) {
    for (;;) {
        if (at.candidate == nullptr) {
            const auto waiting = std::ranges::find_if(candidates_, [&](const Candidate& each) {
                return !each.is_checked && std::ranges::find(places_, &each, &At::candidate) == places_.end();
            });
            if (waiting == candidates_.end()) return std::nullopt;
            begin_check(at, *waiting);
        }
        if (auto request = continue_check(at)) return request;
        finish_check(at);
    }
}

void Grading::begin_check(At& at, Candidate& candidate) const {
    at.candidate = &candidate;
    at.reports.clear();
    at.compiling = {};
    at.requests = {};
    candidate.work = {};
    candidate.work.obstacle = candidate.submission.obstacle;
    if (!candidate.work.obstacle.empty()) return;
    try {
        at.requests = submission_requests(rubric_, candidate.submission, at.about.device);
    } catch (const BadInput& error) {
        candidate.work.obstacle = error.what();
    }
}

std::optional<Task::Request> Grading::continue_check(At& at) const {
    const Work& work = at.candidate->work;
    if (!work.obstacle.empty()) return std::nullopt;
    if (work.checks.size() < at.requests.checks.size() && !is_given_up(work))
        return at.requests.checks[work.checks.size()];
    if (work.is_correct(rubric_) && at.reports.size() < at.requests.xrays.size())
        return at.requests.xrays[at.reports.size()].request;
    return std::nullopt;
}

void Grading::take_check(At& at, const Snapshot& answer) {
    if (note_failure(at, answer)) {
        at.candidate = nullptr;  // it is checked again, here or elsewhere
        return;
    }
    Work& work = at.candidate->work;
    if (work.checks.size() < at.requests.checks.size() && !is_given_up(work)) {
        RunRequest& request = at.requests.checks[work.checks.size()];
        const KernelResult& result = answer.results.front();
        if (result.verdict == Verdict::Timeout && endless_loop(result) == nullptr &&
            request.timeout_ms <= rubric_.timeout_ms) {
            request.timeout_ms *= kSecondTimeout;
            return;
        }
        work.checks.push_back(result);
        environment_ = answer.environment;
        // Meanwhile the judge observes.
        if (!gpus_.empty() && work.is_correct(rubric_))
            at.compiling = begin_compiling(gpus_, kwb::source_text_of(*request.contestants.front().kernel));
    } else {
        at.reports.push_back(answer.xray);
    }
}

void Grading::finish_check(At& at) {
    Candidate& candidate = *std::exchange(at.candidate, nullptr);
    const auto compiled = at.compiling.valid() ? at.compiling.get() : std::vector<TargetReport>{};
    answer_facts(candidate.work, rubric_, sized_reports(at.requests.xrays, at.reports, gpus_, compiled));
    keep_one_map(candidate.work.checks);
    candidate.is_checked = true;
    ++ended_;
    journal_.keep(candidate.key, candidate.work);
}

/// All judges on this machine share its CPU, so only one of them times.
bool Grading::may_time(std::size_t place) const {
    const bool is_other_here =
        std::any_of(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(place),
                    [&](const At& before) { return !is_lost(before); }) &&
        !places_[place].about.is_elsewhere;
    return !is_lost(places_[place]) && !is_other_here;
}

std::optional<Task::Request> Grading::next_timing(std::size_t place) {
    At& at = places_[place];
    if (!may_time(place)) return std::nullopt;
    const auto next = std::ranges::find(timings_, false, &Timing::is_taken);
    if (next == timings_.end()) return std::nullopt;
    next->is_taken = true;
    at.timing = static_cast<std::size_t>(next - timings_.begin());
    RunRequest request = speed_request(rubric_, rubric_.criteria[next->criterion],
                                       next->candidate->submission, at.about.device, next->budget_ms);
    request.timeout_ms *= kSecondTimeout;
    bound_rates(request, at.bounds);
    return request;
}

void Grading::take_timing(At& at, const Snapshot& answer) {
    Timing timing = timings_[at.timing];
    if (note_failure(at, answer)) {
        timings_[at.timing].is_taken = false;
        return;
    }
    const Criterion& criterion = rubric_.criteria[timing.criterion];
    const KernelResult& result = answer.results.front();
    const double next_budget_ms = timing.budget_ms * kBudgetFactor;
    if (criterion.kind == Criterion::Kind::Speed && is_good(result.verdict) &&
        is_near_step(criterion, result.speedup) && next_budget_ms <= kMostBudgetMs) {
        timings_.push_back({timing.candidate, timing.criterion, next_budget_ms});
        return;
    }
    Work kept = timing.candidate->work;
    kept.timed.push_back({timing.criterion, answer.results, on_});
    for (KernelResult& each : kept.timed.back().results) each.xray.reset();  // the checks have observed it
    timing.candidate->work = kept;
    ++ended_;
    // --resume measures undecided results again.
    std::erase_if(kept.timed, [&](const TimedWork& each) {
        return is_undecided(rubric_.criteria[each.criterion],
                            reached_ratio(timing.candidate->work, rubric_, each.criterion));
    });
    journal_.keep(timing.candidate->key, kept);
}

/// @return  true if the request failed, or was stopped
bool Grading::note_failure(At& at, const Snapshot& answer) {
    if (answer.error.empty() && !answer.stopped) {
        at.failures = 0;
        return false;
    }
    at.error = answer.error;
    if (!answer.stopped) ++at.failures;
    return true;
}

void Grading::require_places() const {
    if (std::ranges::all_of(places_, is_lost))
        throw EnvironmentError(places_.front().error + "; kwb grade … --resume continues from here");
}

}  // namespace kwb
