// SPDX-License-Identifier: Apache-2.0
// Experiments with the kernels of the shown run, one kernel at a time, while nothing else is to be done.
#include <utility>

#include "desk/desk.hpp"
#include "report/answer.hpp"

namespace kwb {

XrayKey Desk::effects_key(const RunKey& key, std::size_t contestant) {
    return {key.setting, key.contestants[contestant], {}};
}

bool Desk::add_effects(ShownRun& shown) {
    if (!shown.key) return false;
    bool has_added = false;
    std::vector<KernelResult>& results = shown.run.results;
    for (std::size_t i = 0; i < std::min(results.size(), shown.key->contestants.size()); ++i) {
        const XrayKey key = effects_key(*shown.key, i);
        if (results[i].effects) {
            effects_.keep(
                std::make_shared<KnownEffects>(KnownEffects{key, results[i].effects, results[i].hot_loop}));
        } else if (const auto known = effects_.find(key); known && is_good(results[i].verdict)) {
            results[i].effects = known->effects;
            results[i].hot_loop = known->hot_loop;
            has_added = has_added || known->effects;
        }
    }
    return has_added;
}

std::optional<std::size_t> Desk::next_to_explain() const {
    const ShownRun* const shown = state_.shown.get();
    if (!state_.settings.explains || !is_idle() || state_.device->kind != DeviceKind::Cpu ||
        !state_.preview.request || shown == nullptr || !shown->finished || shown->stopped ||
        !shown->error.empty() || state_.shows_earlier || shown->key != key_ || shown->run.results.size() < 2)
        return std::nullopt;
    const Answer answer = answer_among_kernels(shown->run.results, shown->baseline);
    if (!answer.factor) return std::nullopt;  // nothing was compared
    std::vector<std::size_t> order = {answer.subject, answer.other};
    for (std::size_t i = 0; i < shown->run.results.size(); ++i) order.push_back(i);
    for (const std::size_t i : order) {
        const KernelResult& result = shown->run.results[i];
        if (is_good(result.verdict) && !result.effects && state_.preview.request->contestants[i].kernel &&
            effects_.find(effects_key(key_, i)) == nullptr)
            return i;
    }
    return std::nullopt;
}

class Desk::ReasonsTask : public Task {
public:
    explicit ReasonsTask(Desk& desk) : desk_(desk) {}

    std::size_t contestant() const { return contestant_; }

    std::optional<Request> next(std::size_t /*place*/) override {
        const auto found = desk_.next_to_explain();
        if (!found) return std::nullopt;
        contestant_ = *found;
        key_ = effects_key(desk_.key_, contestant_);
        RunRequest request = *desk_.state_.preview.request;
        request.contestants = {request.contestants[contestant_]};
        request.mode = RunRequest::Mode::Explain;
        request.baseline = 0;
        request.xray = false;
        request.unreadable_pages = false;
        request.send_maps = false;
        ++desk_.state_.revision;
        return request;
    }

    void take(std::size_t /*place*/, const Snapshot& answer) override {
        KnownEffects known{key_, std::nullopt};
        if (answer.error.empty() && !answer.results.empty()) {
            known.effects = answer.results.front().effects;
            known.hot_loop = answer.results.front().hot_loop;
        }
        desk_.effects_.keep(std::make_shared<KnownEffects>(std::move(known)));
        ++desk_.state_.revision;
        if (desk_.state_.shown == nullptr) return;
        auto grown = std::make_shared<ShownRun>(*desk_.state_.shown);
        if (!desk_.add_effects(*grown)) return;
        desk_.history_.replace(grown->run);
        desk_.state_.shown = std::move(grown);
    }

private:
    Desk& desk_;
    XrayKey key_;
    std::size_t contestant_ = 0;
};

void Desk::begin_explaining() {
    constexpr auto kRank = Scheduler::Rank::Reasons;
    const bool is_wanted = next_to_explain().has_value();
    if (!is_wanted && scheduler_.is_asked(kRank)) ++state_.revision;
    if (is_wanted != (scheduler_.task(kRank) != nullptr))
        scheduler_.begin(kRank, is_wanted ? std::make_unique<ReasonsTask>(*this) : nullptr, *session_);
}

void Desk::relate_reasons() {
    constexpr auto kRank = Scheduler::Rank::Reasons;
    state_.explaining.reset();
    if (scheduler_.is_asked(kRank))
        state_.explaining = static_cast<const ReasonsTask*>(scheduler_.task(kRank))->contestant();
}

}  // namespace kwb
