#include "tune/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "stats/interval.hpp"

namespace kwb {
namespace {

/// Few, so that the budget and Ctrl-C are soon obeyed; many, so that the baseline costs little.
constexpr std::size_t kMostInRun = 9;

/// Those that run against each other at the end.
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

const Trial* Tuning::best() const {
    const Trial* best = nullptr;
    for (const auto& [configuration, trial] : trials_)
        if (trial.cost_ms && (best == nullptr || is_faster(&trial, best))) best = &trial;
    return best;
}

void Tuning::recall(Trial trial) {
    ++proposed_;
    record(std::move(trial));
}

const std::vector<std::size_t>& Tuning::next_run(double elapsed_ms) {
    run_.clear();
    if (is_final_) {
        // The comparison may have found that what seemed the fastest is not good.
        if (best() != nullptr && best()->is_imported) choose_finalists();
        return run_;
    }
    if (const Trial* baseline = best()) run_.push_back(baseline->configuration);
    const std::size_t begun = run_.size();
    if (!again_.empty()) {
        run_.push_back(again_.back());
        again_.pop_back();
    } else {
        propose(elapsed_ms);
    }
    if (run_.size() == begun) choose_finalists();
    return run_;
}

void Tuning::propose(double elapsed_ms) {
    if (budget_.time_ms && elapsed_ms >= *budget_.time_ms) return;
    while (run_.size() < kMostInRun && (!budget_.configurations || proposed_ < *budget_.configurations)) {
        const auto proposal = strategy_.next();
        if (!proposal) return;
        if (trials_.contains(*proposal)) continue;  // recalled
        run_.push_back(*proposal);
        ++proposed_;
    }
}

void Tuning::choose_finalists() {
    is_final_ = true;
    left_out_ = 0;
    run_.clear();
    const std::vector<const Trial*> fastest = ranked();
    for (const Trial* trial : fastest) {
        if (!trial->cost_ms || *trial->least_cost_ms > *fastest.front()->cost_ms) continue;
        if (run_.size() < kMostFinalists)
            run_.push_back(trial->configuration);
        else
            ++left_out_;
    }
    if (run_.size() == 1 && !trials_.at(run_.front()).is_imported) run_.clear();
}

std::vector<const Trial*> Tuning::take(std::vector<KernelResult> results, End end, const RunTime& time) {
    expects(results.size() == run_.size(), "a tuning takes one result for each configuration of the run");
    failures_in_a_row_ = end == End::JudgeFailed ? failures_in_a_row_ + 1 : 0;
    const bool was_alone =
        std::ranges::count_if(run_, [&](std::size_t i) { return !trials_.contains(i); }) < 2;
    const auto known = trials_.find(run_.front());
    std::vector<const Trial*> taken;
    const auto base_ms = known != trials_.end() ? known->second.cost_ms : results.front().median_ms;
    for (std::size_t i = 0; i < run_.size(); ++i) {
        KernelResult& result = results[i];
        if (result.verdict == Verdict::Skipped && end != End::Complete) {
            if (trials_.contains(run_[i]) || end == End::Stopped) continue;
            if (!was_alone) {
                again_.push_back(run_[i]);
                continue;
            }
        }
        Trial trial{run_[i], std::move(result)};
        if (is_good(trial.result.verdict)) {
            const auto& ratio = trial.result.speedup;
            const bool is_compared = i != 0 && base_ms && ratio;
            trial.cost_ms = i == 0 ? base_ms : trial.result.median_ms;
            if (is_compared) trial.cost_ms = *base_ms / ratio->value;
            if (trial.cost_ms && !(*trial.cost_ms > 0)) trial.cost_ms.reset();  // too short for the clock
            if (trial.cost_ms) trial.least_cost_ms = *trial.cost_ms / (i == 0 ? 1 : kAssumedUncertainty);
            if (is_compared && ratio->interval) trial.least_cost_ms = *base_ms / ratio->interval->high;
        }
        trial.wall_ms = time.wall_ms / static_cast<double>(run_.size());
        trial.ended = time.ended;
        taken.push_back(record(std::move(trial)));
    }
    if (is_final_) compare_finalists();
    return taken;
}

const Trial* Tuning::record(Trial trial) {
    strategy_.tell(trial.configuration, trial.cost_ms);
    trial.result.speedup.reset();
    // Of thousands of wrong results nobody looks at the maps, which take most of the memory.
    trial.result.error_map.reset();
    trial.result.picture.reset();
    const std::size_t configuration = trial.configuration;
    return &trials_.insert_or_assign(configuration, std::move(trial)).first->second;
}

void Tuning::compare_finalists() {
    const Trial* winner = best();
    if (winner == nullptr) return;
    for (const std::size_t i : run_) {
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
