// SPDX-License-Identifier: Apache-2.0
// A tuning: its requests, and the meaning of their results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiment/opened_experiment.hpp"
#include "problems/problem.hpp"
#include "task/task.hpp"
#include "tune/cache_file.hpp"
#include "tune/space.hpp"
#include "tune/tuning.hpp"

namespace kwb {

struct TunerOptions {
    std::optional<StrategyKind> strategy = {};  ///< nullopt: usual_strategy()
    TuneBudget budget = {};
    std::optional<std::filesystem::path> cache = {};  ///< what each run finds is kept here
    bool resume = false;                              ///< continue from what `cache` holds
    std::string option_words = {};  ///< options of the command line that decide what runs; kept in `cache`
    std::vector<std::int64_t> cached_size = {};  ///< the problem's size in `cache`; empty: all its sizes
    std::vector<Trial> known = {};               ///< what an earlier tuning found in the same space
};

/// How far a tuning is.
struct TunerProgress {
    std::size_t tried = 0;
    std::size_t planned = 0;
    bool is_final = false;               ///< the fastest run against each other once more
    std::optional<double> left_ms = {};  ///< an estimate
};

/// Devices of one kind may share the work, each at a separate place, which is its index in `devices`.
class Tuner : public Task {
public:
    /// @param experiment  with one kernel, whose parameters `space` has; `problem` must outlive the tuner
    /// @param devices     at least one; all with the same limits
    /// @throws BadInput  the cache cannot be used, see CacheFile
    Tuner(OpenedExperiment experiment, const Problem& problem, Sizes sizes, std::vector<DeviceInfo> devices,
          Space space, TunerOptions options);

    /// @param place  at which nothing runs
    /// @return nullopt: no work is left for it, or none until a run at another place has ended
    /// @throws Refused  none of the first configurations can be planned
    std::optional<Request> next(std::size_t place) override;
    void take(std::size_t place, const Snapshot& snapshot) override;

    /// The trials that the last run began or changed, without those that a stop cut short; valid until the
    /// next take().
    const std::vector<const Trial*>& taken() const { return taken_; }

    const Space& space() const { return space_; }
    const Tuning& tuning() const { return tuning_; }
    TunerProgress progress_now() const;
    std::string progress() const override;
    /// The file of the trials; nullptr: none.
    const CacheFile* cache() const { return cache_ ? &*cache_ : nullptr; }
    const Environment& environment(std::size_t place = 0) const { return places_[place].environment; }
    /// Why the tuning ended early: the judge failed repeatedly at every place. Empty if it did not.
    std::string error() const;
    /// Why this place is no longer used. Empty: it is.
    const std::string& error_at(std::size_t place) const { return places_[place].error; }

private:
    struct Place {
        DeviceInfo device;
        Environment environment = {};
        std::optional<TuneRun> run = {};  ///< in progress
        Stopwatch watch = {};             ///< since its start
        std::size_t failures_in_a_row = 0;
        std::string error = {};  ///< not empty: given up
    };

    TunedCase tuned_case() const;
    KernelResult blank_result() const;
    RunRequest request_for(const TuneRun& run, const DeviceInfo& device);
    Tuning::End end_of_run(Place& place, const Snapshot& snapshot) const;
    double elapsed_ms() const;

    OpenedExperiment experiment_;
    const Problem& problem_;
    Sizes sizes_;
    std::vector<Place> places_;
    Space space_;
    TunerOptions options_;
    std::unique_ptr<Strategy> strategy_;
    Tuning tuning_;
    std::optional<CacheFile> cache_;
    std::vector<const Trial*> taken_;
    std::size_t recalled_ = 0;        ///< configurations that were known before the first run
    std::optional<Stopwatch> watch_;  ///< since the start of the first run
};

}  // namespace kwb
