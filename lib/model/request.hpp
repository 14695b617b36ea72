// What a face asks of a judge, and what it hears while it waits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/declared_instance.hpp"
#include "model/device_info.hpp"
#include "model/plan.hpp"
#include "model/result.hpp"

namespace kwb {

/// The name under which the host's own BLAS takes part.
inline constexpr const char* kHostBlasName = "cpu:blas";

/// KernelResult::device of what runs in the judge itself.
inline constexpr const char* kHostDevice = "host";

/// One of those compared in a run: a kernel, or the host's library.
struct Contestant {
    std::optional<KernelPlan> kernel;  ///< none: cpu:blas

    std::string name() const { return kernel ? kernel->name : kHostBlasName; }
};

struct RunRequest {
    static constexpr const char* kType = "run";
    enum class Mode {
        Run,   ///< verify, then time
        Check  ///< verify only
    };
    Mode mode = Mode::Run;
    std::string device;  ///< DeviceInfo::id
    std::string problem;
    Sizes sizes;
    /// A problem of a person's own at these sizes; null: `problem` is one that the judge knows.
    std::shared_ptr<const DeclaredInstance> declared = nullptr;
    std::uint64_t seed = 1;
    std::vector<Contestant> contestants;   ///< at least one
    std::size_t baseline = 0;              ///< index of the contestant that speed-ups refer to
    std::optional<std::uint32_t> rounds;   ///< exactly so many; none: until sure, or the budget ends
    std::optional<double> time_budget_ms;  ///< a kernel; none with `rounds`: no budget
    /// A kernel that can do the rounds of an interval within this time goes on beyond `time_budget_ms` until
    /// it has one. None: the budget beats every minimum.
    std::optional<double> interval_budget_ms = {};
    double timeout_ms = 30000;      ///< of each stage: a build, a launch
    bool unreadable_pages = false;  ///< check with buffers against unreadable pages too; Check always does
    bool keep_outputs = false;      ///< send what each contestant wrote, too
};

template <>
inline constexpr auto kEnumNames<RunRequest::Mode> = std::to_array<std::string_view>({"run", "check"});

/// What is known of a contestant before it was built: names, sizes, launches. Verdict `skipped`, no reason.
KernelResult unmeasured_result(const RunRequest& request, const Contestant& contestant);

/// Default time budget of one kernel (DESIGN: one second), and what its first interval may take.
inline constexpr double kDefaultTimeBudgetMs = 1000;
inline constexpr double kDefaultIntervalBudgetMs = 20'000;

/// A timed turn that came to its end.
struct TimedTurn {
    std::uint32_t contestant = 0;  ///< index in RunRequest::contestants
    double sample_ms = 0;          ///< the contestant's sample of its newest round; finite, not negative
};

/// A verdict in a run under way: what failed, or needs no more checks. The run's results hold it once more,
/// complete.
struct SettledResult {
    std::uint32_t contestant = 0;  ///< index in RunRequest::contestants
    KernelResult result;           ///< without error map and speed-up
};

/// Where a run is. Sent at each step and between turns, at most some ten times a second.
struct Progress {
    static constexpr const char* kType = "progress";
    std::string stage;         ///< "build", "check (exact)", "check (real)", "time"
    std::string kernel;        ///< the contestant at work
    std::uint32_t rounds = 0;  ///< finished
    std::uint32_t runs = 0;    ///< timed runs of this kernel so far
    std::optional<double> median_ms;
    std::optional<Interval> ci95_ms;
    std::vector<TimedTurn> turns = {};  ///< since the message before, in order
    double elapsed_ms = 0;  ///< since `kernel` was set to work in this stage; told anew every second
    std::optional<double> limit_ms = {};  ///< after which it is given up; none: nothing bounds it
    /// Contestants whose verdict came to be known since the message before.
    std::vector<SettledResult> settled = {};
};

}  // namespace kwb
