// SPDX-License-Identifier: Apache-2.0
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

/// Unexplained CPU time above both limits means forged times; the share is relative to the usable time.
/// Measured (PoCL 3.1, 2 cores, N = 16): 0.6 ms per run in an unoptimised build, for messages, preparation
/// and reading back.
constexpr double kMostUnexplainedCpuMs = 3;
constexpr double kMostUnexplainedCpuShare = 0.5;

/// A launch may take this much longer by the judge's clock than it reports. Measured for single launches
/// (PoCL 3.1, 2 cores, N = 16 … 512): 0.1 to 0.2 ms; with twelve busy processes up to 5 ms of 58 ms, and 9 ms
/// of 1 s.
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

/// Time of a launch by the judge's clock; 0 if it is not known.
double launch_wall_ms(const TimedRun& run) {
    return run.may_include_compilation ? 0 : std::max(0.0, run.wall_ms - untimed_ms(run.untimed_bytes));
}

/// Time of a launch beyond the run that it reports: the overhead, if the report is honest.
double hidden_ms(const TimedRun& run) {
    return std::max(0.0, launch_wall_ms(run) - run.run_ms);
}

double least_ms(const TimedRun& run) {
    return std::max(0.0, launch_wall_ms(run) - kMostHiddenMs) / (1 + kMostHiddenShare);
}

/// No run took longer than its request, whatever it reports.
double sum_runs_ms(const TurnTimes& turn) {
    double sum_ms = 0;
    for (const TimedRun& run : turn.runs) sum_ms += std::min(run.run_ms, run.wall_ms);
    return sum_ms;
}

/// Mean CPU time of a run beyond what `threads` can use within its device time. Unlike wall-clock time,
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

}  // namespace

std::optional<TurnReading> read_turn(const std::vector<TimedRun>& runs, bool may_be_forged) {
    expects(!runs.empty(), "read_turn: no runs");
    double reported_ms = 0;
    double wall_ms = 0;
    std::vector<double> usable_ms, requests_ms;
    for (const TimedRun& run : runs) {
        reported_ms += run.run_ms;
        wall_ms += run.wall_ms;
        requests_ms.push_back(run.wall_ms);
        if (run.run_ms <= run.wall_ms * kFastestClock) usable_ms.push_back(run.run_ms);
    }
    const bool is_impossible = 2 * usable_ms.size() <= runs.size();
    if (is_impossible && may_be_forged) return std::nullopt;
    if (is_impossible || !has_device_time(stats::median(usable_ms)))
        return TurnReading{stats::median(requests_ms), std::nullopt, true};
    TurnReading reading{stats::median(usable_ms), std::nullopt};
    if (reported_ms > wall_ms * kClockTolerance)
        reading.disagreement = ClockDisagreement{reported_ms, wall_ms};
    if (!may_be_forged) return reading;
    std::vector<double> bounds_ms;
    for (const TimedRun& run : runs) bounds_ms.push_back(least_ms(run));
    reading.sample_ms = std::max(reading.sample_ms, stats::median(bounds_ms));
    return reading;
}

std::optional<std::string> find_unbelievable(const std::vector<TurnTimes>& turns, std::uint64_t threads) {
    const auto most = static_cast<double>(std::max<std::uint64_t>(1, threads));
    std::vector<double> unexplained;
    for (const TurnTimes& turn : turns)
        if (turn.cpu_ms) unexplained.push_back(unexplained_cpu_ms(turn, most));
    if (unexplained.empty()) return std::nullopt;
    const double excess_ms = stats::median(unexplained);
    const double reported = reported_ms(turns);
    const double usable_ms = reported * most;
    if (excess_ms <= std::max(kMostUnexplainedCpuMs, kMostUnexplainedCpuShare * usable_ms))
        return std::nullopt;
    return fmt::format(
        "its times are not credible: a run reports {:.3g} ms, in which {:.0f} threads can use {:.3g} ms of "
        "CPU time, but it used {:.3g} ms. The kernel has probably changed the memory of the process that ran "
        "it",
        reported, most, usable_ms, usable_ms + excess_ms);
}

std::optional<std::string> find_too_short(double median_ms, const Cost& cost, const RunRequest& request) {
    const auto exceeds = [&](double work, std::optional<double> most) {
        return most && work > *most * median_ms * 1e6;
    };
    const auto sentence = [&](double work, double most, const char* unit) {
        return fmt::format(
            "its time of {:.3g} ms would mean {:.0f} {}; on this device, more than {:.0f} is not credible, "
            "because the fastest kernels just reached a quarter of that",
            median_ms, work / (median_ms * 1e6), unit, most);
    };
    if (exceeds(cost.bytes, request.most_gbytes_s))
        return sentence(cost.bytes, *request.most_gbytes_s, "GB/s");
    if (exceeds(cost.flops, request.most_gflops))
        return sentence(cost.flops, *request.most_gflops, "GFLOP/s");
    return std::nullopt;
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
