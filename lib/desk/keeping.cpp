// Persistent state: the history of runs, settings, and recently used folders.
#include <algorithm>
#include <iterator>

#include "desk/parts.hpp"
#include "report/labels.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// The history lists at most this many runs; its filter finds the others.
constexpr std::size_t kMostListed = 1000;

constexpr const char* kChartTabs = "times";  ///< the window's name for this tab bar in the settings

std::shared_ptr<const ShownSweep> sweep_of(PastRun past) {
    auto sweep = std::make_shared<ShownSweep>();
    sweep->id = past.id;
    sweep->when = past.when;
    sweep->problem = std::move(past.problem);
    sweep->environment = std::move(past.environment);
    sweep->finished = true;
    const std::size_t contestants = past.results.size() / past.steps.size();
    auto from = std::make_move_iterator(past.results.begin());
    for (std::size_t i = 0; i < past.steps.size(); ++i, from += static_cast<std::ptrdiff_t>(contestants))
        sweep->results.emplace_back(from, from + static_cast<std::ptrdiff_t>(contestants));
    sweep->sizes = std::move(past.steps);
    sweep->labels = make_labels(sweep->results.back());
    return sweep;
}

/// Index of the contestant that speed-ups refer to.
std::size_t baseline_of(const std::vector<KernelResult>& results) {
    for (const KernelResult& result : results)
        if (result.speedup)
            for (std::size_t i = 0; i < results.size(); ++i)
                if (results[i].kernel == result.speedup->to) return i;
    return 0;
}

}  // namespace

std::vector<SourceTexts> Desk::Parts::sources_of(const RunRequest& request) {
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

void Desk::Parts::keep(ShownRun& run) {
    run.run.id = last_run_ = add_to_history(run.run);
}

std::int64_t Desk::Parts::add_to_history(const PastRun& run) {
    const std::int64_t id = history_.add(run);
    session_runs_.push_back(id);
    list_history();
    return id;
}

void Desk::Parts::list_history() {
    state.history = history_.list(kMostListed, state.history_filter);
    state.history_is_kept = history_.is_kept();
    ++state.revision;
}

void Desk::Parts::take_history_notices() {
    for (std::string& sentence : history_.take_notices()) notify(Notice::Kind::Warning, std::move(sentence));
}

Desk::Parts::Kept Desk::Parts::load_kept(std::int64_t id) {
    if (state.shown && state.shown->run.id == id) return state.shown;
    if (state.sweep && state.sweep->id == id) return state.sweep;
    std::optional<PastRun> past = history_.load(id);
    take_history_notices();
    if (!past) {
        notify(Notice::Kind::Warning, "That run is not in the history any more.");
        list_history();
        return {};
    }
    if (past->is_sweep()) return sweep_of(std::move(*past));
    auto shown = std::make_shared<ShownRun>();
    shown->labels = make_labels(past->results);
    shown->baseline = baseline_of(past->results);
    shown->run = std::move(*past);
    return shown;
}

void Desk::Parts::perform(const command::ShowRun& command) {
    const Kept kept = load_kept(command.id);
    if (const auto* sweep = std::get_if<std::shared_ptr<const ShownSweep>>(&kept)) {
        state.sweep = *sweep;
        return bring_chart_to_front("sweep");
    }
    const auto& shown = std::get<std::shared_ptr<const ShownRun>>(kept);
    if (!shown) return;
    // Keep the same contestant selected, even if its index differs.
    const auto* before = state.shown ? &state.shown->labels : nullptr;
    const auto same = before != nullptr && state.selected < before->size()
                          ? std::ranges::find(shown->labels, (*before)[state.selected])
                          : shown->labels.end();
    state.selected = same != shown->labels.end() ? static_cast<std::size_t>(same - shown->labels.begin()) : 0;
    state.shown = shown;
    state.shows_earlier = shown->run.id != last_run_;
    const std::string* tab = find_named(state.settings.tabs, kChartTabs);
    if (tab != nullptr && *tab == "sweep") bring_chart_to_front("times");
}

void Desk::Parts::bring_chart_to_front(const char* tab) {
    for (auto& bar : state.settings.tabs)
        if (bar.name == kChartTabs) {
            bar.value = tab;
            return;
        }
    state.settings.tabs.push_back({kChartTabs, tab});
}

void Desk::Parts::perform(const command::CompareWith& command) {
    state.compared.reset();
    state.compared_sweep.reset();
    if (!command.id) return;
    Kept kept = load_kept(*command.id);
    if (auto* run = std::get_if<std::shared_ptr<const ShownRun>>(&kept)) {
        state.compared = std::move(*run);
        return;
    }
    const auto& sweep = std::get<std::shared_ptr<const ShownSweep>>(kept);
    if (!state.sweep || state.sweep->problem != sweep->problem)
        return notify(Notice::Kind::Information,
                      "A sweep can only be compared with a sweep of the same problem; first show one of " +
                          sweep->problem + " first.");
    if (state.sweep->id == sweep->id) return;
    state.compared_sweep = sweep;
    bring_chart_to_front("sweep");
}

void Desk::Parts::perform(const command::ForgetRun& command) {
    history_.remove(command.id);
    std::erase(session_runs_, command.id);
    take_history_notices();
    if (state.compared && state.compared->run.id == command.id) state.compared.reset();
    if (state.compared_sweep && state.compared_sweep->id == command.id) state.compared_sweep.reset();
    list_history();
}

void Desk::Parts::perform(const command::FilterHistory& command) {
    state.history_filter = command.filter;
    list_history();
}

void Desk::Parts::list_dialog(const fs::path& folder, bool shows_hidden) {
    const FolderListing before = std::move(*state.dialog);
    FolderListing listing = list_folder(folder, before.purpose, shows_hidden, before.extensions);
    listing.name = before.name;
    const auto add = [&](const fs::path& place) {
        if (!place.empty() &&
            std::find(listing.places.begin(), listing.places.end(), place) == listing.places.end())
            listing.places.push_back(place);
    };
    if (before.purpose == FolderListing::Purpose::OpenKernels) {
        for (const fs::path& place : options_.kernel_folders) add(absolute(place));
        add(shipped_);
    }
    for (const std::string& file : state.settings.recent_files) add(fs::path(file).parent_path());
    if (listing.error.empty()) state.settings.last_folder = listing.folder.string();
    state.dialog = std::move(listing);
}

void Desk::Parts::perform(const command::OpenDialog& command) {
    state.dialog.emplace();
    state.dialog->purpose = command.purpose;
    state.dialog->name = command.name;
    state.dialog->extensions = command.extensions;
    list_dialog(state.settings.last_folder, false);
    if (!state.dialog->error.empty()) list_dialog("", false);
}

void Desk::Parts::perform(const command::GoToFolder& command) {
    if (state.dialog) list_dialog(command.folder, command.shows_hidden);
}

void Desk::Parts::perform(const command::CloseDialog&) {
    state.dialog.reset();
}

void Desk::Parts::perform(const command::ChangeSettings& command) {
    state.settings = command.settings;
    save_settings_now();
}

void Desk::Parts::save_settings_now() {
    remember_choices();
    if (options_.settings_file.empty() || saved_settings_ == state.settings) return;
    saved_settings_ = state.settings;
    if (const auto fault = save_settings(state.settings, options_.settings_file))
        notify(Notice::Kind::Warning, *fault);
}

}  // namespace kwb
