// SPDX-License-Identifier: Apache-2.0
// Observes the contestants that the window shows with X-ray, one at a time, while nothing else runs.
#include <algorithm>
#include <utility>

#include "base/named.hpp"
#include "base/text.hpp"
#include "catalog/catalogue.hpp"
#include "desk/desk.hpp"
#include "experiment/gpus.hpp"
#include "experiment/xray_request.hpp"
#include "model/finding_words.hpp"
#include "source/read.hpp"

namespace kwb {
namespace {

/// Reports that are kept, so that going back to a kernel shows it at once.
constexpr std::size_t kMostKept = 16;

/// Less than kwb xray observes: the window observes again after each change, and the user waits.
constexpr std::uint64_t kMostShownEvents = 10'000'000;
constexpr double kMostShowingMs = 2'000;

}  // namespace

const LineHeats* DeskState::heat_of(const Document& document) const {
    for (const ContestantXray& one : xrays) {
        if (one.shown == nullptr || one.is_outdated) continue;
        for (const auto& [file, heats] : one.shown->heat)
            if (file_of({file}, one.shown->observed.file) == document.path()) return &heats;
    }
    return nullptr;
}

void Desk::handle(const command::Observe& command) {
    xray_target_ = command.target;
    observe_next();
}

XrayKey Desk::xray_key(std::size_t contestant) const {
    XrayKey key{key_.setting, key_.contestants[contestant], xray_target_};
    key.target.contestants.clear();
    return key;
}

const std::shared_ptr<const ShownXray>* Desk::find_xray(const XrayKey& key) const {
    const auto found = std::ranges::find(xrays_, key, [](const auto& shown) { return shown->key; });
    return found != xrays_.end() ? &*found : nullptr;
}

void Desk::keep_xray(std::shared_ptr<const ShownXray> shown) {
    xrays_.insert(xrays_.begin(), std::move(shown));
    if (xrays_.size() > kMostKept) xrays_.pop_back();
    ++state_.revision;
}

void Desk::observe(XrayRequest request, std::optional<XrayKey> key,
                   std::function<void(const Snapshot&)> take) {
    observing_.emplace(Observing{session_->xray(std::move(request)), std::move(key), std::move(take), {}});
    ++state_.revision;
}

void Desk::leave_observing() {
    if (!observing_) return;
    observing_.reset();
    session_->stop();
}

void Desk::observe_next() {
    const auto is_free = [&] {
        return !observing_ && !running_ && !requested_ && !listing_ && !live_due_ && !xray_due_ &&
               !checking_ && !is_check_wanted_;
    };
    if (!state_.choices.xray || state_.device == nullptr) return;
    if (is_free()) observe_edited();
    if (is_free()) observe_target();
}

void Desk::take_xray(const Snapshot& snapshot) {
    if (!observing_ || snapshot.answered < observing_->command) return;
    if (observing_->compiling && !observing_->compiling->is_done()) return;
    const Observing done = std::move(*std::exchange(observing_, std::nullopt));
    ++state_.revision;
    // An answer that another one has replaced is requested again.
    if (snapshot.answered == done.command) done.take(snapshot);
}

void Desk::observe_target() {
    for (const std::size_t i : xray_target_.contestants) {
        if (i >= key_.contestants.size() || i >= state_.preview.contestants.size()) continue;
        auto shown = std::make_shared<ShownXray>();
        const std::string& kernel = state_.choices.contestants[i].kernel;
        shown->key = xray_key(i);
        if (find_xray(shown->key) != nullptr) continue;
        const Preview::Contestant& preview = state_.preview.contestants[i];
        const auto& run = state_.preview.request;
        if (kernel == kHostBlasName)
            shown->error = "The CPU's BLAS library has no source to observe.";
        else if (preview.obstacle || !run || !run->contestants[i].kernel)
            shown->error = preview.obstacle.value_or(state_.preview.obstacle.value_or("It cannot run."));
        if (!shown->error.empty()) {
            keep_xray(std::move(shown));
            continue;
        }
        XrayOptions options;
        options.sub_group = xray_target_.sub_group;
        options.most_events = kMostShownEvents;
        options.most_ms = kMostShowingMs;
        options.keep_counts = true;
        options.trace_group = xray_target_.group;
        options.trace_launch = xray_target_.launch;
        shown->observed.label = preview.label;
        const KernelPlan& plan = *run->contestants[i].kernel;
        std::shared_ptr<TargetCompiling> compiling;
        const auto gpu = std::ranges::find(state_.gpus, xray_target_.gpu, &GpuProfile::name);
        if (gpu != state_.gpus.end() && !gpu->target.empty())
            compiling = std::make_shared<TargetCompiling>(gpu->target, source_text_of(plan), wake_);
        XrayRequest request = make_xray_request(*run, plan, options);
        request.machine_code = xray_target_.gpu == kDeviceTarget;
        observe(std::move(request), shown->key,
                [this, shown, run = *run, i, compiling,
                 gpus = gpu == state_.gpus.end() ? std::vector<GpuProfile>{}
                                                 : std::vector{*gpu}](const Snapshot& snapshot) {
                    show_xray(snapshot, shown, run, run.contestants[i], compiling.get(), gpus);
                });
        observing_->compiling = compiling;
        return;
    }
}

/// @param shown  as requested, with its label
void Desk::show_xray(const Snapshot& snapshot, std::shared_ptr<ShownXray> shown, const RunRequest& request,
                     const Contestant& contestant, const TargetCompiling* compiling,
                     const std::vector<GpuProfile>& gpus) {
    shown->error = snapshot.error;
    if (snapshot.xray != nullptr) {
        shown->observed = observed_kernel(shown->observed.label, request, contestant, *snapshot.xray);
        const XrayReport& report = shown->observed.report;
        if (report.launches.empty()) shown->error = join(sentences_of(report.remarks), " ");
        if (compiling != nullptr) shown->observed.targets = {compiling->report()};
        if (snapshot.machine_code) shown->observed.targets = {*snapshot.machine_code};
        // Only the sub-groups of the observation: the panel asks for those of the GPU.
        add_gpus(shown->observed, gpus, [&](std::uint32_t) { return report; });
        shown->play = XrayPlay(report);
        shown->heat = source_heat(report, shown->observed.targets);
    }
    if (!shown->has_report() && shown->error.empty()) shown->error = "X-ray returned no result.";
    keep_xray(std::move(shown));
}

/// Relate the observations to the current contestants.
void Desk::relate_xrays() {
    state_.xrays.resize(key_.contestants.size());
    state_.observing.reset();
    for (std::size_t i = 0; i < key_.contestants.size(); ++i) {
        ContestantXray& now = state_.xrays[i];
        const XrayKey key = xray_key(i);
        if (observing_ && observing_->key == key) state_.observing = i;
        const auto* found = find_xray(key);
        now.is_outdated = found == nullptr;
        if (found != nullptr) {
            now.shown = *found;
            continue;
        }
        // The newest one of the same kernel stays until there is another.
        now.shown = nullptr;
        for (const auto& known : xrays_)
            if (now.shown == nullptr &&
                known->key.kernel.chosen.kernel == state_.choices.contestants[i].kernel)
                now.shown = known;
    }
}

}  // namespace kwb
