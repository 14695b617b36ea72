// SPDX-License-Identifier: Apache-2.0
// Records the work-group that the window steps through, while nothing else runs.
#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "debug/difference.hpp"
#include "desk/background.hpp"
#include "desk/desk.hpp"
#include "desk/lone_contestant.hpp"
#include "experiment/xray_request.hpp"
#include "model/finding_words.hpp"
#include "report/labels.hpp"
#include "task/counterpart.hpp"
#include "task/wrong_search.hpp"

namespace kwb {
namespace {

constexpr double kMostRecordingMs = 5'000;

}  // namespace

/// Records what the window wants to show and has not been recorded as it is now.
class Desk::StepsTask : public Task {
public:
    explicit StepsTask(Desk& desk) : desk_(desk) {}

    const StepsKey* key() const { return shown_ ? &shown_->key : nullptr; }

    std::optional<Request> next(std::size_t /*place*/) override {
        if (player_ != nullptr) show();
        if (comparing_ != nullptr && !std::exchange(comparing_, nullptr)->result()) end_comparison();
        const auto& target = desk_.steps_target_;
        const DeskState& state = desk_.state_;
        if (target && target->contestant < desk_.key_.contestants.size() &&
            target->contestant < state.preview.contestants.size()) {
            StepsKey key = desk_.steps_key(*target);
            if (desk_.steps_.find(key) == nullptr) {
                if (!shown_ || shown_->key != key) begin(*target, std::move(key));
                if (shown_ && counterpart_) return counterpart_->next();
                if (shown_) return search_ ? *search_->next() : request_;
            }
        }
        shown_.reset();
        counterpart_.reset();
        return std::nullopt;
    }

    void take(std::size_t /*place*/, const Snapshot& answer) override {
        if (counterpart_) return take_counterpart(answer);
        if (answer.error.empty() && search_) {
            search_->take(answer);
            if (search_->next()) return;
        }
        answer_ = answer;
        if (!answer.error.empty() || answer.recording == nullptr) return show();
        player_ = std::make_unique<Background<std::shared_ptr<const debug::Player>>>(
            [recording = answer.recording](const std::stop_token&) {
                return std::make_shared<const debug::Player>(recording);
            });
    }

    bool waits() const override {
        return (player_ != nullptr && !player_->is_done()) ||
               (comparing_ != nullptr && !comparing_->is_done());
    }

private:
    static XrayOptions recording_options() {
        XrayOptions options;
        options.aim = XrayAim::Record;
        options.most_ms = kMostRecordingMs;
        return options;
    }

    /// Leaves nothing in `shown_` if it cannot be recorded, which is kept as the answer.
    void begin(const StepsTarget& target, StepsKey key) {
        const DeskState& state = desk_.state_;
        shown_ = std::make_shared<ShownSteps>();
        shown_->file = state.preview.contestants[target.contestant].file;
        shown_->key = std::move(key);
        search_.reset();
        counterpart_.reset();
        XrayOptions options = debug::options_for_part(recording_options(), {target.from});
        options.trace_group = target.group;
        options.trace_launch = target.launch;
        const Problem* const problem = desk_.problem_named(state.choices.problem);
        try {
            if (state.choices.contestants[target.contestant].kernel == kHostBlasName || problem == nullptr)
                throw BadInput("The CPU's BLAS library has no source to step through.");
            const LoneContestant one =
                lone_contestant(state.choices, target.contestant, desk_.kernels_on_screen(), *state.device,
                                *state.session->devices);
            const Sizes& sizes = target.sizes.empty() ? state.choices.sizes : target.sizes;
            if (target.finds_wrong) {
                search_.emplace(one.experiment, *problem, sizes, one.device, options, false);
                if (!search_->next()) throw BadInput(search_->explain() + ".");
            } else {
                run_ = make_request(one.experiment, *problem, sizes, one.device);
                const KernelPlan& plan = *run_.contestants.front().kernel;
                if (plan.refusal) throw BadInput(sentence_of(*plan.refusal, Face::Window));
                request_ = make_xray_request(run_, plan, options);
            }
        } catch (const std::runtime_error& error) {
            shown_->error = error.what();
            keep();
        }
        ++desk_.state_.revision;
    }

    void show() {
        const Snapshot answer = *std::exchange(answer_, std::nullopt);
        if (search_) run_ = search_->run();
        shown_->sizes = run_.sizes;
        shown_->sources = debug::sources_of(*run_.contestants.front().kernel);
        if (answer.xray != nullptr && !answer.xray->launches.empty()) {
            for (const XrayLaunch& launch : answer.xray->launches) shown_->launches.push_back(launch.kernel);
            const std::uint32_t number =
                answer.recording != nullptr ? answer.recording->launch : shown_->key.target.launch;
            const XrayLaunch& launch =
                answer.xray->launches[std::min<std::size_t>(number, answer.xray->launches.size() - 1)];
            for (std::size_t d = 0; d < launch.global.size(); ++d)
                shown_->groups.push_back(launch.global[d] / launch.local[d]);
        }
        if (!answer.error.empty())
            shown_->error = answer.error;
        else if (search_ && !search_->has_found())
            shown_->error = search_->explain() + ".";
        else if (player_ == nullptr)
            shown_->error = answer.xray != nullptr && !answer.xray->remarks.empty()
                                ? join(sentences_of(answer.xray->remarks), " ")
                                : "The work-group did not run.";
        if (shown_->error.empty()) {
            shown_->player = player_->result();
            if (answer.wrong) {
                const ProblemInstance instance = run_.declared
                                                     ? run_.declared->instance
                                                     : desk_.problem_named(run_.problem)->at(run_.sizes);
                shown_->start =
                    debug::find_wrong_start({*shown_->player, *answer.xray, *answer.wrong, instance,
                                             !run_.declared, to_string(run_.sizes), shown_->sources});
            } else if (search_) {
                shown_->start.moment = debug::moment_of_undefined(*shown_->player, *search_->undefined());
                shown_->start.text = search_->explain() + ".";
            }
        }
        player_.reset();
        if (shown_->error.empty() && shown_->key.against) begin_comparison(answer);
        if (!counterpart_) keep();
    }

    /// Next, the other kernel is recorded.
    void begin_comparison(const Snapshot& answer) {
        const DeskState& state = desk_.state_;
        const auto& target = desk_.steps_target_;
        if (!target || !target->against || *target->against >= state.preview.contestants.size()) return;
        std::vector<std::string> buffers;
        for (const XrayBuffer& buffer : answer.xray->buffers) buffers.push_back(buffer.name);
        try {
            const LoneContestant other =
                lone_contestant(state.choices, *target->against, desk_.kernels_on_screen(), *state.device,
                                *state.session->devices);
            counterpart_ = std::make_shared<Counterpart>(
                Counterpart::Recorded{shown_->player, std::move(buffers), run_},
                make_request(other.experiment, *desk_.problem_named(run_.problem), run_.sizes, other.device),
                recording_options());
        } catch (const std::runtime_error& error) {
            shown_->comparison_error = error.what();
        }
    }

    void take_counterpart(const Snapshot& answer) {
        shown_->comparison_error = answer.error;
        try {
            if (answer.error.empty()) counterpart_->take(answer);
        } catch (const BadInput& error) {
            shown_->comparison_error = error.what();
        }
        if (!shown_->comparison_error.empty()) {
            counterpart_.reset();
            keep();
        } else if (!counterpart_->next()) {
            comparing_ = std::make_unique<Background<bool>>(
                [counterpart = counterpart_](const std::stop_token&) { return counterpart->compare(); });
        }
    }

    void end_comparison() {
        const auto counterpart = std::exchange(counterpart_, nullptr);
        shown_->comparison = std::make_shared<const debug::Comparison>(counterpart->take_comparison());
        if (counterpart->part() != nullptr) {
            shown_->player = counterpart->part();
            shown_->start = {};
        }
        keep();
    }

    void keep() {
        desk_.steps_.keep(std::move(shown_));
        ++desk_.state_.revision;
    }

    Desk& desk_;
    std::shared_ptr<ShownSteps> shown_;  ///< being recorded; nullptr: nothing
    XrayRequest request_;
    RunRequest run_;
    std::optional<WrongSearch> search_;  ///< instead of `request_`
    std::optional<Snapshot> answer_;
    std::unique_ptr<Background<std::shared_ptr<const debug::Player>>> player_;  ///< nullptr: nothing
    std::shared_ptr<Counterpart> counterpart_;     ///< being recorded; nullptr: nothing
    std::unique_ptr<Background<bool>> comparing_;  ///< whether it goes on; nullptr: nothing is compared
};

StepsKey Desk::steps_key(const StepsTarget& target) const {
    StepsKey key{key_.setting, key_.contestants[target.contestant], {}, target};
    if (target.against && *target.against < key_.contestants.size())
        key.against = key_.contestants[*target.against];
    key.target.contestant = 0;
    key.target.against.reset();
    return key;
}

void Desk::begin_recording() {
    if (state_.choices.xray && steps_target_ && scheduler_.task(Scheduler::Rank::Steps) == nullptr)
        scheduler_.begin(Scheduler::Rank::Steps, std::make_unique<StepsTask>(*this), *session_);
}

/// Relates the recordings to the current contestants.
void Desk::relate_steps() {
    state_.steps = nullptr;
    state_.steps_are_outdated = state_.is_recording = false;
    if (!steps_target_ || steps_target_->contestant >= key_.contestants.size()) return;
    const StepsKey key = steps_key(*steps_target_);
    const auto* const task = static_cast<const StepsTask*>(scheduler_.task(Scheduler::Rank::Steps));
    if (task != nullptr && (scheduler_.is_asked(Scheduler::Rank::Steps) || task->waits()))
        state_.is_recording = task->key() != nullptr && *task->key() == key;
    state_.steps = steps_.find(key);
    state_.steps_are_outdated = state_.steps == nullptr;
    if (state_.steps_are_outdated) state_.steps = steps_.newest_of(key.kernel.chosen.kernel);
}

}  // namespace kwb
