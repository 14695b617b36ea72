// SPDX-License-Identifier: Apache-2.0
#include "stats/interval.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/error.hpp"

namespace kwb::stats {
namespace {

std::vector<double> sorted(std::span<const double> samples) {
    expects(std::ranges::all_of(samples, [](double x) { return std::isfinite(x); }),
            "samples of a median must be finite");
    std::vector<double> values(samples.begin(), samples.end());
    std::ranges::sort(values);
    return values;
}

}  // namespace

double median(std::span<const double> samples) {
    expects(!samples.empty(), "a median needs at least one sample");
    const auto values = sorted(samples);
    const std::size_t half = values.size() / 2;
    if (values.size() % 2 == 1) return values[half];
    return std::midpoint(values[half - 1], values[half]);
}

std::optional<std::size_t> median_rank(std::size_t n, double confidence) {
    expects(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1");
    if (n == 0) return std::nullopt;
    const boost::math::binomial_distribution<double> below(static_cast<double>(n), 0.5);
    // The tolerance prevents rounding from rejecting a confidence that is met exactly (93.75 % at n = 5).
    const double tail = (1 - confidence) / 2 + 1e-12;
    const auto misses = [&](std::size_t k) { return cdf(below, static_cast<double>(k - 1)) > tail; };
    // Start near the answer, from the normal approximation, then correct it with exact probabilities.
    const double guess = (static_cast<double>(n) - 2 * std::sqrt(static_cast<double>(n))) / 2;
    auto k = static_cast<std::size_t>(std::max(guess, 1.0));
    while (2 * (k + 1) <= n + 1 && !misses(k + 1)) ++k;
    while (k > 0 && misses(k)) --k;
    if (k == 0) return std::nullopt;
    return k;
}

std::optional<Interval> median_interval(std::span<const double> samples, double confidence) {
    const auto rank = median_rank(samples.size(), confidence);
    const auto values = sorted(samples);
    if (!rank) return std::nullopt;
    return Interval{values[*rank - 1], values[values.size() - *rank]};
}

double mean_bound(std::span<const double> samples) {
    expects(samples.size() >= 2, "the spread of a mean needs two samples");
    const auto count = static_cast<double>(samples.size());
    const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
    double squares = 0;
    for (const double sample : samples) squares += (sample - mean) * (sample - mean);
    const boost::math::students_t_distribution<double> student(count - 1);
    return mean + quantile(student, 0.975) * std::sqrt(squares / (count - 1) / count);
}

bool narrower_than(const Interval& interval, double centre, double share) {
    return (interval.high - interval.low) / 2 <= share * std::abs(centre);
}

bool is_clear(const Interval& ratio) {
    constexpr double kMostFactor = 1.1;
    return ratio.low > 0 && ratio.high / ratio.low <= kMostFactor;
}

bool is_far_from_one(const Interval& ratio) {
    constexpr double kFarFactor = 1.25;
    return ratio.low > kFarFactor || (ratio.low > 0 && ratio.high < 1 / kFarFactor);
}

bool is_stop_round(std::size_t rounds) {
    std::size_t look = 6;
    while (look < rounds) look = (look * 3 + 1) / 2;
    return look == rounds;
}

std::optional<Comparison> compare_paired(std::span<const double> baseline_ms,
                                         std::span<const double> contestant_ms) {
    const auto is_time = [](double ms) { return std::isfinite(ms) && ms >= 0; };
    expects(std::ranges::all_of(baseline_ms, is_time) && std::ranges::all_of(contestant_ms, is_time),
            "times to compare must be finite and not negative");

    std::vector<double> ratios(std::min(baseline_ms.size(), contestant_ms.size()));
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        if (baseline_ms[i] == 0 || contestant_ms[i] == 0) return std::nullopt;
        ratios[i] = baseline_ms[i] / contestant_ms[i];
    }
    if (ratios.empty()) return std::nullopt;
    return Comparison{median(ratios), median_interval(ratios, kComparisonConfidence), ratios.size()};
}

}  // namespace kwb::stats
