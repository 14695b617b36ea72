// SPDX-License-Identifier: Apache-2.0
// The tasks that measure: a run, a sweep over sizes, and a device's ceilings.
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/catalogue.hpp"
#include "catalog/kernel_folders.hpp"
#include "desk/desk.hpp"
#include "report/labels.hpp"
#include "task/ceilings.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

LineMark::Kind kind_of(Severity severity) {
    if (severity == Severity::Note) return LineMark::Kind::Note;
    return severity == Severity::Warning ? LineMark::Kind::Warning : LineMark::Kind::Error;
}

std::size_t from_zero(std::uint32_t number) {
    return number > 0 ? number - 1 : 0;
}

std::vector<std::string> labels_of(const std::vector<Preview::Contestant>& previews) {
    std::vector<std::string> labels;
    for (const Preview::Contestant& preview : previews) labels.push_back(preview.label);
    return labels;
}

/// The sources of each contestant.
std::vector<SourceTexts> sources_of(const RunRequest& request) {
    std::vector<SourceTexts> sources;
    for (const Contestant& contestant : request.contestants) {
        SourceTexts& texts = sources.emplace_back();
        if (!contestant.kernel) continue;
        const KernelPlan& plan = *contestant.kernel;
        texts.push_back({fs::path(plan.file).filename().string(), plan.source_text});
        texts.insert(texts.end(), plan.includes.begin(), plan.includes.end());
    }
    return sources;
}

/// Add facts that the judge lacks, because it does not see files.
void add_preview_facts(std::vector<KernelResult>& results, const std::vector<Preview::Contestant>& previews) {
    for (std::size_t i = 0; i < results.size() && i < previews.size(); ++i) {
        results[i].unsaved = previews[i].unsaved;
        if (!previews[i].unreadable) continue;
        // The judge reports that it does not fit the device; the actual reason is that it cannot be read.
        results[i].verdict = Verdict::Skipped;
        results[i].reason = previews[i].obstacle.value_or("");
    }
}

}  // namespace

// ---- A run ----

class Desk::RunTask : public RequestsTask {
public:
    RunTask(Desk& desk, Preview preview, RunKey measured, bool is_live)
        : RequestsTask(desk, TaskKind::Run),
          key(std::move(measured)),
          is_live_(is_live),
          previews_(std::move(preview.contestants)),
          before_(desk.state_.shown),
          before_is_earlier_(desk.state_.shows_earlier) {
        requests_ = {std::move(*preview.request)};
        for (const auto& shown : desk.state_.documents) revisions_[shown->id()] = shown->buffer().revision();
        if (desk.state_.shown == nullptr) desk.state_.shown = partial_ = shown_run(requests_.front(), {});
    }

    const RunKey key;

    /// If it was stopped before it began, nothing of it stays on display.
    void end() override {
        if (partial_ == nullptr || desk_.state_.shown != partial_) return;
        desk_.state_.shown = before_;
        desk_.state_.shows_earlier = before_is_earlier_;
    }

    void look(std::size_t /*place*/, const Snapshot& snapshot) override {
        DeskState& state = desk_.state_;
        if (is_stopped || !is_shown) return;
        // If the user has opened another run from the history meanwhile, keep showing that one.
        if (state.shown != before_ && state.shown != partial_) return;
        // Keep showing the earlier run until this one has results.
        const bool has_results = std::ranges::any_of(
            snapshot.results, [](const auto& result) { return result.judged || !result.samples_ms.empty(); });
        if (!has_results) return;
        state.shows_earlier = false;
        state.shown = partial_ = shown_run(requests_.front(), snapshot.results);
        state.selected = std::min(state.selected, state.shown->labels.size() - 1);
    }

protected:
    void answered(const RunRequest& request, const Snapshot& snapshot) override {
        DeskState& state = desk_.state_;
        // Do not show a run that was stopped in favour of the next one, unless it finished anyway.
        if (desk_.requested_ && desk_.requested_->kind == TaskKind::Run && snapshot.stopped) {
            if (!is_shown || !state.shown || state.shown->finished) return;
            state.shown = before_;
            state.shows_earlier = before_is_earlier_;
            return;
        }
        auto shown = shown_run(request, snapshot.results);
        shown->finished = true;
        shown->stopped = snapshot.stopped;
        shown->error = snapshot.error;
        if (snapshot.error.empty()) shown->run.environment = snapshot.environment;
        shown->run.sources = sources_of(request);
        shown->run.sources.resize(shown->run.results.size());
        // A text that does not compile while the user types is no result to keep.
        const auto is_worth_keeping = [&](const KernelResult& result) {
            return result.verdict != Verdict::Skipped &&
                   !(is_live_ && result.verdict == Verdict::CompileError);
        };
        desk_.add_effects(*shown);
        if (std::ranges::any_of(snapshot.results, is_worth_keeping)) {
            shown->run.id = desk_.last_run_ = desk_.add_to_history(shown->run);
            desk_.last_key_ = shown->key;
        }
        if (!is_shown) return;
        desk_.put_marks(shown->run.results, shown->labels, revisions_);
        const std::vector<KernelResult>& results = shown->run.results;
        state.selected = results.empty() ? 0 : std::min(state.selected, results.size() - 1);
        // A kernel at fault is selected rather than one that is right, but not while somebody types.
        const auto culprit = std::ranges::find_if(
            results, [](const KernelResult& result) { return result.judged && !result.as_expected(); });
        if (!is_live_ && culprit != results.end() && results[state.selected].as_expected())
            state.selected = static_cast<std::size_t>(culprit - results.begin());
        state.shown = std::move(shown);
        state.shows_earlier = false;
    }

private:
    std::shared_ptr<ShownRun> shown_run(const RunRequest& request, std::vector<KernelResult> results) const {
        const DeviceInfo* const device = desk_.state_.device;
        auto shown = std::make_shared<ShownRun>();
        shown->run.when = start_;
        shown->run.problem = request.problem;
        shown->run.sizes = request.sizes;
        shown->run.results = std::move(results);
        add_preview_facts(shown->run.results, previews_);
        shown->run.environment.device = device != nullptr ? device->name : "";
        shown->labels = labels_of(previews_);
        shown->labels.resize(std::min(shown->labels.size(), shown->run.results.size()));
        shown->key = key;
        shown->baseline = request.baseline;
        shown->finished = false;
        return shown;
    }

    const bool is_live_;
    const std::vector<Preview::Contestant> previews_;
    const std::shared_ptr<const ShownRun> before_;  ///< stays on display until this run has results
    const bool before_is_earlier_;
    std::shared_ptr<const ShownRun> partial_;        ///< last shown
    std::map<DocumentId, std::uint64_t> revisions_;  ///< of the texts that are being run
};

std::unique_ptr<Desk::AskedTask> Desk::make_run(const RequestedTask& task) {
    const auto& only = task.only;
    RunKey key = key_;
    if (only && *only >= state_.choices.contestants.size()) return nullptr;
    Experiment choices = state_.choices;
    if (only) {
        choices.contestants = {choices.contestants[*only]};
        choices.baseline = 0;
        key.contestants = {key.contestants[*only]};
    }
    Preview preview = preview_of(choices, kernels_on_screen(), PreviewFor::Run);
    if (!preview.request) {
        notify(Notice::Kind::Warning, preview.obstacle.value_or("Nothing can run."));
        return nullptr;
    }
    preview.request->what_if = task.why;
    // A shorter time budget is a quick look.
    if (preview.request->interval_budget_ms) preview.request->answer_budget_ms = kDefaultAnswerBudgetMs;
    if (!only) {
        last_live_key_ = live_key();
        live_due_.reset();
        leave_marks();  // the run observes the texts
    }
    has_run_ = true;
    return std::make_unique<RunTask>(*this, std::move(preview), std::move(key), task.is_live);
}

const RunKey* Desk::running_key() const {
    const AskedTask* const task = asked_task();
    return task != nullptr && task->kind == TaskKind::Run ? &static_cast<const RunTask*>(task)->key : nullptr;
}

void Desk::put_marks(const std::vector<KernelResult>& results, const std::vector<std::string>& labels,
                     const std::map<DocumentId, std::uint64_t>& revisions) {
    MarksByDocument marks;
    const auto add = [&](const fs::path& file, LineMark mark) {
        if (const auto shown = document_of(file)) marks[shown->id()].push_back(std::move(mark));
    };
    for (std::size_t i = 0; i < results.size(); ++i) {
        const KernelResult& result = results[i];
        const fs::path folder = fs::path(result.file).parent_path();
        for (const Diagnostic& diagnostic : result.diagnostics) {
            const fs::path file = diagnostic.file.empty() ? fs::path(result.file) : folder / diagnostic.file;
            add(file, {kind_of(diagnostic.severity), from_zero(diagnostic.line), from_zero(diagnostic.column),
                       diagnostic.message, labels[i]});
        }
        for (const Hint& hint : result.hints)
            add(result.file, {LineMark::Kind::Hint, from_zero(hint.line), 0, hint.sentence, labels[i]});
        if (!result.xray) continue;
        add_marks(marks, result.file, result.xray->undefined, labels[i]);
        if (result.verdict == Verdict::Timeout)
            add_marks(marks, result.file, result.xray->remarks, labels[i]);
    }
    for (const auto& shown : state_.documents) {
        const auto known = revisions.find(shown->id());
        std::optional<std::uint64_t> revision;
        if (known != revisions.end()) revision = known->second;
        shown->set_marks(std::move(marks[shown->id()]), revision);
    }
}

// ---- A sweep ----

class Desk::SweepTask : public RequestsTask {
public:
    /// Sizes that do not fit are skipped and reported at the end. A larger size may fit again, because the
    /// work-group may divide it.
    SweepTask(Desk& desk, const std::vector<std::int64_t>& edges) : RequestsTask(desk, TaskKind::Sweep) {
        const OpenedKernels kernels = desk.kernels_on_screen();
        for (const std::int64_t edge : edges) {
            Experiment choices = desk.state_.choices;
            if (const Problem* problem = desk.problem_named(choices.problem))
                choices.sizes = problem->square(edge);
            Preview preview = desk.preview_of(choices, kernels, PreviewFor::Run);
            if (preview.request) {
                requests_.push_back(std::move(*preview.request));
                previews_ = std::move(preview.contestants);
            } else {
                left_out_.push_back(to_string(choices.sizes) + ": " + preview.obstacle.value_or(""));
            }
        }
        now_.problem = desk.state_.choices.problem;
        now_.when = start_;
        now_.labels = labels_of(previews_);
        now_.planned = requests_.size();
        show();
    }

    void end() override {
        now_.finished = true;
        if (now_.error.empty() && !left_out_.empty()) now_.error = "Not measured: " + join(left_out_, ". ");
        if (!now_.results.empty()) {
            PastRun past = to_past_run(now_);
            past.sources = std::move(sources_);
            now_.id = desk_.add_to_history(past);
        }
        show();
    }

protected:
    void answered(const RunRequest& request, const Snapshot& snapshot) override {
        // Discard incomplete results of a size: they are not comparable with the others.
        if (snapshot.error.empty() && !snapshot.stopped) {
            now_.sizes.push_back(request.sizes);
            std::vector<KernelResult>& results = now_.results.emplace_back(snapshot.results);
            add_preview_facts(results, previews_);
            // Sweep charts do not show error maps, and storing one for every size would fill the history.
            for (KernelResult& result : results) {
                result.error_map.reset();
                result.picture.reset();
            }
            std::ranges::move(sources_of(request), std::back_inserter(sources_));
            now_.environment = snapshot.environment;
        }
        now_.error = snapshot.error;
        if (!snapshot.error.empty()) requests_.clear();
        show();
    }

private:
    void show() {
        if (is_shown) desk_.state_.sweep = std::make_shared<ShownSweep>(now_);
    }

    std::vector<Preview::Contestant> previews_;
    std::vector<std::string> left_out_;  ///< sizes, and why
    std::vector<SourceTexts> sources_;   ///< of all results
    ShownSweep now_;
};

std::unique_ptr<Desk::AskedTask> Desk::make_sweep(const std::vector<std::int64_t>& edges) {
    bring_chart_to_front("sweep");
    return std::make_unique<SweepTask>(*this, edges);
}

// ---- Ceilings ----

class Desk::CeilingsTask : public RequestsTask {
public:
    CeilingsTask(Desk& desk, const DeviceInfo& device) : RequestsTask(desk, TaskKind::Ceilings) {
        requests_ = make_ceiling_requests(open_catalogue({}), device);
    }

protected:
    void answered(const RunRequest& request, const Snapshot& snapshot) override {
        DeskState& state = desk_.state_;
        results_.insert(results_.end(), snapshot.results.begin(), snapshot.results.end());
        if (is_stopped || snapshot.stopped || !snapshot.error.empty()) {
            if (!snapshot.error.empty()) state.ceilings_error = snapshot.error;
            return requests_.clear();
        }
        if (!requests_.empty()) return;
        Ceilings found = find_ceilings(results_);
        const auto& list = state.session->devices;
        if ((found.gflops || found.gbytes_s) && list) {
            found.when = start_;
            const auto device = std::ranges::find(list->devices, request.device, &DeviceInfo::id);
            if (device != list->devices.end()) {
                keep_ceilings(desk_.ceilings_, *device, found);
                if (!desk_.options_.ceilings_file.empty())
                    if (const auto fault = save_ceilings(desk_.options_.ceilings_file, *device, found))
                        desk_.notify(Notice::Kind::Warning, *fault);
            }
            return desk_.find_device();  // so that its ceilings are shown
        }
        state.ceilings_error = "The ceilings could not be measured.";
        for (const KernelResult& result : results_)
            if (!result.reason.empty())
                state.ceilings_error = "The ceilings could not be measured: " + result.reason;
    }

private:
    std::vector<KernelResult> results_;
};

std::unique_ptr<Desk::AskedTask> Desk::make_ceilings() {
    state_.ceilings_error.clear();
    try {
        if (state_.device == nullptr)
            throw EnvironmentError(state_.preview.obstacle.value_or("no device is chosen"));
        return std::make_unique<CeilingsTask>(*this, *state_.device);
    } catch (const std::runtime_error& error) {
        state_.ceilings_error = error.what();
        return nullptr;
    }
}

}  // namespace kwb
