// SPDX-License-Identifier: Apache-2.0
// Observes the contestants that the window shows with X-ray, one at a time, while nothing else runs.
#include <utility>

#include "base/named.hpp"
#include "base/text.hpp"
#include "catalog/catalogue.hpp"
#include "desk/background.hpp"
#include "desk/desk.hpp"
#include "experiment/gpus.hpp"
#include "experiment/xray_request.hpp"
#include "gpu/compile_for.hpp"
#include "model/finding_words.hpp"

namespace kwb {
namespace {

/// Less than kwb xray observes: the window observes again after each change, and the user waits.
constexpr std::uint64_t kMostShownEvents = 10'000'000;
constexpr double kMostShowingMs = 2'000;

}  // namespace

const LineHeats* DeskState::heat_of(const Document& document) const {
    for (const ContestantXray& one : xrays) {
        const auto& seen = one.is_outdated ? one.counts : one.shown;
        if (seen == nullptr) continue;
        for (const auto& [file, heats] : seen->heat)
            if (file_of({file}, seen->observed.file) == document.path()) return &heats;
    }
    return nullptr;
}

XrayKey Desk::xray_key(std::size_t contestant) const {
    XrayKey key{key_.setting, key_.contestants[contestant], xray_target_};
    key.target.contestants.clear();
    key.target.counted.clear();
    return key;
}

std::shared_ptr<const ShownXray> Desk::counts_of(XrayKey key) const {
    return xrays_.find_if([&](const ShownXray& shown) {
        key.target.gpu = shown.key.target.gpu;
        return shown.key == key;
    });
}

/// Observes each contestant of the target that has not been observed as it is now.
class Desk::PanelTask : public Task {
public:
    explicit PanelTask(Desk& desk) : desk_(desk) {}

    /// What is being observed; nullptr: nothing.
    const XrayKey* key() const { return shown_ ? &shown_->key : nullptr; }

    std::optional<Request> next(std::size_t /*place*/) override {
        if (answer_ && gpus_sub_group_) {
            request_.options.sub_group = *gpus_sub_group_;
            return request_;
        }
        if (answer_) show();
        const auto is_chosen = [&](std::size_t i) {
            return i < desk_.key_.contestants.size() && i < desk_.state_.preview.contestants.size();
        };
        for (const std::size_t i : desk_.xray_target_.contestants)
            if (is_chosen(i) && desk_.xrays_.find(desk_.xray_key(i)) == nullptr)
                if (auto request = request_for(i, desk_.xray_key(i))) return request;
        for (const std::size_t i : desk_.xray_target_.counted) {
            if (!is_chosen(i)) continue;
            XrayKey key = desk_.xray_key(i);
            key.target.gpu.clear();
            if (desk_.counts_of(key) == nullptr)
                if (auto request = request_for(i, std::move(key))) return request;
        }
        shown_.reset();
        return std::nullopt;
    }

    void take(std::size_t /*place*/, const Snapshot& answer) override {
        if (answer_ && gpus_sub_group_) {
            gpus_report_ = answer.xray;
            gpus_sub_group_.reset();
        } else {
            answer_ = answer;
            if (answer.xray == nullptr || answer.xray->launches.empty()) gpus_sub_group_.reset();
        }
        if (!gpus_sub_group_ && !waits()) show();
    }

    bool waits() const override {
        return answer_ && !gpus_sub_group_ && compiling_ != nullptr && !compiling_->is_done();
    }

private:
    /// nullopt: it cannot be observed, which is kept as the answer.
    std::optional<Request> request_for(std::size_t i, const XrayKey& key) {
        const DeskState& state = desk_.state_;
        if (shown_ && shown_->key == key) return request_;
        shown_ = std::make_shared<ShownXray>();
        shown_->key = key;
        const Preview::Contestant& preview = state.preview.contestants[i];
        const auto& run = state.preview.request;
        if (key.kernel.chosen.kernel == kHostBlasName)
            shown_->error = "The CPU's BLAS library has no source to observe.";
        else if (preview.obstacle || !run || !run->contestants[i].kernel)
            shown_->error = preview.obstacle.value_or(state.preview.obstacle.value_or("It cannot run."));
        if (!shown_->error.empty()) {
            keep();
            return std::nullopt;
        }
        XrayOptions options;
        options.sub_group = key.target.sub_group;
        options.most_events = kMostShownEvents;
        options.most_ms = kMostShowingMs;
        options.keep_counts = true;
        options.trace_group = key.target.group;
        options.trace_launch = key.target.launch;
        shown_->observed.label = preview.label;
        run_ = *run;
        contestant_ = i;
        const KernelPlan& plan = *run_.contestants[i].kernel;
        compiling_.reset();
        gpus_.clear();
        gpus_report_.reset();
        gpus_sub_group_.reset();
        const auto gpu = std::ranges::find(state.gpus, key.target.gpu, &GpuProfile::name);
        if (gpu != state.gpus.end()) {
            gpus_ = {*gpu};
            if (gpu->sub_group != options.sub_group && is_observable(gpu->sub_group))
                gpus_sub_group_ = gpu->sub_group;
        }
        if (gpu != state.gpus.end() && !gpu->target.empty())
            compiling_ = std::make_unique<Background<TargetReport>>(
                [target = gpu->target, text = source_text_of(plan)](const std::stop_token& stop) {
                    return compile_for(target, text, stop);
                });
        request_ = make_xray_request(run_, plan, options);
        request_.machine_code = key.target.gpu == kDeviceTarget;
        ++desk_.state_.revision;
        return request_;
    }

    void show() {
        const Snapshot answer = *std::exchange(answer_, std::nullopt);
        shown_->error = answer.error;
        if (answer.xray != nullptr) {
            shown_->observed =
                observed_kernel(shown_->observed.label, run_, run_.contestants[contestant_], *answer.xray);
            const XrayReport& report = shown_->observed.report;
            if (report.launches.empty()) shown_->error = join(sentences_of(report.remarks), " ");
            if (compiling_ != nullptr) shown_->observed.targets = {compiling_->result()};
            if (answer.machine_code) shown_->observed.targets = {*answer.machine_code};
            add_gpus(shown_->observed, gpus_,
                     [&](std::uint32_t) { return gpus_report_ != nullptr ? *gpus_report_ : XrayReport{}; });
            shown_->play = XrayPlay(report);
            shown_->heat = source_heat(report, shown_->observed.targets);
        }
        if (!shown_->has_report() && shown_->error.empty()) shown_->error = "X-ray returned no result.";
        keep();
        compiling_.reset();
    }

    void keep() {
        desk_.xrays_.keep(std::move(shown_));
        ++desk_.state_.revision;
    }

    Desk& desk_;
    std::shared_ptr<ShownXray> shown_;  ///< being observed; nullptr: nothing
    XrayRequest request_;
    RunRequest run_;
    std::size_t contestant_ = 0;
    std::optional<Snapshot> answer_;
    std::vector<GpuProfile> gpus_;
    std::optional<std::uint32_t> gpus_sub_group_;          ///< to observe with as well
    std::shared_ptr<const XrayReport> gpus_report_;        ///< with that
    std::unique_ptr<Background<TargetReport>> compiling_;  ///< meanwhile, for a GPU; nullptr: nothing
};

void Desk::begin_observing() {
    if (edited_) begin_marks(*std::exchange(edited_, std::nullopt));
    if (state_.choices.xray && scheduler_.task(Scheduler::Rank::Panel) == nullptr)
        scheduler_.begin(Scheduler::Rank::Panel, std::make_unique<PanelTask>(*this), *session_);
}

/// Relate the observations to the current contestants.
void Desk::relate_xrays() {
    state_.xrays.resize(key_.contestants.size());
    state_.observing.reset();
    const auto* const panel = static_cast<const PanelTask*>(scheduler_.task(Scheduler::Rank::Panel));
    const bool is_observing =
        panel != nullptr && (scheduler_.is_asked(Scheduler::Rank::Panel) || panel->waits());
    const XrayKey* const observed = is_observing ? panel->key() : nullptr;
    for (std::size_t i = 0; i < key_.contestants.size(); ++i) {
        ContestantXray& now = state_.xrays[i];
        const XrayKey key = xray_key(i);
        if (observed != nullptr && *observed == key) state_.observing = i;
        now.shown = xrays_.find(key);
        now.is_outdated = now.shown == nullptr;
        now.counts = counts_of(key);
        if (now.is_outdated) now.shown = xrays_.newest_of(state_.choices.contestants[i].kernel);
    }
}

}  // namespace kwb
