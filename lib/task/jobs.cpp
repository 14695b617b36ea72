// SPDX-License-Identifier: Apache-2.0
#include "task/jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "task/ceilings.hpp"

namespace kwb {

std::vector<KernelResult> Collected::results(std::optional<std::size_t> place) const {
    std::vector<KernelResult> all;
    for (const Job& job : jobs)
        if (!place || job.place == place) all.insert(all.end(), job.results.begin(), job.results.end());
    return all;
}

void Collected::require_results() const {
    const std::vector<KernelResult> all = results();
    const auto is_skipped = [](const KernelResult& result) { return result.verdict == Verdict::Skipped; };
    if (!error.empty() && std::ranges::all_of(all, is_skipped)) throw EnvironmentError(error);
}

Jobs::Jobs(std::vector<Job> jobs, std::vector<Place> places, std::string headline)
    : headline_(std::move(headline)) {
    for (Place& place : places) places_.push_back({std::move(place)});
    all_.jobs = std::move(jobs);
    all_.environments.resize(places_.size());
}

std::optional<Task::Request> Jobs::next(std::size_t place) {
    At& at = places_[place];
    if (at.job != nullptr) return at.job->request;
    for (Job& job : all_.jobs) {
        if (!at.error.empty()) break;
        if (job.state != Job::State::Waiting || job.place.value_or(place) != place) continue;
        if (const auto reason = at.watch.find_reason_to_skip(job.request)) {
            skip(job, *reason);
            continue;
        }
        job.request.device = at.about.device.id;
        if (!at.about.bounds.empty()) bound_rates(job.request, at.about.bounds);
        job.state = Job::State::Running;
        at.job = &job;
        return job.request;
    }
    return std::nullopt;
}

bool Jobs::is_any_left() const {
    return std::ranges::any_of(places_, &std::string::empty, &At::error);
}

void Jobs::take(std::size_t place, const Snapshot& answer) {
    At& at = places_[place];
    Job& job = *std::exchange(at.job, nullptr);
    job.state = Job::State::Ended;
    if (answer.error.empty()) {
        all_.environments[place] = answer.environment;
    } else if (!answer.stopped) {
        at.error = answer.error;
        if (!job.place && is_any_left()) {
            job.state = Job::State::Waiting;
            at.is_passed_on = true;
            return;
        }
        if (all_.error.empty()) all_.error = at.error;
    }
    job.results = answer.results;
    job.outputs = answer.outputs;
    for (const KernelResult& result : job.results) at.watch.note(result);
}

std::string Jobs::lost(std::size_t place) const {
    return places_[place].is_passed_on ? places_[place].error : "";
}

void Jobs::skip(Job& job, const std::string& reason) {
    job.state = Job::State::Ended;
    job.results = skipped_results(job.request, reason);
    if (job.place)
        for (KernelResult& result : job.results) result.place = places_[*job.place].about.name;
}

std::string Jobs::progress() const {
    if (!headline_.empty()) return headline_;
    const std::size_t jobs = all_.jobs.size();
    if (jobs == 1) return "";
    const auto ended = std::ranges::count(all_.jobs, Job::State::Ended, &Job::state);
    return places_.size() == 1 ? fmt::format("size {} of {}", ended + 1, jobs)
                               : fmt::format("{} of {} done", ended, jobs);
}

Collected Jobs::collect(bool interrupted) {
    all_.interrupted = interrupted;
    for (Job& job : all_.jobs)
        if (job.state == Job::State::Waiting && !interrupted)
            skip(job, job.place ? places_[*job.place].error : all_.error);
    return std::move(all_);
}

}  // namespace kwb
