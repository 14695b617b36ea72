#include "stats/patterns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "stats/interval.hpp"

namespace kwb::stats {
namespace {

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

namespace {

constexpr std::size_t kLeastSamples = 10;

struct Part {
    double mean = 0;
    double squares = 0;  ///< sum of squared distances from the mean
};

Part describe(std::span<const double> part) {
    const auto n = static_cast<double>(part.size());
    const double mean = std::accumulate(part.begin(), part.end(), 0.0) / n;
    double squares = 0;
    for (const double x : part) squares += (x - mean) * (x - mean);
    return {mean, squares};
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

}  // namespace

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
    const Part low_part = describe(low);
    const Part high_part = describe(high);
    const double distance = high_part.mean - low_part.mean;
    if (!(distance > 0)) return std::nullopt;
    const double variance = (low_part.squares / static_cast<double>(low.size() - 1) +
                             high_part.squares / static_cast<double>(high.size() - 1)) /
                            2;
    const double separation =
        variance > 0 ? distance / std::sqrt(variance) : std::numeric_limits<double>::infinity();
    if (separation < 4 + 36 / static_cast<double>(n)) return std::nullopt;
    return TwoGroups{median(low), median(high), static_cast<double>(high.size()) / static_cast<double>(n),
                     separation};
}

}  // namespace kwb::stats
