// SPDX-License-Identifier: Apache-2.0
// Kernels at all the sizes at which kernels tend to be wrong, as 'kwb check' does.
#include <utility>

#include "base/error.hpp"
#include "desk/desk.hpp"
#include "desk/lone_contestant.hpp"

namespace kwb {

CheckKey Desk::check_key(std::size_t contestant) const {
    const Experiment& choices = state_.choices;
    CheckKey key{key_.setting, key_.contestants[contestant], choices.seed, choices.timeout_ms, choices.xray};
    key.setting.sizes.clear();
    return key;
}

class Desk::CheckTask : public RequestsTask {
public:
    explicit CheckTask(Desk& desk) : RequestsTask(desk, TaskKind::Check) {}

    void add(CheckKey key, std::vector<RunRequest> requests) {
        ShownCheck& check = checks_.emplace_back();
        check.key = std::move(key);
        check.planned = requests.size();
        std::ranges::move(requests, std::back_inserter(requests_));
    }
    bool is_empty() const { return requests_.empty(); }

    void end() override {
        if (now_ < checks_.size()) keep();  // what is known so far
    }

protected:
    void answered(const RunRequest& /*request*/, const Snapshot& snapshot) override {
        ShownCheck& check = checks_[now_];
        if (!snapshot.error.empty()) {
            desk_.notify(Notice::Kind::Error, snapshot.error);
            return requests_.clear();
        }
        if (snapshot.stopped || snapshot.results.empty()) return;
        KernelResult& result = check.results.emplace_back(snapshot.results.front());
        result.error_map.reset();
        result.picture.reset();
        keep();
        if (check.is_finished()) ++now_;
    }

private:
    /// A finished check is worth more than one that begins again.
    void keep() {
        const ShownCheck& check = checks_[now_];
        const auto known = desk_.checks_.find(check.key);
        if (!check.results.empty() && (check.is_finished() || known == nullptr || !known->is_finished()))
            desk_.checks_.keep(std::make_shared<ShownCheck>(check));
    }

    std::vector<ShownCheck> checks_;
    std::size_t now_ = 0;
};

std::unique_ptr<Desk::AskedTask> Desk::make_check(const std::optional<std::size_t>& only) {
    auto task = std::make_unique<CheckTask>(*this);
    const OpenedKernels kernels = kernels_on_screen();
    const Problem* const problem = problem_named(state_.choices.problem);
    for (std::size_t i = 0; i < state_.choices.contestants.size() && problem != nullptr; ++i) {
        if ((only && *only != i) || state_.choices.contestants[i].kernel == kHostBlasName) continue;
        try {
            const LoneContestant one =
                lone_contestant(state_.choices, i, kernels, *state_.device, *state_.session->devices);
            task->add(check_key(i), make_awkward_requests(one.experiment, *problem, one.device).requests);
        } catch (const std::runtime_error& error) {
            notify(Notice::Kind::Warning, error.what());
        }
    }
    if (task->is_empty()) return nullptr;
    return task;
}

void Desk::relate_checks() {
    state_.checks.assign(key_.contestants.size(), nullptr);
    for (std::size_t i = 0; i < key_.contestants.size(); ++i) state_.checks[i] = checks_.find(check_key(i));
}

}  // namespace kwb
