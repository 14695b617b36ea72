// A tuning in a session: the requests that it consists of, and what their results mean. A face performs them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "problems/problem.hpp"
#include "session/experiment.hpp"
#include "session/session.hpp"
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

class Tuner {
public:
    /// @param experiment  with one kernel, whose parameters `space` has; `problem` must outlive the tuner
    /// @throws BadInput  the cache cannot be used, see CacheFile
    Tuner(Experiment experiment, const Problem& problem, Sizes sizes, DeviceInfo device, Space space,
          TunerOptions options);
    Tuner(const Tuner&) = delete;
    Tuner& operator=(const Tuner&) = delete;

    /// @return  nullopt: it has ended
    /// @throws Refused  none of the first configurations can be planned
    std::optional<RunRequest> next();

    /// The end of the run that next() asked for.
    /// @param is_stopped  by the user
    void take(const Snapshot& snapshot, bool is_stopped);

    /// The trials that the last run began or changed, without those that a stop cut short; valid until the
    /// next take().
    const std::vector<const Trial*>& taken() const { return taken_; }

    const Space& space() const { return space_; }
    const Tuning& tuning() const { return tuning_; }
    TunerProgress progress() const;
    /// Where the trials are kept; nullptr: nowhere.
    const CacheFile* cache() const { return cache_ ? &*cache_ : nullptr; }
    const Environment& environment() const { return environment_; }
    /// Why it ended early: the judge fails again and again. Empty if it did not.
    const std::string& error() const { return error_; }

private:
    TunedCase tuned_case() const;
    KernelResult blank_result() const;
    RunRequest request_for(const std::vector<std::size_t>& configurations, bool is_final);
    double elapsed_ms() const;

    Experiment experiment_;
    const Problem& problem_;
    Sizes sizes_;
    DeviceInfo device_;
    Space space_;
    TunerOptions options_;
    std::unique_ptr<Strategy> strategy_;
    Tuning tuning_;
    std::optional<CacheFile> cache_;
    Environment environment_;
    std::string error_;
    std::vector<const Trial*> taken_;
    std::size_t recalled_ = 0;                 ///< configurations that were known before the first run
    std::optional<Stopwatch> watch_;           ///< since the start of the first run
    Stopwatch run_watch_;                      ///< since the start of the last one
    std::vector<std::size_t> configurations_;  ///< of the last one
};

}  // namespace kwb
