// Runs one task at a time, and remembers the last one requested to start next.
#include <algorithm>

#include "base/error.hpp"
#include "desk/parts.hpp"
#include "report/labels.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

bool was_tried(const KernelResult& result) {
    return result.verdict != Verdict::Skipped;
}

LineMark::Kind kind_of(Severity severity) {
    switch (severity) {
        case Severity::Note:
            return LineMark::Kind::Note;
        case Severity::Warning:
            return LineMark::Kind::Warning;
        case Severity::Error:
            return LineMark::Kind::Error;
    }
    return LineMark::Kind::Error;
}

std::size_t from_zero(std::uint32_t number) {
    return number > 0 ? number - 1 : 0;
}

}  // namespace

void Desk::Parts::perform(const command::Run&) {
    wish({Task::Run, {}});
}

void Desk::Parts::perform(const command::Stop&) {
    wish_.reset();
    if (!active_) return;
    active_->stop_asked = true;
    active_->further.clear();
    session_.stop();
}

void Desk::Parts::perform(const command::FindDevices&) {
    if (active_ || listing_) return;  // querying drivers would disturb the measurement
    devices_error_.clear();
    listing_ = session_.list_devices();
    refresh_preview();
}

/// Request a task. The current task is stopped, but its results so far are kept.
void Desk::Parts::wish(Wish next) {
    wish_ = std::move(next);
    if (active_ && !active_->stop_asked) {
        active_->stop_asked = true;
        active_->further.clear();
        session_.stop();
    }
    begin_wish();
}

void Desk::Parts::begin_wish() {
    if (!wish_ || active_) return;
    if (listing_) {
        // The device is known, so there is no need to wait for drivers that are still starting.
        if (state.device != nullptr) session_.stop();
        return;
    }
    if (!state.session->devices && devices_error_.empty()) return;
    if (state.device == nullptr && !devices_error_.empty()) {
        // The judge could not be reached last time; try again.
        devices_error_.clear();
        listing_ = session_.list_devices();
        refresh_preview();
        return;
    }
    const Wish next = std::move(*wish_);
    wish_.reset();
    ++state.revision;
    switch (next.task) {
        case Task::Run:
            return begin_run();
        case Task::Sweep:
            return begin_sweep(next.edges);
        case Task::Ceilings:
            return begin_ceilings();
    }
}

Desk::Parts::Active::Active() = default;

void Desk::Parts::begin_run() {
    read_kernels(true);
    refresh_preview();
    if (!state.preview.request) return;
    last_key_ = live_key();
    has_run_ = true;
    active_.emplace();
    active_->task = Task::Run;
    active_->begun = std::chrono::system_clock::now();
    active_->before = state.shown;
    active_->before_is_earlier = state.shows_earlier;
    active_->previews = state.preview.contestants;
    for (const Preview::Contestant& contestant : active_->previews)
        active_->labels.push_back(contestant.label);
    for (const auto& shown : state.documents) active_->revisions[shown->id()] = shown->buffer().revision();
    submit(*state.preview.request);
    if (state.shown == nullptr) grow_run(Snapshot{});
    remember_choices();
}

/// Add what the judge does not know, because it does not see files.
void Desk::Parts::mark(std::vector<KernelResult>& results) const {
    for (std::size_t i = 0; i < results.size() && i < active_->previews.size(); ++i) {
        const Preview::Contestant& preview = active_->previews[i];
        results[i].unsaved = preview.unsaved;
        if (!preview.unreadable) continue;
        // The judge reports that it does not fit the device; the actual reason is that it cannot be read.
        results[i].verdict = Verdict::Skipped;
        results[i].reason = preview.obstacle.value_or("");
    }
}

void Desk::Parts::submit(RunRequest request) {
    active_->request = std::move(request);
    active_->command = session_.run(active_->request);
}

void Desk::Parts::take_session() {
    std::shared_ptr<const Snapshot> now = session_.snapshot();
    if (now->revision == state.session->revision) return;
    state.session = std::move(now);
    ++state.revision;
    const Snapshot& snapshot = *state.session;
    if (listing_ && snapshot.answered >= *listing_) {
        listing_.reset();
        take_devices(snapshot);
    } else if (snapshot.devices) {
        find_device();  // find the same device in the new list
        if (listing_) refresh_preview();
    }
    if (!active_) return;
    if (snapshot.answered >= active_->command)
        end_task(snapshot);
    else if (snapshot.answered + 1 == active_->command && snapshot.phase != Snapshot::Phase::Idle)
        grow_run(snapshot);
}

void Desk::Parts::take_devices(const Snapshot& snapshot) {
    devices_error_ = snapshot.error;
    if (!snapshot.error.empty()) {
        notify(Notice::Kind::Error, snapshot.error);
        if (!snapshot.devices) wish_.reset();
    }
    find_device();
    refresh_preview();
    // Finding a device does not count as a change that starts a live run, unless live was switched on
    // meanwhile.
    const bool is_awaited = last_key_.empty();
    if (!has_run_ && !is_awaited) last_key_ = live_key();
    if (is_awaited) run_if_live();
}

std::shared_ptr<ShownRun> Desk::Parts::shown_run(std::vector<KernelResult> results) const {
    auto shown = std::make_shared<ShownRun>();
    shown->run.when = active_->begun;
    shown->run.problem = active_->request.problem;
    shown->run.sizes = active_->request.sizes;
    shown->run.results = std::move(results);
    mark(shown->run.results);
    shown->run.environment.device = state.device != nullptr ? state.device->name : "";
    shown->labels = active_->labels;
    shown->labels.resize(std::min(shown->labels.size(), shown->run.results.size()));
    shown->baseline = active_->request.baseline;
    shown->finished = false;
    return shown;
}

void Desk::Parts::grow_run(const Snapshot& snapshot) {
    if (active_->task != Task::Run || active_->stop_asked) return;
    // If the user has opened another run from the history meanwhile, keep showing that one.
    if (state.shown != active_->before && state.shown != active_->grown) return;
    // Keep showing the earlier run until this one has results.
    const bool has_results = std::ranges::any_of(
        snapshot.results, [](const auto& result) { return result.judged || !result.samples_ms.empty(); });
    if (!has_results && state.shown != nullptr) return;
    state.shows_earlier = false;
    state.shown = active_->grown = shown_run(has_results ? snapshot.results : std::vector<KernelResult>{});
    if (has_results) state.selected = std::min(state.selected, state.shown->labels.size() - 1);
}

void Desk::Parts::end_task(const Snapshot& snapshot) {
    switch (active_->task) {
        case Task::Run:
            end_run(snapshot);
            break;
        case Task::Sweep:
            end_sweep_step(snapshot);
            break;
        case Task::Ceilings:
            end_ceilings_step(snapshot);
            break;
    }
    const auto& devices = state.session->devices;
    if (!active_ && !wish_ && devices && !devices->starting.empty()) perform(command::FindDevices{});
}

void Desk::Parts::end_run(const Snapshot& snapshot) {
    const bool has_results = std::any_of(snapshot.results.begin(), snapshot.results.end(), was_tried);
    // Do not show a run that was stopped in favour of the next one, unless it finished anyway.
    const bool superseded = wish_ && wish_->task == Task::Run && snapshot.stopped;
    if (!superseded) {
        auto shown = shown_run(snapshot.results);
        shown->finished = true;
        shown->stopped = snapshot.stopped;
        shown->error = snapshot.error;
        if (snapshot.error.empty()) shown->run.environment = snapshot.environment;
        shown->run.sources = sources_of(active_->request);
        shown->run.sources.resize(shown->run.results.size());
        if (has_results) keep(*shown);
        put_marks(*shown);
        state.selected =
            std::min(state.selected, shown->run.results.empty() ? 0 : shown->run.results.size() - 1);
        state.shown = std::move(shown);
        state.shows_earlier = false;
    } else if (state.shown && !state.shown->finished) {
        state.shown = active_->before;
        state.shows_earlier = active_->before_is_earlier;
    }
    active_.reset();
    ++state.revision;
    save_settings_now();
}

/// Attach errors and hints to the lines of the documents that they refer to.
void Desk::Parts::put_marks(const ShownRun& run) {
    std::map<DocumentId, std::vector<LineMark>> marks;
    const auto add = [&](const fs::path& file, LineMark mark) {
        if (const auto shown = document_of(file)) marks[shown->id()].push_back(std::move(mark));
    };
    for (std::size_t i = 0; i < run.run.results.size(); ++i) {
        const KernelResult& result = run.run.results[i];
        const fs::path folder = fs::path(result.file).parent_path();
        for (const Diagnostic& diagnostic : result.diagnostics) {
            const fs::path file = diagnostic.file.empty() ? fs::path(result.file) : folder / diagnostic.file;
            add(file, {kind_of(diagnostic.severity), from_zero(diagnostic.line), from_zero(diagnostic.column),
                       diagnostic.message, run.labels[i]});
        }
        for (const Hint& hint : result.hints)
            add(result.file, {LineMark::Kind::Hint, from_zero(hint.line), 0, hint.sentence, run.labels[i]});
    }
    for (const auto& shown : state.documents) {
        const auto revision = active_->revisions.find(shown->id());
        shown->set_marks(std::move(marks[shown->id()]), revision != active_->revisions.end()
                                                            ? std::optional(revision->second)
                                                            : std::nullopt);
        shown->refresh();
    }
}

}  // namespace kwb
