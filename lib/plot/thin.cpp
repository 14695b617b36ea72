// Many samples, few marks: always the same ones.
#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {

std::vector<std::uint32_t> thinned(std::span<const double> values, std::size_t most) {
    std::vector<std::uint32_t> chosen;
    if (values.empty()) return chosen;
    most = std::max<std::size_t>(most, 2);
    const std::size_t stride = (values.size() + most - 1) / most;
    chosen.reserve(values.size() / stride + 3);
    if (stride == 1) {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (std::isfinite(values[i])) chosen.push_back(static_cast<std::uint32_t>(i));
        return chosen;
    }
    // Values first, which is fast for hundreds of thousands; then the first places where they stand.
    constexpr double kMost = std::numeric_limits<double>::max();
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double value : values) {
        low = value < low && value >= -kMost ? value : low;
        high = value > high && value <= kMost ? value : high;
    }
    const auto place_of = [&](double value) {
        const auto found = std::ranges::find(values, value);
        return found == values.end() ? 0 : static_cast<std::size_t>(found - values.begin());
    };
    const std::size_t least = place_of(low);
    const std::size_t largest = place_of(high);
    const std::size_t first = std::min(least, largest);
    const std::size_t second = std::max(least, largest);
    for (std::size_t i = 0; i < values.size(); i += stride) {
        // The extremes come in their own places.
        for (const std::size_t extreme : {first, second})
            if (extreme < i && extreme + stride > i) chosen.push_back(static_cast<std::uint32_t>(extreme));
        chosen.push_back(static_cast<std::uint32_t>(i));
    }
    for (const std::size_t extreme : {first, second})
        if (extreme > chosen.back()) chosen.push_back(static_cast<std::uint32_t>(extreme));
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    std::erase_if(chosen, [&](std::uint32_t i) { return !std::isfinite(values[i]); });
    return chosen;
}

float jitter(std::size_t index) {
    // Multiples of the golden ratio fill a range evenly at any count (Weyl, 1916).
    constexpr double kGolden = 0.618033988749894848;
    const double at = 0.5 + static_cast<double>(index % 1000000) * kGolden;
    return static_cast<float>(2 * (at - std::floor(at)) - 1);
}

}  // namespace kwb::plot::parts
