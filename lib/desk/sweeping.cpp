// Tasks that consist of several requests: a sweep over sizes, and measuring a device's ceilings.
#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "desk/parts.hpp"
#include "session/ceilings.hpp"
#include "session/kernel_folders.hpp"

namespace kwb {

void Desk::Parts::perform(const command::Sweep& command) {
    wish({Task::Sweep, command.edges});
}

void Desk::Parts::perform(const command::MeasureCeilings&) {
    state.ceilings_error.clear();
    wish({Task::Ceilings, {}});
}

/// Sizes that do not fit are skipped and reported at the end. A larger size may fit again, because the
/// work-group may divide it.
void Desk::Parts::begin_sweep(const std::vector<std::int64_t>& edges) {
    read_kernels(true);
    refresh_preview();
    auto sweep = std::make_shared<ShownSweep>();
    sweep->problem = state.choices.problem;
    sweep->when = std::chrono::system_clock::now();
    const OpenedKernels kernels = kernels_as_they_stand();
    Active task;
    task.task = Task::Sweep;
    task.begun = sweep->when;
    for (const std::int64_t edge : edges) {
        Choices choices = state.choices;
        if (const Problem* problem = problem_named(choices.problem)) choices.sizes = problem->square(edge);
        Preview preview = make_preview(choices, kernels, state.device, free_memory_bytes());
        if (preview.request) {
            task.further.push_back(std::move(*preview.request));
            task.labels.clear();
            for (const Preview::Contestant& contestant : preview.contestants)
                task.labels.push_back(contestant.label);
            task.previews = std::move(preview.contestants);
        } else {
            task.left_out.push_back(to_string(choices.sizes) + ": " + preview.obstacle.value_or(""));
        }
    }
    sweep->labels = task.labels;
    sweep->planned = task.further.size();
    task.sweep = sweep;
    active_ = std::move(task);
    state.sweep = std::move(sweep);
    bring_chart_to_front("sweep");
    remember_choices();
    next_request();
}

void Desk::Parts::begin_ceilings() {
    state.ceilings_error.clear();
    try {
        if (state.device == nullptr)
            throw EnvironmentError(state.preview.obstacle.value_or("no device is chosen"));
        Active task;
        task.task = Task::Ceilings;
        task.begun = std::chrono::system_clock::now();
        task.further = make_ceiling_requests(open_catalogue({}), *state.device);
        active_ = std::move(task);
    } catch (const std::runtime_error& error) {
        state.ceilings_error = error.what();
        return;
    }
    next_request();
}

/// Submit the next request, or end the task.
void Desk::Parts::next_request() {
    ++state.revision;
    if (!active_->further.empty()) {
        RunRequest request = std::move(active_->further.front());
        active_->further.erase(active_->further.begin());
        return submit(std::move(request));
    }
    if (active_->task == Task::Sweep) end_sweep();
    const bool stopped = active_->stop_asked;
    active_.reset();
    save_settings_now();
    if (!stopped) run_if_live();  // choices may have changed meanwhile
}

void Desk::Parts::end_sweep() {
    auto sweep = std::make_shared<ShownSweep>(*active_->sweep);
    sweep->finished = true;
    if (sweep->error.empty() && !active_->left_out.empty())
        sweep->error = "Not measured: " + join(active_->left_out, "; ");
    if (!sweep->results.empty()) keep(*sweep);
    state.sweep = std::move(sweep);
}

void Desk::Parts::keep(ShownSweep& sweep) {
    PastRun past;
    past.when = sweep.when;
    past.environment = sweep.environment;
    past.problem = sweep.problem;
    past.sizes = sweep.sizes.back();
    past.steps = sweep.sizes;
    for (const auto& results : sweep.results)
        past.results.insert(past.results.end(), results.begin(), results.end());
    past.sources = active_->sources;
    sweep.id = add_to_history(past);
}

void Desk::Parts::end_sweep_step(const Snapshot& snapshot) {
    auto sweep = std::make_shared<ShownSweep>(*active_->sweep);
    // Discard incomplete results of a size: they are not comparable with the others.
    if (snapshot.error.empty() && !snapshot.stopped) {
        sweep->sizes.push_back(active_->request.sizes);
        sweep->results.push_back(snapshot.results);
        mark(sweep->results.back());
        // Sweep charts do not show error maps, and storing one for every size would fill the history.
        for (KernelResult& result : sweep->results.back()) result.error_map.reset();
        for (SourceTexts& texts : sources_of(active_->request)) active_->sources.push_back(std::move(texts));
        sweep->environment = snapshot.environment;
    }
    if (!snapshot.error.empty()) {
        sweep->error = snapshot.error;
        active_->further.clear();
    }
    active_->sweep = sweep;
    state.sweep = std::move(sweep);
    next_request();
}

void Desk::Parts::end_ceilings_step(const Snapshot& snapshot) {
    active_->results.insert(active_->results.end(), snapshot.results.begin(), snapshot.results.end());
    const bool given_up = active_->stop_asked || snapshot.stopped || !snapshot.error.empty();
    if (given_up) active_->further.clear();
    if (!snapshot.error.empty()) state.ceilings_error = snapshot.error;
    if (active_->further.empty() && !given_up) {
        const Ceilings found = find_ceilings(active_->results);
        if (found.gflops || found.gbytes_s) {
            ceilings_[active_->request.device] = found;
        } else {
            state.ceilings_error = "The ceilings could not be measured.";
            for (const KernelResult& result : active_->results)
                if (!result.reason.empty())
                    state.ceilings_error = "The ceilings could not be measured: " + result.reason;
        }
    }
    next_request();
    if (active_) return;
    find_device();  // so that its ceilings are shown
}

}  // namespace kwb
