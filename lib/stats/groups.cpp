#include "stats/groups.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "stats/interval.hpp"

namespace kwb::stats {
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

/// For each k, the squared distances within the first k of `values` (Welford's update, which loses no
/// digits).
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
