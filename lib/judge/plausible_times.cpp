#include "judge/plausible_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stats/interval.hpp"

namespace kwb {
namespace {

/// The device's clock and ours may run apart by so much.
constexpr double kClockTolerance = 1.05;

/// Fills, copies and reads are faster than this on everything that we know.
constexpr double kSlowestBytesPerMs = 1e6;

constexpr double kMostUnexplainedMs = 5;
constexpr double kMostUnexplainedShare = 2;

}  // namespace

double TurnTimes::unexplained_ms() const {
    const double untimed_ms = static_cast<double>(untimed_bytes) / kSlowestBytesPerMs;
    return std::max(0.0, wall_ms - runs_ms - untimed_ms) / std::max<std::uint32_t>(1, runs);
}

bool is_possible(const ExecutedReply& reply, double wall_ms, std::size_t launches) {
    if (reply.samples_ms.empty() || reply.launch_ms.size() != launches) return false;
    double samples_ms = 0;
    for (const double sample_ms : reply.samples_ms) samples_ms += sample_ms;
    // The samples are some of the runs, and all runs lie within the request.
    return reply.samples_ms.size() <= reply.runs && samples_ms <= reply.all_runs_ms * kClockTolerance &&
           reply.all_runs_ms <= wall_ms * kClockTolerance;
}

std::optional<std::string> find_unbelievable(const std::vector<TurnTimes>& turns) {
    if (turns.empty()) return std::nullopt;
    std::vector<double> unexplained_ms;
    std::vector<double> reported_ms;
    for (const TurnTimes& turn : turns) {
        unexplained_ms.push_back(turn.unexplained_ms());
        reported_ms.push_back(turn.runs_ms / std::max<std::uint32_t>(1, turn.runs));
    }
    const double unexplained = stats::median(unexplained_ms);
    const double reported = stats::median(reported_ms);
    if (unexplained <= std::max(kMostUnexplainedMs, kMostUnexplainedShare * reported)) return std::nullopt;
    return fmt::format(
        "its times are not to be believed: a run is said to take {:.3g} ms, but took {:.3g} ms by the "
        "judge's "
        "own clock; the kernel has probably changed the clock or the memory of the process that ran it",
        reported, reported + unexplained);
}

}  // namespace kwb
