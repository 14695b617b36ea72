#include "judge/timing/plausible_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "stats/interval.hpp"

namespace kwb {
namespace {

/// The device's clock and the judge's may differ by this factor.
constexpr double kClockTolerance = 1.05;
/// No working device clock deviates more: a run beyond this factor has no usable time.
constexpr double kFastestClock = 1.5;

/// Fills, copies and reads are faster than this on every known device.
constexpr double kSlowestBytesPerMs = 1e6;

/// Unexplained processor time above both limits means forged times; the share is relative to the usable time.
/// Measured (PoCL 3.1, 2 cores, naive and tiled, N = 16 … 512, with about ten other busy processes): at most
/// 0.006 ms per run, and none for N ≥ 64.
constexpr double kMostUnexplainedCpuMs = 0.5;
constexpr double kMostUnexplainedCpuShare = 0.5;

/// Time that every launch of a kernel takes by the judge's clock beyond what it reports.
constexpr double kMostHiddenMs = 0.5;
constexpr double kMostHiddenShare = 0.25;

/// The mean by the wall clock justifies only a warning, not a verdict. Time of a run beyond its device time,
/// measured for N = 16 … 512: on an idle machine 0.03 to 8 ms; with twelve busy processes on two cores 0.1 ms
/// at N = 16, 8 ms at N = 128 (reported: 1.2 ms) and 51 ms at N = 256 (reported: 146 ms).
constexpr double kSlowTurnMs = 20;
constexpr double kSlowTurnShare = 2;

double untimed_ms(std::uint64_t bytes) {
    return static_cast<double>(bytes) / kSlowestBytesPerMs;
}

/// Time of a request beyond the run that it reports: the launch overhead, if the report is honest.
double hidden_ms(const TimedRun& run) {
    return std::max(0.0, run.wall_ms - run.run_ms - untimed_ms(run.untimed_bytes));
}

double sum_runs_ms(const TurnTimes& turn) {
    double sum_ms = 0;
    for (const TimedRun& run : turn.runs) sum_ms += run.run_ms;
    return sum_ms;
}

/// Mean processor time of a run beyond what `threads` can use within its device time. Unlike wall-clock time,
/// it does not increase when other programs run.
double unexplained_cpu_ms(const TurnTimes& turn, double threads) {
    const double explained_ms =
        sum_runs_ms(turn) * kClockTolerance * threads + untimed_ms(turn.untimed_bytes);
    return std::max(0.0, *turn.cpu_ms - explained_ms) / static_cast<double>(turn.runs.size());
}

double reported_ms(const std::vector<TurnTimes>& turns) {
    std::vector<double> reported;
    for (const TurnTimes& turn : turns)
        reported.push_back(sum_runs_ms(turn) / static_cast<double>(turn.runs.size()));
    return stats::median(reported);
}

std::optional<std::string> find_unexplained_cpu(const std::vector<TurnTimes>& turns, double threads) {
    std::vector<double> unexplained;
    for (const TurnTimes& turn : turns)
        if (turn.cpu_ms) unexplained.push_back(unexplained_cpu_ms(turn, threads));
    if (unexplained.empty()) return std::nullopt;
    const double excess_ms = stats::median(unexplained);
    const double reported = reported_ms(turns);
    const double usable_ms = reported * threads;
    if (excess_ms <= std::max(kMostUnexplainedCpuMs, kMostUnexplainedCpuShare * usable_ms))
        return std::nullopt;
    return fmt::format(
        "its times are not credible: a run reports {:.3g} ms, in which {:.0f} threads can use {:.3g} ms of "
        "processor time, but it used {:.3g} ms; the kernel has probably changed the memory of the process "
        "that ran it",
        reported, threads, usable_ms, usable_ms + excess_ms);
}

/// The fastest launch counts: a busy machine delays some launches, but hardly all of them.
std::optional<std::string> find_hidden_time(const std::vector<TurnTimes>& turns) {
    const TimedRun* fastest = nullptr;
    for (const TurnTimes& turn : turns)
        for (const TimedRun& run : turn.runs)
            if (turn.cpu_ms && (fastest == nullptr || hidden_ms(run) < hidden_ms(*fastest))) fastest = &run;
    if (fastest == nullptr) return std::nullopt;
    const double reported = reported_ms(turns);
    if (hidden_ms(*fastest) <= kMostHiddenMs + kMostHiddenShare * reported) return std::nullopt;
    return fmt::format(
        "its times are not credible: a run reports {:.3g} ms, but by the judge's clock no run took less "
        "than {:.3g} ms; the kernel has probably changed the memory of the process that ran it",
        reported, hidden_ms(*fastest) + fastest->run_ms);
}

}  // namespace

std::optional<TurnReading> read_turn(const std::vector<TimedRun>& runs, std::size_t recorded) {
    expects(recorded >= 1 && recorded <= runs.size(), "read_turn: recorded runs");
    double reported_ms = 0;
    double wall_ms = 0;
    std::vector<double> usable_ms, requests_ms;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        reported_ms += runs[i].run_ms;
        wall_ms += runs[i].wall_ms;
        if (i + recorded < runs.size()) continue;
        requests_ms.push_back(runs[i].wall_ms);
        if (runs[i].run_ms <= runs[i].wall_ms * kFastestClock) usable_ms.push_back(runs[i].run_ms);
    }
    if (2 * usable_ms.size() <= recorded) return std::nullopt;
    if (!has_device_time(stats::median(usable_ms)))
        return TurnReading{stats::median(requests_ms), wall_ms, std::nullopt, true};
    TurnReading reading{stats::median(usable_ms), std::min(reported_ms, wall_ms), std::nullopt};
    if (reported_ms > wall_ms * kClockTolerance)
        reading.disagreement = ClockDisagreement{reported_ms, wall_ms};
    return reading;
}

std::optional<std::string> find_unbelievable(const std::vector<TurnTimes>& turns, std::uint64_t threads) {
    if (auto found = find_unexplained_cpu(turns, static_cast<double>(std::max<std::uint64_t>(1, threads))))
        return found;
    return find_hidden_time(turns);
}

std::optional<SlowTurns> find_slow_turns(const std::vector<TurnTimes>& turns) {
    if (turns.empty()) return std::nullopt;
    std::vector<double> unexplained;
    for (const TurnTimes& turn : turns) {
        double hidden = 0;
        for (const TimedRun& run : turn.runs) hidden += hidden_ms(run);
        unexplained.push_back(hidden / static_cast<double>(turn.runs.size()));
    }
    const double beyond_ms = stats::median(unexplained);
    const double reported = reported_ms(turns);
    if (beyond_ms <= std::max(kSlowTurnMs, kSlowTurnShare * reported)) return std::nullopt;
    return SlowTurns{reported, reported + beyond_ms};
}

}  // namespace kwb
