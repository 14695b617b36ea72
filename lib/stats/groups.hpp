// Do samples fall into two groups?
#pragma once

#include <optional>
#include <span>

namespace kwb::stats {

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
