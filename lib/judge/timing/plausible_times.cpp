#include "judge/timing/plausible_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// The wall clock justifies only a warning, not a verdict. Time of a run beyond its device time, measured for
/// N = 16 … 512: on an idle machine 0.03 to 8 ms; with twelve busy processes on two cores 0.1 ms at N = 16, 8
/// ms at N = 128 (reported: 1.2 ms) and 51 ms at N = 256 (reported: 146 ms).
constexpr double kSlowTurnMs = 20;
constexpr double kSlowTurnShare = 2;

double per_run(double ms, const TurnTimes& turn) {
    return std::max(0.0, ms) / std::max<std::uint32_t>(1, turn.runs);
}

double untimed_ms(const TurnTimes& turn) {
    return static_cast<double>(turn.untimed_bytes) / kSlowestBytesPerMs;
}

/// Average time of a run beyond its device time: the launch overhead, if the report is honest.
double unexplained_ms(const TurnTimes& turn) {
    return per_run(turn.wall_ms - turn.runs_ms - untimed_ms(turn), turn);
}

/// Average processor time of a run beyond what `threads` can use within its device time. Unlike wall-clock
/// time, it does not increase when other programs run.
double unexplained_cpu_ms(const TurnTimes& turn, double threads) {
    return per_run(*turn.cpu_ms - turn.runs_ms * kClockTolerance * threads - untimed_ms(turn), turn);
}

double reported_ms(const std::vector<TurnTimes>& turns) {
    std::vector<double> reported;
    for (const TurnTimes& turn : turns) reported.push_back(per_run(turn.runs_ms, turn));
    return stats::median(reported);
}

}  // namespace

std::optional<TurnReading> read_turn(const ExecutedReply& reply, double wall_ms, std::size_t launches) {
    if (reply.samples_ms.empty() || reply.launch_ms.size() != launches) return std::nullopt;
    double samples_ms = 0;
    std::vector<double> usable_ms;
    for (const double sample_ms : reply.samples_ms) {
        samples_ms += sample_ms;
        if (sample_ms <= wall_ms * kFastestClock) usable_ms.push_back(sample_ms);
    }
    // The samples are a subset of the runs.
    if (reply.samples_ms.size() > reply.runs || samples_ms > reply.all_runs_ms * kClockTolerance)
        return std::nullopt;
    if (2 * usable_ms.size() <= reply.samples_ms.size()) return std::nullopt;
    TurnReading reading{stats::median(usable_ms), std::min(reply.all_runs_ms, wall_ms), std::nullopt};
    // All runs happened within the request.
    if (reply.all_runs_ms > wall_ms * kClockTolerance)
        reading.disagreement = ClockDisagreement{reply.all_runs_ms, wall_ms};
    return reading;
}

std::optional<std::string> find_unbelievable(const std::vector<TurnTimes>& turns, std::uint64_t threads) {
    threads = std::max<std::uint64_t>(1, threads);
    std::vector<double> unexplained;
    for (const TurnTimes& turn : turns)
        if (turn.cpu_ms) unexplained.push_back(unexplained_cpu_ms(turn, static_cast<double>(threads)));
    if (unexplained.empty()) return std::nullopt;
    const double excess_ms = stats::median(unexplained);
    const double reported = reported_ms(turns);
    const double usable_ms = reported * static_cast<double>(threads);
    if (excess_ms <= std::max(kMostUnexplainedCpuMs, kMostUnexplainedCpuShare * usable_ms))
        return std::nullopt;
    return fmt::format(
        "its times are not credible: a run reports {:.3g} ms, in which {} threads can use {:.3g} ms of "
        "processor "
        "time, but it used {:.3g} ms; the kernel has probably changed the memory of the process that ran it",
        reported, threads, usable_ms, usable_ms + excess_ms);
}

std::optional<std::string> find_slow_turns(const std::vector<TurnTimes>& turns) {
    if (turns.empty()) return std::nullopt;
    std::vector<double> unexplained;
    for (const TurnTimes& turn : turns) unexplained.push_back(unexplained_ms(turn));
    const double beyond_ms = stats::median(unexplained);
    const double reported = reported_ms(turns);
    if (beyond_ms <= std::max(kSlowTurnMs, kSlowTurnShare * reported)) return std::nullopt;
    return fmt::format(
        "a run reports {:.3g} ms but took {:.3g} ms by the wall clock, launch included: this machine is "
        "busy, "
        "launches are slow here, or the device's clock is wrong",
        reported, reported + beyond_ms);
}

}  // namespace kwb
