// SPDX-License-Identifier: Apache-2.0
// The history of runs and sweeps: show, compare, forget.
#include <iterator>

#include "desk/desk.hpp"
#include "report/labels.hpp"

namespace kwb {
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
    for (const KernelResult& result : results) {
        if (!result.speedup) continue;
        // The same kernel may take part twice; the baseline has no speed-up over itself.
        const auto found = std::ranges::find_if(results, [&](const KernelResult& other) {
            return other.kernel == result.speedup->to && !other.speedup;
        });
        if (found != results.end()) return static_cast<std::size_t>(found - results.begin());
    }
    return 0;
}

}  // namespace

PastRun to_past_run(const ShownSweep& sweep) {
    PastRun past;
    past.id = sweep.id;
    past.when = sweep.when;
    past.environment = sweep.environment;
    past.problem = sweep.problem;
    past.sizes = sweep.sizes.back();
    past.steps = sweep.sizes;
    for (const auto& results : sweep.results)
        past.results.insert(past.results.end(), results.begin(), results.end());
    return past;
}

std::int64_t Desk::add_to_history(const PastRun& run) {
    const std::int64_t id = history_.add(run);
    session_runs_.push_back(id);
    list_history();
    return id;
}

void Desk::list_history() {
    state_.history = history_.list(kMostListed, state_.history_filter);
    state_.history_is_kept = history_.is_kept();
    ++state_.revision;
}

bool Desk::take_history_notices() {
    const std::vector<std::string> sentences = history_.take_notices();
    for (const std::string& sentence : sentences) notify(Notice::Kind::Warning, sentence);
    return !sentences.empty();
}

Desk::RunOrSweep Desk::load_from_history(std::int64_t id) {
    if (state_.shown && state_.shown->run.id == id) return state_.shown;
    if (state_.sweep && state_.sweep->id == id) return state_.sweep;
    std::optional<PastRun> past = history_.load(id);
    const bool has_reason = take_history_notices();
    if (!past) {
        if (!has_reason) notify(Notice::Kind::Warning, "That run is no longer in the history.");
        list_history();
        return {};
    }
    if (past->is_sweep()) return sweep_of(std::move(*past));
    auto shown = std::make_shared<ShownRun>();
    shown->labels = make_labels(past->results);
    if (past->id == last_run_) shown->key = last_key_;
    shown->baseline = baseline_of(past->results);
    shown->run = std::move(*past);
    return shown;
}

void Desk::handle(const command::ShowRun& command) {
    const RunOrSweep past = load_from_history(command.id);
    if (const auto* sweep = std::get_if<std::shared_ptr<const ShownSweep>>(&past)) {
        state_.sweep = *sweep;
        return bring_chart_to_front("sweep");
    }
    const auto& shown = std::get<std::shared_ptr<const ShownRun>>(past);
    if (!shown) return;
    // Keep the same contestant selected, even if its index differs.
    const auto* before = state_.shown ? &state_.shown->labels : nullptr;
    const auto same = before != nullptr && state_.selected < before->size()
                          ? std::ranges::find(shown->labels, (*before)[state_.selected])
                          : shown->labels.end();
    state_.selected =
        same != shown->labels.end() ? static_cast<std::size_t>(same - shown->labels.begin()) : 0;
    state_.shown = shown;
    state_.shows_earlier = shown->run.id != last_run_;
    const std::string* tab = find_named(state_.settings.tabs, kChartTabs);
    if (tab != nullptr && *tab == "sweep") bring_chart_to_front("times");
}

void Desk::bring_chart_to_front(const char* tab) {
    put_named(state_.settings.tabs, kChartTabs, std::string(tab));
}

void Desk::handle(const command::CompareWith& command) {
    state_.compared.reset();
    state_.compared_sweep.reset();
    if (!command.id) return;
    RunOrSweep past = load_from_history(*command.id);
    if (auto* run = std::get_if<std::shared_ptr<const ShownRun>>(&past)) {
        state_.compared = std::move(*run);
        return;
    }
    const auto& sweep = std::get<std::shared_ptr<const ShownSweep>>(past);
    if (!state_.sweep || state_.sweep->problem != sweep->problem)
        return notify(Notice::Kind::Information,
                      "A sweep can only be compared with a sweep of the same problem; first show one of " +
                          sweep->problem + ".");
    if (state_.sweep->id == sweep->id) return;
    state_.compared_sweep = sweep;
    bring_chart_to_front("sweep");
}

void Desk::handle(const command::ForgetRun& command) {
    history_.remove(command.id);
    std::erase(session_runs_, command.id);
    take_history_notices();
    if (state_.compared && state_.compared->run.id == command.id) state_.compared.reset();
    if (state_.compared_sweep && state_.compared_sweep->id == command.id) state_.compared_sweep.reset();
    list_history();
}

void Desk::handle(const command::FilterHistory& command) {
    state_.history_filter = command.filter;
    list_history();
}

}  // namespace kwb
