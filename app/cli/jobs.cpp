// SPDX-License-Identifier: Apache-2.0
#include "jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "catalog/kernel_folders.hpp"
#include "task/ceilings.hpp"
#include "task/hang_watch.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace {

class JobRunner {
public:
    JobRunner(Conversation& conversation, std::vector<Job> jobs, std::vector<DeviceInfo> devices,
              std::vector<std::vector<KernelResult>> bounds)
        : conversation_(conversation),
          devices_(std::move(devices)),
          bounds_(std::move(bounds)),
          places_(devices_.size()) {
        all_.jobs = std::move(jobs);
        all_.environments.resize(devices_.size());
    }

    Collected run() {
        conversation_.run_everywhere([this](std::size_t place) { return next(place); },
                                     [this](std::size_t place, const Snapshot& now) { end(place, now); },
                                     [this] { return progress(); });
        all_.interrupted = conversation_.interrupted();
        for (Job& job : all_.jobs)
            if (job.state == Job::State::Waiting && !all_.interrupted)
                skip(job, job.place ? places_[*job.place].error : all_.error);
        const std::vector<KernelResult> results = all_.results();
        if (!all_.error.empty() && std::ranges::all_of(results, [](const KernelResult& result) {
                return result.verdict == Verdict::Skipped;
            }))
            throw EnvironmentError(all_.error);
        return std::move(all_);
    }

private:
    struct Place {
        Job* job = nullptr;      ///< in progress
        std::string error = {};  ///< not empty: nothing more runs there
        HangWatch watch = {};
    };

    std::optional<Conversation::Command> next(std::size_t place) {
        Place& at = places_[place];
        for (Job& job : all_.jobs) {
            if (!at.error.empty()) break;
            if (job.state != Job::State::Waiting || job.place.value_or(place) != place) continue;
            if (const auto reason = at.watch.find_reason_to_skip(job.request)) {
                skip(job, *reason);
                continue;
            }
            job.request.device = devices_[place].id;
            if (!bounds_.empty()) bound_rates(job.request, bounds_[place]);
            job.state = Job::State::Running;
            at.job = &job;
            return job.request;
        }
        return std::nullopt;
    }

    void end(std::size_t place, const Snapshot& snapshot) {
        Place& at = places_[place];
        Job& job = *at.job;
        job.state = Job::State::Ended;
        if (snapshot.error.empty()) {
            all_.environments[place] = snapshot.environment;
        } else if (!conversation_.interrupted()) {
            at.error = snapshot.error;
            const bool is_last = std::ranges::none_of(places_, &std::string::empty, &Place::error);
            if (!job.place && !is_last) {
                print_error(fmt::format("kwb: {}; the other places continue\n",
                                        conversation_.at_place(place, at.error)));
                job.state = Job::State::Waiting;
                return;
            }
            if (all_.error.empty()) all_.error = at.error;
        }
        job.results = snapshot.results;
        job.outputs = snapshot.outputs;
        for (const KernelResult& result : job.results) at.watch.note(result);
    }

    void skip(Job& job, const std::string& reason) {
        job.state = Job::State::Ended;
        job.results = skipped_results(job.request, reason);
        if (job.place)
            for (KernelResult& result : job.results) result.place = conversation_.place(*job.place).name;
    }

    std::string progress() const {
        const std::size_t jobs = all_.jobs.size();
        if (jobs == 1) return "";
        const auto ended = std::ranges::count(all_.jobs, Job::State::Ended, &Job::state);
        return devices_.size() == 1 ? fmt::format("size {} of {}", ended + 1, jobs)
                                    : fmt::format("{} of {} done", ended, jobs);
    }

    Conversation& conversation_;
    std::vector<DeviceInfo> devices_;
    std::vector<std::vector<KernelResult>> bounds_;
    std::vector<Place> places_;
    Collected all_;
};

}  // namespace

Collected run_jobs(Conversation& conversation, std::vector<Job> jobs, std::vector<DeviceInfo> devices,
                   std::vector<std::vector<KernelResult>> bounds) {
    return JobRunner(conversation, std::move(jobs), std::move(devices), std::move(bounds)).run();
}

std::vector<KernelResult> measure_bounds(Conversation& conversation, std::size_t place,
                                         const DeviceInfo& device, const std::string& problem) {
    std::vector<KernelResult> results;
    for (RunRequest& request : make_bound_requests(open_catalogue({}), device, problem)) {
        const auto snapshot = conversation.run(std::move(request), "measuring the device's limits", place);
        if (conversation.interrupted()) throw Interrupted{};
        results.insert(results.end(), snapshot->results.begin(), snapshot->results.end());
    }
    return results;
}

}  // namespace kwb::cli
