// SPDX-License-Identifier: Apache-2.0
// Runs one task at a time, and remembers the last one requested to start next: a run, a sweep over sizes, a
// tuning (desk_tune.cpp), or measuring a device's ceilings.
#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/catalogue.hpp"
#include "catalog/kernel_folders.hpp"
#include "desk/desk.hpp"
#include "report/labels.hpp"
#include "task/ceilings.hpp"
#include "task/slurm_allocation.hpp"

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

}  // namespace

// ---- Start and stop ----

void Desk::handle(const command::Run& command) {
    request_task({TaskKind::Run, {}, command.only});
}

void Desk::handle(const command::Sweep& command) {
    request_task({TaskKind::Sweep, command.edges});
}

void Desk::handle(const command::MeasureCeilings&) {
    state_.ceilings_error.clear();
    request_task({TaskKind::Ceilings, {}});
}

void Desk::handle(const command::Stop&) {
    live_due_.reset();
    requested_.reset();
    leave_check();
    is_check_wanted_ = false;
    state_.course.asked.reset();
    stop_task();
}

void Desk::handle(const command::FindDevices&) {
    if (running_ || listing_) return;  // querying drivers would disturb the measurement
    list_devices();
    refresh_preview();
}

Session* Desk::session_at(const std::string& place) {
    if (const auto known = sessions_.find(place); known != sessions_.end()) return known->second.get();
    try {
        const JudgePlace found = find_place(place, state_.places, options_.settings_file.string());
        if (is_allocation(found))
            throw BadInput(
                place +
                " is an allocation, which only kwb in the terminal can use; give the window one place, "
                "as in \"srun -p gpu --gres=gpu:1 kwb-judge\"");
        return (sessions_[place] = std::make_unique<Session>(found, wake_)).get();
    } catch (const BadInput& error) {
        notify(Notice::Kind::Warning, error.what());
        return nullptr;
    }
}

void Desk::handle(const command::UsePlace& command) {
    if (running_ || command.name == state_.place) return;
    Session* const session = session_at(command.name);
    if (session == nullptr) return;
    remember_choices();
    leave_check();
    leave_observing();
    if (listing_) session_->stop();
    listing_.reset();
    requested_.reset();
    devices_error_.clear();
    session_ = session;
    state_.place = command.name;
    state_.session = session_->snapshot();
    state_.choices.device =
        command.name.empty() && command.device.empty() ? state_.settings.device : command.device;
    find_device();
    if (state_.device == nullptr) list_devices();
    take_news_from_elsewhere();
    refresh_preview();
}

void Desk::handle(const command::ListPlaces&) {
    if (running_) return;
    for (const auto& [name, command] : state_.places) {
        if (name == state_.place || command.starts_with(kSlurmScheme)) continue;
        Session* const session = session_at(name);
        if (session == nullptr) continue;
        const auto known = session->snapshot();
        if (!known->devices && known->phase == Snapshot::Phase::Idle) session->list_devices();
    }
    take_news_from_elsewhere();
}

void Desk::take_news_from_elsewhere() {
    state_.elsewhere.erase(state_.place);
    for (const auto& [name, session] : sessions_) {
        if (name == state_.place) continue;
        std::shared_ptr<const Snapshot>& known = state_.elsewhere[name];
        std::shared_ptr<const Snapshot> now = session->snapshot();
        if (known && known->revision == now->revision) continue;
        known = std::move(now);
        ++state_.revision;
    }
}

void Desk::list_devices() {
    leave_check();
    leave_observing();
    devices_error_.clear();
    listing_ = session_->list_devices();
}

void Desk::stop_task() {
    if (!running_) return;
    running_->stop_asked = true;
    running_->further.clear();
    session_->stop();
}

void Desk::request_task(RequestedTask next) {
    requested_ = std::move(next);
    leave_check();
    leave_observing();
    if (running_ && !running_->stop_asked) stop_task();
    start_requested_task();
}

void Desk::start_requested_task() {
    if (!requested_ || running_) return;
    if (listing_) {
        // The device is known, so there is no need to wait for drivers that are still starting.
        if (state_.device != nullptr) session_->stop();
        return;
    }
    if (!state_.session->devices && devices_error_.empty()) return;
    // If the judge could not be reached last time, try again.
    if (state_.device == nullptr && !devices_error_.empty()) return handle(command::FindDevices{});
    const RequestedTask next = *std::exchange(requested_, std::nullopt);
    ++state_.revision;
    if (next.kind == TaskKind::Ceilings) return start_ceilings();
    read_kernels(true);
    refresh_preview();
    if (next.kind == TaskKind::Run) return start_run(next);
    if (next.kind == TaskKind::Tune) return start_tuning(next.tune);
    start_sweep(next.edges);
}

void Desk::start_run(const RequestedTask& task) {
    const auto& only = task.only;
    RunKey key = key_;
    if (only && *only >= state_.choices.contestants.size()) return;
    Choices choices = state_.choices;
    if (only) {
        choices.contestants = {choices.contestants[*only]};
        choices.baseline = 0;
        key.contestants = {key.contestants[*only]};
    }
    Preview preview = preview_of(choices, kernels_on_screen(), PreviewFor::Run);
    if (!preview.request) return notify(Notice::Kind::Warning, preview.obstacle.value_or("Nothing can run."));
    if (!only) {
        last_live_key_ = live_key();
        live_due_.reset();
        leave_squiggles();  // the run observes the texts
    }
    has_run_ = true;
    running_.emplace(TaskKind::Run);
    running_->is_live = task.is_live;
    running_->before = state_.shown;
    running_->before_is_earlier = state_.shows_earlier;
    running_->previews = std::move(preview.contestants);
    running_->key = std::move(key);
    for (const auto& shown : state_.documents) running_->revisions[shown->id()] = shown->buffer().revision();
    running_->further = {std::move(*preview.request)};
    submit_next();
    if (state_.shown == nullptr) show_partial_run(Snapshot{});
    remember_choices();
}

/// Sizes that do not fit are skipped and reported at the end. A larger size may fit again, because the
/// work-group may divide it.
void Desk::start_sweep(const std::vector<std::int64_t>& edges) {
    RunningTask task(TaskKind::Sweep);
    const OpenedKernels kernels = kernels_on_screen();
    for (const std::int64_t edge : edges) {
        Choices choices = state_.choices;
        if (const Problem* problem = problem_named(choices.problem)) choices.sizes = problem->square(edge);
        Preview preview = preview_of(choices, kernels, PreviewFor::Run);
        if (preview.request) {
            task.further.push_back(std::move(*preview.request));
            task.previews = std::move(preview.contestants);
        } else {
            task.left_out.push_back(to_string(choices.sizes) + ": " + preview.obstacle.value_or(""));
        }
    }
    auto sweep = std::make_shared<ShownSweep>();
    sweep->problem = state_.choices.problem;
    sweep->when = task.start;
    sweep->labels = labels_of(task.previews);
    sweep->planned = task.further.size();
    state_.sweep = task.sweep = std::move(sweep);
    running_ = std::move(task);
    bring_chart_to_front("sweep");
    remember_choices();
    submit_next();
}

void Desk::start_ceilings() {
    state_.ceilings_error.clear();
    try {
        if (state_.device == nullptr)
            throw EnvironmentError(state_.preview.obstacle.value_or("no device is chosen"));
        running_.emplace(TaskKind::Ceilings);
        running_->further = make_ceiling_requests(open_catalogue({}), *state_.device);
    } catch (const std::runtime_error& error) {
        state_.ceilings_error = error.what();
        return running_.reset();
    }
    submit_next();
}

void Desk::submit_next() {
    ++state_.revision;
    if (!running_->further.empty()) {
        running_->request = std::move(running_->further.front());
        running_->further.erase(running_->further.begin());
        running_->command = session_->run(running_->request);
        return;
    }
    if (running_->kind == TaskKind::Sweep) end_sweep();
    if (running_->kind == TaskKind::Tune) end_tuning();
    // Changes during a run have stopped it, but others wait for the end of a sweep.
    const bool may_run = running_->kind != TaskKind::Run && !running_->stop_asked;
    running_.reset();
    save_settings_now();
    if (may_run) run_if_live();
}

// ---- News from the session ----

void Desk::take_session_news() {
    std::shared_ptr<const Snapshot> now = session_->snapshot();
    if (now->revision == state_.session->revision) return;
    state_.session = std::move(now);
    ++state_.revision;
    const Snapshot& snapshot = *state_.session;
    if (listing_ && snapshot.answered >= *listing_) {
        listing_.reset();
        take_devices(snapshot);
    } else if (snapshot.devices) {
        find_device();  // find the same device in the new list
        if (listing_) refresh_preview();
    }
    take_xray(snapshot);
    take_check(snapshot);
    if (!running_) return;
    if (snapshot.answered >= running_->command)
        end_request(snapshot);
    else if (snapshot.answered + 1 == running_->command && snapshot.phase != Snapshot::Phase::Idle)
        show_partial_run(snapshot);
}

void Desk::take_devices(const Snapshot& snapshot) {
    devices_error_ = snapshot.error;
    if (!snapshot.error.empty()) {
        notify(Notice::Kind::Error, snapshot.error);
        if (!snapshot.devices) requested_.reset();
    }
    find_device();
    refresh_preview();
    // Finding a device does not count as a change that starts a live run, unless live was switched on
    // meanwhile.
    if (last_live_key_.empty())
        run_if_live();
    else if (!has_run_)
        last_live_key_ = live_key();
}

void Desk::end_request(const Snapshot& snapshot) {
    switch (running_->kind) {
        case TaskKind::Run:
            end_run(snapshot);
            break;
        case TaskKind::Sweep:
            end_sweep_step(snapshot);
            break;
        case TaskKind::Tune:
            end_tune_step(snapshot);
            break;
        case TaskKind::Ceilings:
            end_ceilings_step(snapshot);
            break;
    }
    submit_next();
    const auto& devices = state_.session->devices;
    if (!requested_ && devices && !devices->starting.empty()) handle(command::FindDevices{});
}

/// Add facts that the judge lacks, because it does not see files.
void Desk::add_preview_facts(std::vector<KernelResult>& results) const {
    for (std::size_t i = 0; i < results.size() && i < running_->previews.size(); ++i) {
        const Preview::Contestant& preview = running_->previews[i];
        results[i].unsaved = preview.unsaved;
        if (!preview.unreadable) continue;
        // The judge reports that it does not fit the device; the actual reason is that it cannot be read.
        results[i].verdict = Verdict::Skipped;
        results[i].reason = preview.obstacle.value_or("");
    }
}

// ---- A run ----

std::shared_ptr<ShownRun> Desk::shown_run(std::vector<KernelResult> results) const {
    auto shown = std::make_shared<ShownRun>();
    shown->run.when = running_->start;
    shown->run.problem = running_->request.problem;
    shown->run.sizes = running_->request.sizes;
    shown->run.results = std::move(results);
    add_preview_facts(shown->run.results);
    shown->run.environment.device = state_.device != nullptr ? state_.device->name : "";
    shown->labels = labels_of(running_->previews);
    shown->labels.resize(std::min(shown->labels.size(), shown->run.results.size()));
    shown->key = running_->key;
    shown->baseline = running_->request.baseline;
    shown->finished = false;
    return shown;
}

void Desk::show_partial_run(const Snapshot& snapshot) {
    if (running_->kind != TaskKind::Run || running_->stop_asked || !running_->is_shown) return;
    // If the user has opened another run from the history meanwhile, keep showing that one.
    if (state_.shown != running_->before && state_.shown != running_->partial) return;
    // Keep showing the earlier run until this one has results.
    const bool has_results = std::ranges::any_of(
        snapshot.results, [](const auto& result) { return result.judged || !result.samples_ms.empty(); });
    if (!has_results && state_.shown != nullptr) return;
    state_.shows_earlier = false;
    state_.shown = running_->partial =
        shown_run(has_results ? snapshot.results : std::vector<KernelResult>{});
    if (has_results) state_.selected = std::min(state_.selected, state_.shown->labels.size() - 1);
}

void Desk::end_run(const Snapshot& snapshot) {
    // Do not show a run that was stopped in favour of the next one, unless it finished anyway.
    if (requested_ && requested_->kind == TaskKind::Run && snapshot.stopped) {
        if (!running_->is_shown || !state_.shown || state_.shown->finished) return;
        state_.shown = running_->before;
        state_.shows_earlier = running_->before_is_earlier;
        return;
    }
    auto shown = shown_run(snapshot.results);
    shown->finished = true;
    shown->stopped = snapshot.stopped;
    shown->error = snapshot.error;
    if (snapshot.error.empty()) shown->run.environment = snapshot.environment;
    shown->run.sources = sources_of(running_->request);
    shown->run.sources.resize(shown->run.results.size());
    // A text that does not compile while the user types is no result to keep.
    const auto is_worth_keeping = [&](const KernelResult& result) {
        return result.verdict != Verdict::Skipped &&
               !(running_->is_live && result.verdict == Verdict::CompileError);
    };
    if (std::ranges::any_of(snapshot.results, is_worth_keeping)) {
        shown->run.id = last_run_ = add_to_history(shown->run);
        last_key_ = shown->key;
    }
    if (!running_->is_shown) return;
    put_marks(shown->run.results, shown->labels, running_->revisions);
    state_.selected =
        shown->run.results.empty() ? 0 : std::min(state_.selected, shown->run.results.size() - 1);
    state_.shown = std::move(shown);
    state_.shows_earlier = false;
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
        if (result.xray) add_marks(marks, result.file, result.xray->undefined, labels[i]);
    }
    for (const auto& shown : state_.documents) {
        const auto known = revisions.find(shown->id());
        std::optional<std::uint64_t> revision;
        if (known != revisions.end()) revision = known->second;
        shown->set_marks(std::move(marks[shown->id()]), revision);
    }
}

// ---- A sweep ----

void Desk::end_sweep_step(const Snapshot& snapshot) {
    auto sweep = std::make_shared<ShownSweep>(*running_->sweep);
    // Discard incomplete results of a size: they are not comparable with the others.
    if (snapshot.error.empty() && !snapshot.stopped) {
        sweep->sizes.push_back(running_->request.sizes);
        std::vector<KernelResult>& results = sweep->results.emplace_back(snapshot.results);
        add_preview_facts(results);
        // Sweep charts do not show error maps, and storing one for every size would fill the history.
        for (KernelResult& result : results) {
            result.error_map.reset();
            result.picture.reset();
        }
        std::ranges::move(sources_of(running_->request), std::back_inserter(running_->sources));
        sweep->environment = snapshot.environment;
    }
    if (!snapshot.error.empty()) {
        sweep->error = snapshot.error;
        running_->further.clear();
    }
    running_->sweep = std::move(sweep);
    if (running_->is_shown) state_.sweep = running_->sweep;
}

void Desk::end_sweep() {
    auto sweep = std::make_shared<ShownSweep>(*running_->sweep);
    sweep->finished = true;
    if (sweep->error.empty() && !running_->left_out.empty())
        sweep->error = "Not measured: " + join(running_->left_out, "; ");
    if (!sweep->results.empty()) {
        PastRun past = to_past_run(*sweep);
        past.sources = std::move(running_->sources);
        sweep->id = add_to_history(past);
    }
    if (running_->is_shown) state_.sweep = std::move(sweep);
}

// ---- Ceilings ----

void Desk::end_ceilings_step(const Snapshot& snapshot) {
    running_->results.insert(running_->results.end(), snapshot.results.begin(), snapshot.results.end());
    if (running_->stop_asked || snapshot.stopped || !snapshot.error.empty()) {
        if (!snapshot.error.empty()) state_.ceilings_error = snapshot.error;
        return running_->further.clear();
    }
    if (!running_->further.empty()) return;
    Ceilings found = find_ceilings(running_->results);
    const auto& list = state_.session->devices;
    if ((found.gflops || found.gbytes_s) && list) {
        found.when = running_->start;
        const auto device = std::ranges::find(list->devices, running_->request.device, &DeviceInfo::id);
        if (device != list->devices.end()) {
            keep_ceilings(ceilings_, *device, found);
            if (!options_.ceilings_file.empty())
                if (const auto fault = save_ceilings(options_.ceilings_file, *device, found))
                    notify(Notice::Kind::Warning, *fault);
        }
        return find_device();  // so that its ceilings are shown
    }
    state_.ceilings_error = "The ceilings could not be measured.";
    for (const KernelResult& result : running_->results)
        if (!result.reason.empty())
            state_.ceilings_error = "The ceilings could not be measured: " + result.reason;
}

}  // namespace kwb
