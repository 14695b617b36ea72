// SPDX-License-Identifier: Apache-2.0
#include "tune/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "stats/interval.hpp"

namespace kwb {
namespace {

/// New configurations in a run. Few, so that the strategy soon learns, and little is lost if the run is
/// stopped.
constexpr std::size_t kUsualInRun = 8;
/// More, if the strategy does not learn and the run is expected to end within kLongRunMs: the baseline then
/// costs less, and CPUs wait less often for one long compilation.
constexpr std::size_t kMostInRun = 16;
constexpr double kLongRunMs = 20e3;

/// The number of configurations that run against each other at the end.
constexpr std::size_t kMostFinalists = 8;

bool is_faster(const Trial* a, const Trial* b) {
    if (a->cost_ms && b->cost_ms) return *a->cost_ms < *b->cost_ms;
    return a->cost_ms.has_value() && !b->cost_ms;
}

}  // namespace

StrategyKind usual_strategy(const TuneBudget& budget, std::size_t configurations) {
    const bool is_enough =
        !budget.time_ms && (!budget.configurations || *budget.configurations >= configurations);
    return is_enough ? StrategyKind::Exhaustive : StrategyKind::Model;
}

std::vector<const Trial*> Tuning::ranked() const {
    std::vector<const Trial*> ranked;
    for (const auto& [configuration, trial] : trials_) ranked.push_back(&trial);
    std::ranges::stable_sort(ranked, is_faster);
    return ranked;
}

const Trial* Tuning::find_best() const {
    const Trial* best = nullptr;
    for (const auto& [configuration, trial] : trials_)
        if (trial.cost_ms && (best == nullptr || is_faster(&trial, best))) best = &trial;
    return best;
}

void Tuning::recall(Trial trial) {
    ++proposed_;
    record(std::move(trial));
}

std::optional<TuneRun> Tuning::next_run(double elapsed_ms) {
    const Trial* baseline = best();
    std::optional<TuneRun> run;
    if (is_final_) {
        // The comparison may have found that what seemed the fastest is not good.
        if (in_progress_ == 0 && baseline != nullptr && baseline->is_imported) run = choose_finalists();
    } else if (baseline != nullptr || in_progress_ == 0) {  // else there is nothing to be compared with
        run.emplace();
        if (!again_.empty()) {
            run->configurations.push_back(again_.back());
            again_.pop_back();
        } else {
            propose(run->configurations, elapsed_ms);
        }
        if (run->configurations.empty()) {
            run = in_progress_ == 0 ? choose_finalists() : std::nullopt;
        } else if (baseline != nullptr) {
            run->configurations.insert(run->configurations.begin(), baseline->configuration);
            run->baseline_ms = baseline->cost_ms;
        }
    }
    if (run) ++in_progress_;
    return run;
}

/// Besides the baseline.
std::size_t Tuning::most_in_run(double elapsed_ms) const {
    std::size_t most = kUsualInRun;
    if (measured_ > 0 && !strategy_.learns()) {
        const double left_ms = budget_.time_ms ? *budget_.time_ms - elapsed_ms : kLongRunMs;
        const double longest_ms = std::min(kLongRunMs, left_ms);
        const double each_ms = wall_ms_ / static_cast<double>(measured_);
        const double in_time = each_ms > 0 ? longest_ms / each_ms : kMostInRun;
        most = static_cast<std::size_t>(std::clamp<double>(in_time, kUsualInRun, kMostInRun));
    }
    if (devices_ == 1) return most;
    if (best() == nullptr) return 1;  // the other devices wait for it
    // Less towards the end, so that all devices end at about the same time (guided self-scheduling,
    // Polychronopoulos and Kuck, 1987).
    const std::size_t all = std::min(configurations_, budget_.configurations.value_or(configurations_));
    const std::size_t left = all - std::min(all, proposed_);
    return std::clamp<std::size_t>(left / (2 * devices_), 1, most);
}

void Tuning::propose(std::vector<std::size_t>& configurations, double elapsed_ms) {
    if (budget_.time_ms && elapsed_ms >= *budget_.time_ms) return;
    const std::size_t most = most_in_run(elapsed_ms);
    while (configurations.size() < most && (!budget_.configurations || proposed_ < *budget_.configurations)) {
        const auto proposal = strategy_.next();
        if (!proposal) return;
        if (trials_.contains(*proposal)) continue;  // recalled
        configurations.push_back(*proposal);
        ++proposed_;
    }
}

std::optional<TuneRun> Tuning::choose_finalists() {
    is_final_ = true;
    left_out_ = 0;
    TuneRun run{{}, {}, true};
    const std::vector<const Trial*> fastest = ranked();
    for (const Trial* trial : fastest) {
        if (!trial->cost_ms || *trial->least_cost_ms > *fastest.front()->cost_ms) continue;
        if (run.configurations.size() < kMostFinalists)
            run.configurations.push_back(trial->configuration);
        else
            ++left_out_;
    }
    if (run.configurations.empty()) return std::nullopt;
    if (run.configurations.size() == 1 && !fastest.front()->is_imported) return std::nullopt;
    run.baseline_ms = fastest.front()->cost_ms;
    return run;
}

std::vector<const Trial*> Tuning::take(const TuneRun& run, std::vector<KernelResult> results, End end,
                                       const RunTime& time) {
    const std::vector<std::size_t>& configurations = run.configurations;
    expects(results.size() == configurations.size(),
            "a tuning takes one result for each configuration of the run");
    --in_progress_;
    wall_ms_ += time.wall_ms;
    measured_ += results.size();
    const bool was_alone =
        std::ranges::count_if(configurations, [&](std::size_t i) { return !trials_.contains(i); }) < 2;
    const auto base_ms = run.baseline_ms ? run.baseline_ms : results.front().median_ms;
    std::vector<const Trial*> taken;
    for (std::size_t i = 0; i < configurations.size(); ++i) {
        KernelResult& result = results[i];
        if (result.verdict == Verdict::Skipped && end != End::Complete) {
            if (trials_.contains(configurations[i]) || end == End::Stopped) continue;
            // With several devices it may have been the judge, so that another one tries it, too.
            const bool is_proven = was_alone && end != End::JudgeLost &&
                                   ++failures_[configurations[i]] >= std::min<std::size_t>(2, devices_);
            if (!is_proven) {
                again_.push_back(configurations[i]);
                continue;
            }
        }
        const bool misses_ratio = i != 0 && run.baseline_ms && result.median_ms && !result.speedup;
        if (misses_ratio && !was_alone && !trials_.contains(configurations[i])) {
            again_.push_back(configurations[i]);  // the baseline failed, and the clock may be another place's
            continue;
        }
        Trial trial{configurations[i], std::move(result)};
        if (is_good(trial.result.verdict)) {
            const auto& ratio = trial.result.speedup;
            const bool is_compared = i != 0 && base_ms && ratio;
            trial.cost_ms = i == 0 ? base_ms : trial.result.median_ms;
            if (is_compared) trial.cost_ms = *base_ms / ratio->value;
            if (trial.cost_ms && !(*trial.cost_ms > 0)) trial.cost_ms.reset();  // too short for the clock
            if (trial.cost_ms) trial.least_cost_ms = *trial.cost_ms / kAssumedUncertainty;
            if (is_compared && ratio->interval) trial.least_cost_ms = *base_ms / ratio->interval->high;
        }
        trial.wall_ms = time.wall_ms / static_cast<double>(configurations.size());
        trial.ended = time.ended;
        taken.push_back(record(std::move(trial)));
    }
    if (run.is_final && end == End::Complete) compare_finalists(configurations);
    if (end == End::JudgeFailed || end == End::JudgeLost) is_final_ = false;  // compare them again
    return taken;
}

const Trial* Tuning::record(Trial trial) {
    strategy_.tell(trial.configuration, trial.cost_ms);
    trial.result.speedup.reset();
    // The maps of thousands of wrong results are never viewed, but take most of the memory.
    trial.result.error_map.reset();
    trial.result.picture.reset();
    const std::size_t configuration = trial.configuration;
    const bool changes_best =
        best_ != nullptr && best_->configuration == configuration && best_->cost_ms != trial.cost_ms;
    const Trial* kept = &trials_.insert_or_assign(configuration, std::move(trial)).first->second;
    if (changes_best)
        best_ = find_best();
    else if (kept->cost_ms && (best_ == nullptr || is_faster(kept, best_)))
        best_ = kept;
    return kept;
}

void Tuning::compare_finalists(const std::vector<std::size_t>& finalists) {
    const Trial* winner = best();
    if (winner == nullptr) return;
    for (const std::size_t i : finalists) {
        Trial& trial = trials_.at(i);
        if (&trial == winner || !trial.cost_ms) continue;
        if (const auto compared = stats::compare_paired(winner->result.samples_ms, trial.result.samples_ms))
            trial.result.speedup = Speedup{trial.result.kernel, compared->ratio, compared->interval};
    }
}

NamedList<std::vector<ValueEffect>> effects_of(const std::vector<const Trial*>& trials,
                                               const ParamSpace& params) {
    NamedList<std::vector<ValueEffect>> effects;
    for (const auto& [name, values] : params) {
        auto& of_param = effects.emplace_back(Named<std::vector<ValueEffect>>{name, {}}).value;
        for (const ParamValue& value : values) {
            std::vector<double> logs;
            for (const Trial* trial : trials)
                if (const ParamValue* own = find_named(trial->result.params, name);
                    trial->cost_ms && own != nullptr && *own == value)
                    logs.push_back(std::log(*trial->cost_ms));
            if (logs.empty()) continue;
            double mean = 0;
            for (const double log : logs) mean += log / static_cast<double>(logs.size());
            double squares = 0;
            for (const double log : logs) squares += (log - mean) * (log - mean);
            ValueEffect& effect = of_param.emplace_back(ValueEffect{value, logs.size(), std::exp(mean), {}});
            if (logs.size() > 1)
                effect.spread = std::exp(std::sqrt(squares / static_cast<double>(logs.size() - 1)));
        }
    }
    return effects;
}

}  // namespace kwb
