// Patterns in a series of times: trend, similarity of neighbours, two groups. The tests for the first two are
// based on ranks, so no single outlier can change their result.
#pragma once

#include <optional>
#include <span>

namespace kwb::stats {

/// Mann-Kendall test: how strongly the series rises (positive) or falls (negative).
/// @param series  in the order of measurement, finite, any length
/// @return  approximately standard normal for independent samples, with continuity and tie correction; 0 if
///          undefined (fewer than 3 samples, or all equal)
/// Takes quadratic time: about 1 ms for 1000 samples.
/// Source: Mann, "Nonparametric tests against trend", Econometrica 13, 1945; Kendall, "Rank Correlation
/// Methods", 4th edition, 1975 (variance with ties).
double trend_z(std::span<const double> series);

/// Bartels' rank version of von Neumann's ratio: tests whether neighbouring samples are similar.
/// @param series  in the order of measurement, finite, any length
/// @return  approximately standard normal for independent samples (from 10 on), positive if neighbours are
///          similar; 0 if undefined (fewer than 3 samples, or all equal)
/// Source: Bartels, "The rank version of von Neumann's ratio test for randomness", Journal of the American
/// Statistical Association 77, 1982.
double neighbour_z(std::span<const double> series);

struct TwoGroups {
    double low = 0;         ///< median of the lower group
    double high = 0;        ///< median of the upper group
    double high_share = 0;  ///< of all samples, in [0, 1]
    double separation = 0;  ///< Ashman's D: distance of the groups' means over their pooled deviation
};

/// Split the samples where the total scatter within the two parts is least, and test whether the parts are
/// far apart.
/// @param samples  finite, any order
/// @return  empty with fewer than 10 samples, or if the parts could belong to a unimodal distribution
/// Each group has at least 3 samples and 15 % of all. A D above 2 separates two given groups, but the best
/// split of a unimodal distribution has a large D, too: 3.5 for many uniform samples, more for few. The
/// threshold 4 + 36 / n is the 99 % point of D for uniform samples (simulated, n = 10 … 200), the worst case
/// of the distributions tried (normal, lognormal, exponential).
/// Source: Fisher, "On grouping for maximum homogeneity", Journal of the American Statistical Association 53,
/// 1958; Ashman, Bird and Zepf, "Detecting bimodality in astronomical datasets", Astronomical Journal 108,
/// 1994.
std::optional<TwoGroups> find_two_groups(std::span<const double> samples);

}  // namespace kwb::stats
