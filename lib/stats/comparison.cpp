#include "stats/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.hpp"

namespace kwb::stats {

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
