// SPDX-License-Identifier: Apache-2.0
// Tunes a contestant: the space, the course of a tuning as one task of the desk, and the results.
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "desk/desk.hpp"
#include "experiment/plan.hpp"
#include "model/finding_words.hpp"
#include "problems/problem.hpp"
#include "report/labels.hpp"

namespace kwb {
namespace {

std::string words_of(const std::runtime_error& error) {
    const auto* refused = dynamic_cast<const Refused*>(&error);
    return refused != nullptr ? sentence_of(refused->finding(), Face::Window) : error.what();
}

}  // namespace

void Desk::handle(const command::Tune& command) {
    RequestedTask task{TaskKind::Tune, {}};
    task.tune = command;
    request_task(std::move(task));
}

TuneKey Desk::tune_key(std::size_t i) const {
    TuneKey key{key_.setting, key_.contestants[i], state_.choices.xray, state_.choices.unreadable_pages};
    key.kernel.chosen.params.clear();
    return key;
}

/// @throws BadInput  a sentence: why this contestant cannot be tuned
Desk::TuneSubject Desk::tune_subject(std::size_t i) {
    const Experiment::Contestant& contestant = state_.choices.contestants.at(i);
    if (contestant.kernel == kHostBlasName)
        throw BadInput("The CPU's BLAS library has no parameters to tune; choose a kernel.");
    const OpenedKernels kernels = kernels_on_screen();
    const OpenedKernel* opened = find_named(kernels, contestant.kernel);
    if (opened == nullptr || !opened->kernel)
        throw BadInput(opened != nullptr && !opened->error.empty() ? opened->error
                                                                   : "This kernel cannot be read.");
    if (opened->kernel->spec.params.empty())
        throw BadInput(
            "This kernel has no parameters, so there is nothing to tune; declare some in its file, e.g. "
            "[params] with TILE = [16, 8, 32].");
    TuneSubject subject;
    subject.own_problems = own_problems_;
    subject.problem = problem_named(state_.choices.problem);
    if (subject.problem == nullptr) throw BadInput("The chosen problem no longer exists.");
    subject.device = state_.device;
    if (!contestant.device.empty() && state_.session->devices) {
        const auto& devices = state_.session->devices->devices;
        const auto own = std::ranges::find(devices, contestant.device, &DeviceInfo::id);
        if (own == devices.end())
            throw BadInput("The device " + contestant.device +
                           " was not found; choose another one for this "
                           "kernel.");
        subject.device = &*own;
    }
    if (subject.device == nullptr)
        throw BadInput(state_.preview.obstacle.value_or("No device is known yet."));
    OpenedExperiment& experiment = subject.experiment;
    experiment.contestants = {opened->kernel};
    if (!contestant.local.empty()) choose_local(experiment.choices, contestant.local);
    experiment.seed = state_.choices.seed;
    experiment.timeout_ms = state_.choices.timeout_ms;
    experiment.unreadable_pages = state_.choices.unreadable_pages;
    experiment.xray = state_.choices.xray;
    experiment.unsaved = opened->unsaved;
    return subject;
}

SpaceInput Desk::space_input(const TuneSubject& subject) const {
    return space_of(*subject.experiment.contestants.front(), subject.problem->at(state_.choices.sizes),
                    *subject.device, subject.experiment.choices);
}

/// Ask for the space of the contestant that the panel shows.
void Desk::ask_space(std::size_t i, TuneKey key) {
    space_asked_ = key;
    try {
        spaces_.ask(key, space_input(tune_subject(i)));
    } catch (const std::runtime_error& error) {
        auto failed = std::make_shared<ShownSpace>();
        failed->key = std::move(key);
        failed->error = words_of(error);
        space_ = std::move(failed);
    }
}

void Desk::relate_tunings() {
    if (auto counted = spaces_.take()) {
        space_ = std::move(counted);
        ++state_.revision;
    }
    std::shared_ptr<const ShownSpace> space;
    std::shared_ptr<const ShownTuning> tuning;
    bool is_outdated = false;
    if (tune_target_ && *tune_target_ < key_.contestants.size()) {
        const TuneKey key = tune_key(*tune_target_);
        tuning = tunings_.find(key);
        if (tuning == nullptr) {
            tuning = tunings_.newest_of(state_.choices.contestants[*tune_target_].kernel);
            is_outdated = tuning != nullptr;
        }
        const bool is_known = space_ != nullptr && space_->key == key;
        // Before the drivers have answered, a device may be missing only temporarily.
        if (!is_known && space_asked_ != key && !listing_) ask_space(*tune_target_, key);
        if (space_ != nullptr && space_->key == key) space = space_;
    }
    if (space == state_.space && tuning == state_.tuning && is_outdated == state_.tuning_is_outdated) return;
    state_.space = std::move(space);
    state_.tuning = std::move(tuning);
    state_.tuning_is_outdated = is_outdated;
    ++state_.revision;
}

// ---- The task ----

class Desk::TuneTask : public AskedTask {
public:
    /// @throws BadInput  why nothing can be tuned
    TuneTask(Desk& desk, const command::Tune& tune) : AskedTask(desk, TaskKind::Tune) {
        now_.key = desk.tune_key(tune.contestant);
        const TuneSubject subject = desk.tune_subject(tune.contestant);
        const auto counted = desk.space_ != nullptr && desk.space_->key == now_.key
                                 ? desk.space_
                                 : count_space(now_.key, desk.space_input(subject));
        if (counted->space == nullptr) throw BadInput(counted->error);
        now_.space = counted->space;
        now_.label = make_labels({{now_.key.kernel.chosen.kernel, {}, ""}}).front();
        now_.subject = to_string(now_.key.setting.sizes) + " on " + subject.device->name;
        TunerOptions options;
        options.strategy = tune.strategy;
        options.budget = tune.budget;
        const auto before = tune.afresh ? nullptr : desk.tunings_.find(now_.key);
        if (before != nullptr) {
            now_.trials = before->trials;
            now_.best = before->best;
            for (const auto& trial : now_.trials) options.known.push_back(*trial);
        }
        own_problems_ = subject.own_problems;
        tuner_.emplace(subject.experiment, *subject.problem, now_.key.setting.sizes,
                       std::vector{*subject.device}, *now_.space, std::move(options));
        first_ = tuner_->next(0);  // throws if none of the first can be planned
        now_.progress = tuner_->progress_now();
        show();
    }

    std::optional<Request> next(std::size_t place) override {
        if (is_stopped) return std::nullopt;
        if (first_) return std::exchange(first_, std::nullopt);
        try {
            return tuner_->next(place);
        } catch (const std::runtime_error& error) {
            now_.error = words_of(error);
            return std::nullopt;
        }
    }

    void take(std::size_t place, const Snapshot& answer) override {
        tuner_->take(place, answer);
        for (const Trial* trial : tuner_->taken()) {
            auto kept = std::make_shared<const Trial>(*trial);
            const auto known = std::ranges::find(now_.trials, trial->configuration,
                                                 [](const auto& one) { return one->configuration; });
            if (known != now_.trials.end())
                *known = std::move(kept);
            else
                now_.trials.push_back(std::move(kept));
        }
        now_.best.reset();
        for (std::size_t i = 0; i < now_.trials.size(); ++i) {
            const auto& cost = now_.trials[i]->cost_ms;
            if (cost && (!now_.best || *cost < *now_.trials[*now_.best]->cost_ms)) now_.best = i;
        }
        now_.progress = tuner_->progress_now();
        now_.left_out = tuner_->tuning().left_out();
        if (!tuner_->error().empty()) now_.error = tuner_->error();
        is_stopped = is_stopped || answer.stopped;
        show();
    }

    void end() override {
        now_.finished = true;
        now_.stopped = is_stopped;
        show();
    }

private:
    void show() {
        desk_.tunings_.keep(std::make_shared<ShownTuning>(now_));
        ++desk_.state_.revision;
    }

    OwnProblems own_problems_;  ///< keep the tuner's problem
    std::optional<Tuner> tuner_;
    std::optional<Request> first_;  ///< not asked yet
    ShownTuning now_;
};

std::unique_ptr<Desk::AskedTask> Desk::make_tuning(const command::Tune& tune) {
    if (tune.contestant >= key_.contestants.size()) return nullptr;
    try {
        return std::make_unique<TuneTask>(*this, tune);
    } catch (const std::runtime_error& error) {
        notify(Notice::Kind::Warning, "Nothing can be tuned: " + words_of(error));
        return nullptr;
    }
}

}  // namespace kwb
