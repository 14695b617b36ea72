// SPDX-License-Identifier: Apache-2.0
// The course of a tuning: the configurations that run against each other next, and the knowledge of each.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/result.hpp"
#include "tune/strategy.hpp"

namespace kwb {

/// The limits after which no more configurations are started; nullopt: no limit.
struct TuneBudget {
    std::optional<std::size_t> configurations = {};
    std::optional<double> time_ms = {};
};

/// The default strategy: exhaustive, or a model if the budget may end before all configurations are tried.
StrategyKind usual_strategy(const TuneBudget& budget, std::size_t configurations);

/// The factor by which a configuration without an interval may be faster than measured.
inline constexpr double kAssumedUncertainty = 1.1;

/// A configuration that was tried.
struct Trial {
    std::size_t configuration = 0;  ///< index in the space
    KernelResult result;            ///< of its last run; `speedup` is over the winner, and set at the end
    /// Its time by the clock of the first run: a product of ratios within rounds, so that drift from one run
    /// to the next does not count. nullopt: it is not good, or could not be timed.
    std::optional<double> cost_ms = {};
    /// The least that it may be, by the interval of its ratio to the baseline of its run.
    std::optional<double> least_cost_ms = {};
    double wall_ms = 0;        ///< its share of the time that its last run took, with all checks
    std::string ended = {};    ///< when that was, see RunTime
    bool is_imported = false;  ///< another program measured the time, and nothing was checked here
};

/// When a run ended, and how long it took.
struct RunTime {
    std::string ended;  ///< "2026-11-25 09:20:00+00:00"
    double wall_ms = 0;
};

/// Configurations that are to run against each other.
struct TuneRun {
    std::vector<std::size_t> configurations;  ///< the first is the baseline
    std::optional<double> baseline_ms;        ///< its Trial::cost_ms; nullopt: this run measures it
    bool is_final = false;                    ///< the comparison of the fastest at the end
};

/// Runs few configurations at a time, each time with the best so far, so that ratios to it are paired. At the
/// end the fastest ones run against each other once more, which decides. Several runs may be in progress, on
/// devices of one kind: as only ratios within a run count, one device may be slower than another.
class Tuning {
public:
    /// @param strategy        must outlive it
    /// @param configurations  of the space
    /// @param devices         on which runs may be in progress at the same time
    Tuning(Strategy& strategy, const TuneBudget& budget, std::size_t configurations, std::size_t devices = 1)
        : strategy_(strategy), budget_(budget), configurations_(configurations), devices_(devices) {}

    /// Counts a configuration as tried, as an earlier tuning left it. Call before the first next_run().
    void recall(Trial trial);

    /// @param elapsed_ms  since the start
    /// @return  nullopt: there is nothing more to run, or not before a run in progress has ended
    std::optional<TuneRun> next_run(double elapsed_ms);

    /// True once the comparison of the fastest has started.
    bool is_final() const { return is_final_; }

    /// The number of configurations that might be as fast as the best, but for which that comparison had no
    /// room.
    std::size_t left_out() const { return left_out_; }

    /// How a run ended. Configurations that a stopped run skipped count as untried. Those skipped because the
    /// judge failed are retried one by one, and then (with several devices: after two failures) have the
    /// verdict `skipped`. Those skipped because the judge is lost for good are tried elsewhere.
    enum class End { Complete, Stopped, JudgeFailed, JudgeLost };

    /// @param results  of the run's configurations, in their order
    /// @return  the trials that this run began or changed
    std::vector<const Trial*> take(const TuneRun& run, std::vector<KernelResult> results, End end,
                                   const RunTime& time = {});

    /// All that were tried: good ones by their time, then those without a time, in the order of the space.
    std::vector<const Trial*> ranked() const;
    std::size_t tried() const { return trials_.size(); }
    /// @return  nullptr: no configuration is good
    const Trial* best() const { return best_; }

private:
    std::size_t most_in_run(double elapsed_ms) const;
    void propose(std::vector<std::size_t>& configurations, double elapsed_ms);
    std::optional<TuneRun> choose_finalists();
    const Trial* record(Trial trial);
    const Trial* find_best() const;
    void compare_finalists(const std::vector<std::size_t>& finalists);

    Strategy& strategy_;
    TuneBudget budget_;
    std::size_t configurations_;
    std::size_t devices_;
    std::map<std::size_t, Trial> trials_;          ///< by configuration
    const Trial* best_ = nullptr;                  ///< of them
    std::vector<std::size_t> again_;               ///< to be tried one by one
    std::map<std::size_t, std::size_t> failures_;  ///< of the judge, with this configuration alone
    std::size_t in_progress_ = 0;                  ///< runs
    std::size_t measured_ = 0;                     ///< configurations of all runs that have ended
    double wall_ms_ = 0;                           ///< of these runs
    std::size_t proposed_ = 0;
    std::size_t left_out_ = 0;
    bool is_final_ = false;
};

/// The measured configurations in which a parameter has a certain value.
struct ValueEffect {
    ParamValue value;
    std::size_t configurations = 0;  ///< at least one
    double mean_ms = 0;              ///< geometric mean of their times
    std::optional<double> spread;  ///< exp(standard deviation of the logarithms), at least 1; of at least two
};

/// For each parameter its values, in the order of the space, as far as they occur in measured configurations.
NamedList<std::vector<ValueEffect>> effects_of(const std::vector<const Trial*>& trials,
                                               const ParamSpace& params);

}  // namespace kwb
