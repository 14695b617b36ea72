#include "stats/noise.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "stats/interval.hpp"
#include "stats/patterns.hpp"

namespace kwb::stats {
namespace {

using Series = std::span<const double>;

constexpr double kLeastEffect = 0.05;   // smaller changes are not worth reporting
constexpr double kTrendZ = 2.576;       // 1 % of quiet series, two-sided
constexpr double kNeighbourZ = 2.576;   // 0.5 % of quiet series, one-sided
constexpr double kWideInterval = 0.10;  // half width over median

/// Dixon's ratio of the gap between the first round and the slowest of the others to the whole range. For 6
/// samples, the 1 % point for any sample being the outlier is 0.698; for more samples it is lower.
std::optional<NoiseWarning> find_slow_first(Series series) {
    const double first = series.front();
    const Series rest = series.subspan(1);
    const double gap = first - std::ranges::max(rest);
    const double range = first - std::ranges::min(rest);
    const double times = first / median(rest);
    if (gap <= 0.7 * range || times < 1 + 2 * kLeastEffect) return std::nullopt;
    return NoiseWarning{.kind = NoiseKind::SlowFirst, .ratio = times};
}

/// A significant trend whose last third also differs from its first third.
std::optional<NoiseWarning> find_drift(Series series) {
    const std::size_t third = series.size() / 3;
    if (third == 0) return std::nullopt;
    const double change = median(series.last(third)) / median(series.first(third)) - 1;
    const double z = trend_z(series);
    if (std::abs(z) < kTrendZ || std::abs(change) < kLeastEffect || (z > 0) != (change > 0))
        return std::nullopt;
    return NoiseWarning{.kind = NoiseKind::Drifting, .share = change};
}

/// Neighbours are similar, but there is no trend: the level, a running median of five, moves up and down.
std::optional<NoiseWarning> find_wandering(Series series) {
    constexpr std::size_t kWindow = 5;
    if (series.size() < 2 * kWindow || neighbour_z(series) < kNeighbourZ) return std::nullopt;
    double lowest = median(series.first(kWindow));
    double highest = lowest;
    for (std::size_t i = 1; i + kWindow <= series.size(); ++i) {
        const double level = median(series.subspan(i, kWindow));
        lowest = std::min(lowest, level);
        highest = std::max(highest, level);
    }
    const double change = highest / lowest - 1;
    if (change < kLeastEffect) return std::nullopt;
    return NoiseWarning{.kind = NoiseKind::Wandering, .share = change};
}

std::optional<NoiseWarning> find_bimodality(Series series) {
    const auto groups = find_two_groups(series);
    if (!groups || groups->high < (1 + kLeastEffect) * groups->low) return std::nullopt;
    return NoiseWarning{
        .kind = NoiseKind::Bimodal, .ratio = groups->high / groups->low, .share = groups->high_share};
}

/// More than half of the rounds are further than 5 % from the median (for normal noise: a deviation of 7.4
/// %), or the interval is wider than ± 10 %, which a few large outliers can cause if there are few rounds.
std::optional<NoiseWarning> find_scatter(Series series) {
    const double centre = median(series);
    std::vector<double> distances;
    for (const double x : series) distances.push_back(std::abs(x - centre));
    const double scatter = median(distances) / centre;
    if (scatter >= kLeastEffect) return NoiseWarning{.kind = NoiseKind::Noisy, .share = scatter};
    const auto interval = median_interval(series);
    if (interval && !narrower_than(*interval, centre, kWideInterval))
        return NoiseWarning{.kind = NoiseKind::Noisy,
                            .share = (interval->high - interval->low) / 2 / centre,
                            .few_far = true};
    return std::nullopt;
}

}  // namespace

std::vector<NoiseWarning> find_noise(std::span<const double> round_samples_ms) {
    expects(std::ranges::all_of(round_samples_ms, [](double ms) { return std::isfinite(ms) && ms >= 0; }),
            "times must be finite and not negative");
    std::vector<NoiseWarning> found;
    const auto add = [&found](std::optional<NoiseWarning> warning) {
        if (warning) found.push_back(std::move(*warning));
        return warning.has_value();
    };

    Series series = round_samples_ms;
    if (series.empty()) return found;
    // From here on, no division is by 0.
    if (std::ranges::min(series) == 0) {
        found.push_back({.kind = NoiseKind::TooShort});
        return found;
    }
    if (series.size() < kLeastIntervalSamples) return found;

    // Report a slow first round once and exclude it from the rest; then report the first explanation that
    // fits.
    const bool slow_first = add(find_slow_first(series));
    if (slow_first) series = series.subspan(1);
    if (add(find_drift(series)) || add(find_wandering(series)) || add(find_bimodality(series))) return found;
    add(find_scatter(series));
    return found;
}

}  // namespace kwb::stats
