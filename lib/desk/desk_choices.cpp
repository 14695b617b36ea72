// SPDX-License-Identifier: Apache-2.0
// The user's choices, and the preview of what they would run.
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/kernel_folders.hpp"
#include "desk/desk.hpp"
#include "experiment/default_sizes.hpp"
#include "experiment/opened_experiment.hpp"
#include "model/device_fit.hpp"
#include "problems/problem.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr double kLeastBudgetMs = 10, kLeastTimeoutMs = 100;
constexpr double kMostBudgetMs = 3'600'000;

/// A lesson begins with this many kernels of a series, that of matmul with these: its file 00 comes later in
/// the lesson.
constexpr std::size_t kFirstKernels = 2;
constexpr const char* kFirstLesson[kFirstKernels] = {"matmul/naive", "matmul/tiled"};

}  // namespace

void keep_contestants(Experiment& choices, const std::function<bool(std::size_t)>& stays) {
    std::vector<Experiment::Contestant> kept;
    std::size_t baseline = 0;
    for (std::size_t i = 0; i < choices.contestants.size(); ++i) {
        if (!stays(i)) continue;
        if (i == choices.baseline) baseline = kept.size();
        kept.push_back(choices.contestants[i]);
    }
    choices.contestants = std::move(kept);
    choices.baseline = baseline;
}

void choose_param(Experiment::Contestant& contestant, const ParamPreview& param, const std::string& value) {
    std::erase_if(contestant.params, [&](const auto& one) { return one.name == param.name; });
    if (value != param.values.front()) contestant.params.push_back({param.name, value});
}

void Desk::restore_choices() {
    try {
        state_.places = read_places(options_.settings_file);
    } catch (const BadInput& error) {
        notify(Notice::Kind::Warning, std::string(error.what()) + "; the window knows no other places");
    }
    if (!options_.window_file.empty()) {
        LoadedSettings loaded = load_settings(options_.window_file);
        state_.settings = std::move(loaded.settings);
        if (loaded.notice) notify(Notice::Kind::Warning, *loaded.notice);
    }
    const Settings& settings = state_.settings;
    Experiment choices = settings.experiment;
    drop_missing(choices, [&](std::size_t i) {
        notify(Notice::Kind::Warning, settings.experiment.contestants[i].kernel +
                                          ", chosen last time, no longer exists; it was left out");
    });
    choices.live = settings.live;
    if (problem_named(choices.problem) == nullptr)
        notify(Notice::Kind::Warning, "the problem '" + choices.problem +
                                          "', chosen last time, no longer exists; matmul is used instead");
    repair(choices);
    state_.choices = std::move(choices);
}

void Desk::drop_missing(Experiment& choices, const std::function<void(std::size_t)>& gone) {
    if (choices.contestants.empty()) {
        add_first_kernels(choices);
        choices.baseline = 0;
    }
    keep_contestants(choices, [&](std::size_t i) {
        const std::string& kernel = choices.contestants[i].kernel;
        if (kernel.empty() || i >= kMostContestants) return false;  // window.toml was edited
        const KernelEntry* const known = find_entry(kernel);
        const fs::path file = known != nullptr ? known->path : fs::path(kernel);
        std::error_code missing;
        const bool is_there = kernel == kHostBlasName ||
                              ((known != nullptr || file.is_absolute()) && fs::exists(file, missing));
        if (is_there)
            add_entry(kernel);
        else
            gone(i);
        return is_there;
    });
}

void Desk::remember_choices() {
    // The window starts on this machine, so only one of its devices is kept.
    const std::string device =
        state_.place.empty() ? state_.choices.device : state_.settings.experiment.device;
    state_.settings.experiment = before_lesson_ ? *before_lesson_ : state_.choices;
    state_.settings.experiment.device = device;
    state_.settings.live = state_.choices.live;
}

void Desk::repair(Experiment& choices) {
    const Problem* problem = problem_named(choices.problem);
    if (problem == nullptr) problem = &get_problem("matmul");
    choices.problem = problem->name();
    if (names_of(choices.sizes) != problem->size_names())
        choices.sizes = default_sizes_ = default_sizes_on(*problem, state_.device);
    for (auto& size : choices.sizes) size.value = std::max<std::int64_t>(1, size.value);
    std::erase_if(choices.own, [&](const auto& own) {
        return std::ranges::find(choices.contestants, own.name, &Experiment::Contestant::kernel) ==
               choices.contestants.end();
    });
    for (auto* edge : {&choices.sweep_from, &choices.sweep_to})
        if (*edge) *edge = std::clamp<std::int64_t>(**edge, 1, kMostSweepEdge);
    std::erase_if(choices.sweep_edges, [](std::int64_t edge) { return edge < 1 || edge > kMostSweepEdge; });
    std::ranges::sort(choices.sweep_edges);
    choices.sweep_edges.erase(std::unique(choices.sweep_edges.begin(), choices.sweep_edges.end()),
                              choices.sweep_edges.end());
    if (choices.sweep_edges.size() > kMostSweepSizes) choices.sweep_edges.resize(kMostSweepSizes);
    choices.time_budget_ms = std::clamp(choices.time_budget_ms, kLeastBudgetMs, kMostBudgetMs);
    choices.timeout_ms = std::clamp(choices.timeout_ms, kLeastTimeoutMs, kMostBudgetMs);
    if (choices.baseline >= choices.contestants.size()) choices.baseline = 0;
}

void Desk::add_first_kernels(Experiment& choices) {
    const auto solves = [&](const Experiment::Contestant& contestant) {
        const KernelEntry* entry = find_entry(contestant.kernel);
        return entry == nullptr || entry->problem == choices.problem;
    };
    if (std::ranges::any_of(choices.contestants, solves)) return;
    std::vector<std::string> first;
    for (const char* kernel : kFirstLesson)
        if (choices.problem == "matmul" && find_entry(kernel) != nullptr) first.push_back(kernel);
    for (const KernelEntry& entry : state_.kernels)
        if (first.size() < kFirstKernels && entry.problem == choices.problem && entry.error.empty() &&
            std::ranges::find(first, entry.name) == first.end())
            first.push_back(entry.name);
    for (auto name = first.rbegin(); name != first.rend() && choices.contestants.size() < kMostContestants;
         ++name) {
        choices.contestants.insert(choices.contestants.begin(), {*name, {}, ""});
        ++choices.baseline;
    }
}

void Desk::forget_shown() {
    if (AskedTask* const task = asked_task()) task->is_shown = false;
    state_.shown.reset();
    state_.shows_earlier = false;
    state_.selected = 0;
    state_.compared.reset();
    state_.sweep.reset();
    state_.compared_sweep.reset();
    for (const auto& document : state_.documents) document->set_marks({}, std::nullopt);
}

void Desk::set_choices(Experiment choices) {
    if (choices.problem != state_.choices.problem) {
        // Drop the contestants that solve another problem.
        const auto stays = [&](std::size_t i) {
            const KernelEntry* entry = find_entry(choices.contestants[i].kernel);
            return entry == nullptr || entry->may_solve(choices.problem);
        };
        const bool baseline_stays = choices.baseline < choices.contestants.size() && stays(choices.baseline);
        keep_contestants(choices, stays);
        add_first_kernels(choices);
        if (!baseline_stays) choices.baseline = 0;
        forget_shown();
        // The edges of a matrix are not sensible lengths of a vector.
        choices.sweep_from.reset();
        choices.sweep_to.reset();
        choices.sweep_edges.clear();
    }
    if (choices.sweep_from != state_.choices.sweep_from || choices.sweep_to != state_.choices.sweep_to)
        choices.sweep_edges.clear();
    repair(choices);
    state_.choices = std::move(choices);
    for (Experiment::Contestant& contestant : state_.choices.contestants) {
        if (find_entry(contestant.kernel) == nullptr)
            contestant.kernel = absolute(contestant.kernel).string();
        add_entry(contestant.kernel);
        open_document_of(contestant.kernel);
    }
    read_kernels(false);
    // Close documents that were only opened for a contestant that is no longer chosen.
    for (const DocumentId id : std::set<DocumentId>(opened_by_choice_)) {
        const auto shown = document(id);
        if (shown && !shown->is_modified() && !is_contestants(*shown, kernels_)) remove_document(id);
    }
    find_device();
    refresh_preview();
    run_if_live();
}

void Desk::handle(const command::Edit& command) {
    Experiment choices = state_.choices;
    command.change(choices);
    if (choices == state_.choices) return;
    if (choices.live && !state_.choices.live && !has_run_) last_live_key_.reset();
    const bool is_same_problem = choices.problem == state_.choices.problem;
    const std::vector<Experiment::Contestant> before = state_.choices.contestants;
    set_choices(std::move(choices));
    if (!is_same_problem) return;  // its first kernels were added
    const std::vector<Experiment::Contestant>& now = state_.choices.contestants;
    if (now.size() != before.size() + 1 || now.back().kernel == kHostBlasName) return;
    if (std::ranges::find(before, now.back().kernel, &Experiment::Contestant::kernel) != before.end()) return;
    if (const auto shown = document_of(path_of(now.back().kernel))) state_.front = shown->id();
}

void Desk::find_device() {
    state_.device = nullptr;
    state_.ceilings.reset();
    const auto& list = state_.session->devices;
    if (!list || list->devices.empty()) return;
    std::string& wanted = state_.choices.device;
    const auto found = std::ranges::find(list->devices, wanted, &DeviceInfo::id);
    if (found != list->devices.end()) {
        state_.device = &*found;
    } else {
        state_.device = &choose_device(*list, std::nullopt);
        // The chosen device may belong to a driver that is still starting.
        if (!wanted.empty() && list->starting.empty()) {
            notify(Notice::Kind::Warning,
                   "the device " + wanted + " was not found; " + state_.device->name + " is used instead");
            wanted.clear();
        }
    }
    const Problem* const problem = problem_named(state_.choices.problem);
    if (problem != nullptr && state_.choices.sizes == default_sizes_)
        state_.choices.sizes = default_sizes_ = default_sizes_on(*problem, state_.device);
    session_->expect_runs(state_.device->id);
    check_on_device();
    if (const Ceilings* known = known_ceilings(ceilings_, *state_.device)) state_.ceilings = *known;
}

Preview Desk::preview_of(const Experiment& choices, const OpenedKernels& kernels, PreviewFor purpose) const {
    static const DeviceList kNone;
    const auto& devices = state_.session->devices;
    return make_preview(choices, kernels, state_.device, devices ? *devices : kNone, purpose);
}

void Desk::refresh_preview() {
    const OpenedKernels kernels = kernels_on_screen();
    take_edited_problems(kernels);
    state_.preview = preview_of(state_.choices, kernels);
    const Problem* const problem = problem_named(state_.choices.problem);
    state_.size_cause =
        problem != nullptr && state_.device != nullptr && state_.choices.sizes == default_sizes_
            ? describe_default_sizes(*problem, default_sizes_, *state_.device)
            : "";
    add_local_arrays();
    key_ = run_key(kernels);
    // Here the reason for the missing device is known more precisely.
    if (state_.device == nullptr && state_.preview.obstacle && !state_.choices.contestants.empty()) {
        if (listing_)
            state_.preview.obstacle =
                state_.place.empty() ? "Still looking for devices." : "Waiting for " + state_.place + ".";
        else if (!devices_error_.empty())
            state_.preview.obstacle = devices_error_;
    }
    state_.unsaved.clear();
    for (const auto& shown : state_.documents) shown->set_reading_marks(reading_marks(*shown));
    for (const auto& shown : state_.documents)
        if (shown->is_modified() && is_contestants(*shown, kernels)) state_.unsaved.push_back(shown->id());
    ++state_.revision;
}

namespace {

/// Those that the function declares, and its __local arguments.
std::vector<LocalArray> local_arrays_of(SourceKernel function, const LaunchPlan& launch) {
    std::vector<LocalArray> arrays = std::move(function.local_arrays);
    for (const auto& [name, elements] : launch.local_mem) {
        const auto parameter = std::ranges::find(function.parameters, name, &KernelParameter::name);
        if (parameter == function.parameters.end()) continue;
        if (const auto type = parse_element_type(parameter->element_type()))
            arrays.push_back({name, {elements}, multiply_bytes(elements, type->bytes())});
    }
    return arrays;
}

}  // namespace

void Desk::add_local_arrays() {
    if (!state_.preview.request) return;
    for (std::size_t i = 0; i < state_.preview.contestants.size(); ++i) {
        const auto& plan = state_.preview.request->contestants[i].kernel;
        Preview::Contestant& shown = state_.preview.contestants[i];
        if (!plan || shown.launch.global.empty()) continue;
        const SourceText text = source_text_of(*plan);
        const Reading known = recall_source(text);
        if (known.program) {
            if (!known.program->faults.empty() || depends_on_compiler(text)) continue;
            for (SourceKernel& function : kernel_functions_of(*known.program))
                if (function.name == plan->launches.front().kernel)
                    shown.launch.local_arrays = local_arrays_of(std::move(function), plan->launches.front());
        } else if (known.failure.empty() && !shown.unsaved) {  // not while the user types
            std::string key = plan->source_sha256;
            for (const auto& [name, value] : plan->defines) key += " " + name + "=" + value;
            reader_.ask(key, text);
        }
    }
}

std::vector<LineMark> Desk::reading_marks(const Document& document) const {
    std::vector<LineMark> marks;
    for (const Preview::Contestant& shown : state_.preview.contestants)
        if (shown.place && shown.obstacle && absolute(shown.place->file) == document.path())
            marks.push_back({LineMark::Kind::Error, shown.place->line - 1, shown.place->column - 1,
                             *shown.obstacle, shown.label});
    return marks;
}

RunKey Desk::run_key(const OpenedKernels& kernels) const {
    const Experiment& c = state_.choices;
    RunKey key{{state_.place, state_.device != nullptr ? state_.device->id : "", c.problem, c.sizes}, {}};
    for (const Experiment::Contestant& contestant : c.contestants) {
        const OpenedKernel* opened = find_named(kernels, contestant.kernel);
        key.contestants.push_back({contestant, opened != nullptr ? opened->fingerprint : ""});
        key.contestants.back().chosen.pinned = false;
    }
    return key;
}

Desk::LiveKey Desk::live_key() const {
    const Experiment& c = state_.choices;
    return {key_, c.seed, c.baseline, c.time_budget_ms, c.timeout_ms, c.unreadable_pages, c.xray};
}

void Desk::handle(const command::SelectContestant& command) {
    const auto found = std::ranges::find(state_.result_of, std::optional(command.index));
    const auto contestant = static_cast<std::size_t>(found - state_.result_of.begin());
    if (found != state_.result_of.end()) return handle(command::SelectKernel{contestant, command.compares});
    if (command.compares) return;
    state_.selected = command.index;
    if (state_.shown == nullptr || command.index >= state_.shown->run.results.size()) return;
    if (const auto source = document_of(state_.shown->run.results[command.index].file))
        handle(command::BringToFront{source->id()});
}

void Desk::handle(const command::SelectKernel& command) {
    if (command.contestant >= state_.choices.contestants.size()) return;
    if (!command.compares) return select(command.contestant);
    const bool ends = command.contestant == state_.kernel || state_.other == command.contestant;
    state_.other = ends ? std::nullopt : std::optional(command.contestant);
}

void Desk::select(std::size_t contestant) {
    state_.kernel = contestant;
    if (state_.other == contestant) state_.other.reset();
    select_its_result();
    const std::string& kernel = state_.choices.contestants[contestant].kernel;
    if (const auto source = kernel == kHostBlasName ? nullptr : document_of(path_of(kernel)))
        handle(command::BringToFront{source->id()});
    selected_front_ = state_.front;
}

void Desk::select_its_result() {
    if (state_.kernel < state_.result_of.size() && state_.result_of[state_.kernel])
        state_.selected = *state_.result_of[state_.kernel];
}

void Desk::relate_selection() {
    const std::vector<Experiment::Contestant>& all = state_.choices.contestants;
    if (selected_of_ != all) {
        const auto follow = [&](std::size_t index) -> std::optional<std::size_t> {
            if (index >= selected_of_.size()) return std::nullopt;
            const Experiment::Contestant& was = selected_of_[index];
            if (index < all.size() && all[index] == was) return index;
            auto found = std::ranges::find(all, was);
            if (found == all.end() && index < all.size() && all[index].kernel == was.kernel) return index;
            if (found == all.end())
                found = std::ranges::find(all, was.kernel, &Experiment::Contestant::kernel);
            if (found == all.end()) return std::nullopt;
            return static_cast<std::size_t>(found - all.begin());
        };
        if (state_.other) state_.other = follow(*state_.other);
        state_.kernel =
            follow(state_.kernel).value_or(all.empty() ? 0 : std::min(state_.kernel, all.size() - 1));
        if (state_.other == state_.kernel) state_.other.reset();
        selected_of_ = all;
        select_its_result();
    }
    if (std::exchange(selected_front_, state_.front) != state_.front && state_.front) {
        const Document* const front = state_.find_document(*state_.front);
        const auto is_its = [&](const Experiment::Contestant& one) {
            return front != nullptr && one.kernel != kHostBlasName &&
                   absolute(path_of(one.kernel)) == front->path();
        };
        // A kernel may take part several times; one of them may be selected already.
        if (state_.kernel < all.size() && !is_its(all[state_.kernel]))
            if (const auto found = std::ranges::find_if(all, is_its); found != all.end()) {
                state_.kernel = static_cast<std::size_t>(found - all.begin());
                if (state_.other == state_.kernel) state_.other.reset();
                select_its_result();
            }
    }
    if (std::exchange(selected_in_, state_.shown) == state_.shown) return;
    // The run may have selected a result at fault.
    const auto contestant = std::ranges::find(state_.result_of, std::optional(state_.selected));
    if (contestant == state_.result_of.end() || !state_.shown->run.results[state_.selected].judged ||
        state_.shown->run.results[state_.selected].as_expected())
        return select_its_result();
    state_.kernel = static_cast<std::size_t>(contestant - state_.result_of.begin());
    if (state_.other == state_.kernel) state_.other.reset();
}

void Desk::relate_results() {
    const ShownRun* shown = state_.shown.get();
    const RunKey* const running = running_key();
    state_.runs_as_chosen = running != nullptr && *running == key_;
    const bool is_related = shown != nullptr && shown->key;
    const bool same_setting = is_related && shown->key->setting == key_.setting;
    std::vector<std::optional<std::size_t>> result_of(key_.contestants.size());
    std::vector<bool> is_current(is_related ? shown->key->contestants.size() : 0);
    for (std::size_t i = 0; same_setting && i < result_of.size(); ++i) {
        // The same kernel may take part twice.
        const auto& keys = shown->key->contestants;
        for (std::size_t k = 0; k < keys.size() && !result_of[i]; ++k)
            if (!is_current[k] && keys[k] == key_.contestants[i]) {
                is_current[k] = true;
                if (k < shown->run.results.size()) result_of[i] = k;
            }
    }
    state_.is_outdated = is_related && (!same_setting || !std::ranges::all_of(is_current, std::identity()));
    state_.result_of = std::move(result_of);
    relate_selection();
    relate_checks();
    relate_xrays();
    relate_steps();
    relate_reasons();
    relate_tunings();
}

void Desk::run_if_live() {
    live_due_.reset();
    if (!state_.choices.live || state_.preview.obstacle) return;
    const AskedTask* const task = asked_task();
    if ((task != nullptr && task->kind != TaskKind::Run) || (requested_ && requested_->kind != TaskKind::Run))
        return;
    if (live_key() != last_live_key_) request_task({.kind = TaskKind::Run, .is_live = true});
}

}  // namespace kwb
