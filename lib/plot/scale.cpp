#include "plot/scale.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace kwb::plot {

Scale::Scale(ScaleKind kind, Range range, float at_low_px, float at_high_px)
    : kind_(kind), range_(range), at_low_px_(at_low_px), at_high_px_(at_high_px) {
    expects(std::isfinite(range.low) && std::isfinite(range.high) && range.low < range.high,
            "a scale's range is finite and not empty");
    expects(!is_log(kind) || range.low > 0, "a logarithmic scale's range is above 0");
    even_low_ = even(range.low);
    px_per_even_ = (static_cast<double>(at_high_px) - at_low_px) / (even(range.high) - even_low_);
}

double Scale::even(double value) const {
    return is_log(kind_) ? std::log2(value) : value;
}

float Scale::length_px() const {
    return std::abs(at_high_px_ - at_low_px_);
}

bool Scale::can_place(double value) const {
    return std::isfinite(value) && (!is_log(kind_) || value > 0);
}

float Scale::to_px(double value) const {
    if (!can_place(value)) return at_low_px_;
    const double px = to_exact_px(value);
    const double reach = 16.0 * static_cast<double>(length_px()) + 16;
    return static_cast<float>(
        std::clamp(px, std::min(at_low_px_, at_high_px_) - reach, std::max(at_low_px_, at_high_px_) + reach));
}

double Scale::to_exact_px(double value) const {
    return at_low_px_ + (even(value) - even_low_) * px_per_even_;
}

double Scale::from_px(float px) const {
    const double at = even_low_ + (static_cast<double>(px) - at_low_px_) / px_per_even_;
    return is_log(kind_) ? std::exp2(at) : at;
}

Range Scale::part(double low, double high) const {
    const double span = even(range_.high) - even_low_;
    const auto back = [&](double share) {
        const double at = even_low_ + share * span;
        return is_log(kind_) ? std::exp2(at) : at;
    };
    return {back(low), back(high)};
}

Range pleasant_range(ScaleKind kind, double low, double high, bool from_zero) {
    if (is_log(kind)) {
        constexpr double kTiny = 1e-300;
        constexpr double kHuge = 1e300;
        low = std::clamp(low, kTiny, kHuge);
        high = std::clamp(high, low, kHuge);
        if (high <= low * 1.0001) return {low / 2, high * 2};
        const double air = std::pow(high / low, 0.04);
        return {std::max(low / air, std::min(low, kTiny)), std::min(high * air, std::max(high, kHuge))};
    }
    constexpr double kHuge = 1e300;
    low = std::clamp(low, -kHuge, kHuge);
    high = std::clamp(high, -kHuge, kHuge);
    if (from_zero) {
        low = std::min(low, 0.0);
        high = std::max(high, 0.0);
    }
    const double size = std::max(std::abs(low), std::abs(high));
    // All alike: the value in the middle of a range of a fifth of its size.
    if (high - low <= std::max(size * 1e-9, 1e-280)) {
        if (size < 1e-280) return {0, 1};
        const double air = size * 0.1;
        return {low - air, high + air};
    }
    const double air = (high - low) * 0.05;
    return {from_zero && low == 0 ? 0 : low - air, from_zero && high == 0 ? 0 : high + air};
}

}  // namespace kwb::plot
