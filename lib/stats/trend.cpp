#include "stats/trend.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace kwb::stats {
namespace {

/// Ranks from 1; equal samples share the mean of their ranks. `tie_sizes` counts each run of equal samples.
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

    // S: later samples that are larger, less those that are smaller.
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

}  // namespace kwb::stats
