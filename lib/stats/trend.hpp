// Do times change over the rounds? Rank tests, which no single outlier can sway.
#pragma once

#include <span>

namespace kwb::stats {

/// Mann-Kendall test: how strongly the series rises (positive) or falls (negative).
/// @param series  in the order of measuring, finite, any length
/// @return  about standard normal for independent samples, with continuity and tie correction; 0 where
/// nothing
///          can be said (fewer than 3 samples, all equal)
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

}  // namespace kwb::stats
