// SPDX-License-Identifier: Apache-2.0
#include "stats/noise.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "stats/interval.hpp"

namespace kwb::stats {
namespace {

using Series = std::span<const double>;

constexpr double kLeastEffect = 0.05;      // smaller changes are not worth reporting
constexpr double kTrendZ = 2.576;          // 1 % of quiet series, two-sided
constexpr double kNeighbourZ = 2.576;      // 0.5 % of quiet series, one-sided
constexpr double kWideInterval = 0.10;     // half width over median
constexpr std::size_t kLeastSamples = 10;  // of two groups

/// Ranks from 1; equal samples get the mean of their ranks. Appends the length of each run of equal samples
/// to `tie_sizes`.
std::vector<double> mid_ranks(std::span<const double> series, std::vector<double>& tie_sizes) {
    std::vector<std::size_t> order(series.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return series[i]; });

    std::vector<double> ranks(series.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first;
        while (end < order.size() && series[order[end]] == series[order[first]]) ++end;
        const double rank = static_cast<double>(first + 1 + end) / 2;
        for (std::size_t i = first; i < end; ++i) ranks[order[i]] = rank;
        tie_sizes.push_back(static_cast<double>(end - first));
        first = end;
    }
    return ranks;
}

double mean_of(std::span<const double> part) {
    return std::accumulate(part.begin(), part.end(), 0.0) / static_cast<double>(part.size());
}

/// For each k, the sum of squared distances from the mean of the first k of `values` (Welford's update, which
/// is numerically stable).
std::vector<double> squares_of_prefixes(std::span<const double> values) {
    std::vector<double> squares(values.size() + 1, 0.0);
    double mean = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const double from_old_mean = values[k] - mean;
        mean += from_old_mean / static_cast<double>(k + 1);
        squares[k + 1] = squares[k] + from_old_mean * (values[k] - mean);
    }
    return squares;
}

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

double trend_z(std::span<const double> series) {
    const auto n = static_cast<double>(series.size());
    if (series.size() < 3) return 0;

    // S: number of pairs in which the later sample is larger, minus those in which it is smaller.
    double s = 0;
    for (std::size_t i = 0; i < series.size(); ++i)
        for (std::size_t j = i + 1; j < series.size(); ++j)
            s += static_cast<double>((series[j] > series[i]) - (series[j] < series[i]));

    std::vector<double> ties;
    mid_ranks(series, ties);
    double variance = n * (n - 1) * (2 * n + 5) / 18;
    for (const double t : ties) variance -= t * (t - 1) * (2 * t + 5) / 18;
    if (s == 0 || variance <= 0) return 0;
    return (s - std::copysign(1.0, s)) / std::sqrt(variance);
}

double neighbour_z(std::span<const double> series) {
    const auto n = static_cast<double>(series.size());
    if (series.size() < 3) return 0;

    std::vector<double> ties;
    const auto ranks = mid_ranks(series, ties);
    double steps = 0;
    double spread = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        spread += std::pow(ranks[i] - (n + 1) / 2, 2);
        if (i > 0) steps += std::pow(ranks[i] - ranks[i - 1], 2);
    }
    if (spread == 0) return 0;
    const double variance = 4 * (n - 2) * (5 * n * n - 2 * n - 9) / (5 * n * (n + 1) * (n - 1) * (n - 1));
    return (2 - steps / spread) / std::sqrt(variance);
}

std::optional<TwoGroups> find_two_groups(std::span<const double> samples) {
    const std::size_t n = samples.size();
    if (n < kLeastSamples) return std::nullopt;
    std::vector<double> values(samples.begin(), samples.end());
    std::ranges::sort(values);

    // The split with the least scatter within its parts.
    const auto below = squares_of_prefixes(values);
    std::ranges::reverse(values);
    const auto above = squares_of_prefixes(values);
    std::ranges::reverse(values);
    const std::size_t least = std::max<std::size_t>(3, (n * 15 + 99) / 100);
    std::size_t split = least;
    for (std::size_t k = least; k + least <= n; ++k)
        if (below[k] + above[n - k] < below[split] + above[n - split]) split = k;

    const std::span<const double> all(values);
    const auto low = all.first(split);
    const auto high = all.subspan(split);
    const double distance = mean_of(high) - mean_of(low);
    if (!(distance > 0)) return std::nullopt;
    const double variance = (below[split] / static_cast<double>(split - 1) +
                             above[n - split] / static_cast<double>(n - split - 1)) /
                            2;
    const double separation =
        variance > 0 ? distance / std::sqrt(variance) : std::numeric_limits<double>::infinity();
    if (separation < 4 + 36 / static_cast<double>(n)) return std::nullopt;
    return TwoGroups{median(low), median(high), static_cast<double>(high.size()) / static_cast<double>(n),
                     separation};
}

std::vector<NoiseWarning> find_noise(std::span<const double> round_samples_ms) {
    expects(std::ranges::all_of(round_samples_ms, [](double ms) { return std::isfinite(ms) && ms > 0; }),
            "times must be finite and positive");
    std::vector<NoiseWarning> found;
    const auto add = [&found](std::optional<NoiseWarning> warning) {
        if (warning) found.push_back(std::move(*warning));
        return warning.has_value();
    };

    Series series = round_samples_ms;
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
