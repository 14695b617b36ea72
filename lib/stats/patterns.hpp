// Patterns in a series of times: a trend, neighbours that are alike, two groups. The first two are rank
// tests, which no single outlier can sway.
#pragma once

#include <optional>
#include <span>

namespace kwb::stats {

/// Mann-Kendall test: how strongly the series rises (positive) or falls (negative).
/// @param series  in the order of measuring, finite, any length
/// @return  about standard normal for independent samples, with continuity and tie correction; 0 where
///          nothing can be said (fewer than 3 samples, all equal)
/// Cost is quadratic: 1000 samples take about 1 ms.
/// Source: Mann, "Nonparametric tests against trend", Econometrica 13, 1945; Kendall, "Rank Correlation
/// Methods", 4th edition, 1975 (variance with ties).
double trend_z(std::span<const double> series);

/// Bartels' rank version of von Neumann's ratio: are neighbouring samples alike?
/// @param series  in the order of measuring, finite, any length
/// @return  about standard normal for independent samples (from 10 on), positive if neighbours resemble each
///          other; 0 where nothing can be said (fewer than 3 samples, all equal)
/// Source: Bartels, "The rank version of von Neumann's ratio test for randomness", Journal of the American
/// Statistical Association 77, 1982.
double neighbour_z(std::span<const double> series);

struct TwoGroups {
    double low = 0;         ///< median of the lower group
    double high = 0;        ///< median of the upper group
    double high_share = 0;  ///< of all samples, in [0, 1]
    double separation = 0;  ///< Ashman's D: distance of the groups' means over their pooled deviation
};

/// Split samples where the two parts scatter least, and say whether the parts are far apart.
/// @param samples  finite, any order
/// @return  nothing with fewer than 10 samples, or if the parts could come from one hump
/// Each group has at least 3 samples and 15 % of all. Ashman's D above 2 tells two given groups apart, but
/// the best split of a single hump has a D of its own: 3.5 for many uniform samples, more for few. The
/// threshold 4 + 36 / n is the 99 % point of D over uniform samples (simulated, n = 10 … 200), the hardest of
/// the shapes tried (normal, lognormal, exponential). Source: Fisher, "On grouping for maximum homogeneity",
/// Journal of the American Statistical Association 53, 1958; Ashman, Bird and Zepf, "Detecting bimodality in
/// astronomical datasets", Astronomical Journal 108, 1994.
std::optional<TwoGroups> find_two_groups(std::span<const double> samples);

}  // namespace kwb::stats
