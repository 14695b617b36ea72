// SPDX-License-Identifier: Apache-2.0
#include "plot/scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "plot/numbers.hpp"

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
    constexpr double kHuge = 1e300;
    if (is_log(kind)) {
        constexpr double kTiny = 1e-300;
        low = std::clamp(low, kTiny, kHuge);
        high = std::clamp(high, low, kHuge);
        if (high <= low * 1.0001) return {low / 2, high * 2};
        const double air = std::pow(high / low, 0.04);
        return {std::max(low / air, std::min(low, kTiny)), std::min(high * air, std::max(high, kHuge))};
    }
    low = std::clamp(low, -kHuge, kHuge);
    high = std::clamp(high, -kHuge, kHuge);
    if (from_zero) {
        low = std::min(low, 0.0);
        high = std::max(high, 0.0);
    }
    const double size = std::max(std::abs(low), std::abs(high));
    // All values are equal: show a range of a fifth of the value around it.
    if (high - low <= std::max(size * 1e-9, 1e-280)) {
        if (size < 1e-280) return {0, 1};
        const double air = size * 0.1;
        return {low - air, high + air};
    }
    const double air = (high - low) * 0.05;
    return {from_zero && low == 0 ? 0 : low - air, from_zero && high == 0 ? 0 : high + air};
}

namespace {

/// A step of 1, 2 or 5 times a power of ten. Stored as mantissa and exponent: ticks are computed by
/// multiplying or dividing integers, so that 0.3 is the double nearest to 0.3.
struct Step {
    int mantissa = 1;
    int exponent = 0;

    double size() const { return at(1); }
    double at(double count) const {
        const double number = count * mantissa;
        return exponent >= 0 ? number * std::pow(10.0, exponent) : number / std::pow(10.0, -exponent);
    }
    Step next() const {
        if (mantissa == 1) return {2, exponent};
        if (mantissa == 2) return {5, exponent};
        return {1, exponent + 1};
    }
};

/// Source of the idea: P. Heckbert, "Nice numbers for graph labels", Graphics Gems, 1990.
Step first_step(double span, int most) {
    const double rough = span / most;
    const int exponent = static_cast<int>(std::floor(std::log10(rough)));
    Step step{1, std::max(exponent, -300)};
    while (step.size() < rough * (1 - 1e-9)) step = step.next();
    return step;
}

std::vector<Tick> linear_ticks(const Range& range, int most, bool whole) {
    Step step = first_step(range.span(), most);
    if (whole && step.exponent < 0) step = {1, 0};
    const auto count_in = [&](const Step& s) {
        return std::floor(range.high / s.size() + 1e-9) - std::ceil(range.low / s.size() - 1e-9) + 1;
    };
    while (count_in(step) > most) step = step.next();

    std::vector<Tick> ticks;
    const double first = std::ceil(range.low / step.size() - 1e-9);
    const double last = std::floor(range.high / step.size() + 1e-9);
    // If the spacing of doubles exceeds the step, adjacent ticks would be equal.
    for (double count = first; count <= last && ticks.size() < static_cast<std::size_t>(most); ++count) {
        const double value = count == 0 ? 0 : step.at(count);
        if (ticks.empty() || value > ticks.back().value) ticks.push_back({value, 0, {}, true});
    }
    return ticks;
}

std::vector<Tick> power_ticks(const Range& range, int most, double base) {
    const double log_base = std::log2(base);
    const auto exponent_of = [&](double value) { return std::log2(value) / log_base; };
    const int first = static_cast<int>(std::ceil(exponent_of(range.low) - 1e-9));
    const int last = static_cast<int>(std::floor(exponent_of(range.high) + 1e-9));
    // Between two decades, 1, 2 and 5 times a power of ten are as round as linear ticks, and evenly spread.
    int rounds = 0;
    for (int e = first - 1; base == 10 && e <= last; ++e)
        for (const double times : {1.0, 2.0, 5.0})
            rounds += range.contains(e >= 0 ? times * std::pow(base, e) : times / std::pow(base, -e));
    const bool are_enough = rounds >= 3 && rounds <= most;
    if (last - first < 1 && !are_enough) return linear_ticks(range, most, false);

    int stride = 1;
    while ((last - first) / stride + 1 > most) ++stride;
    // With few decades and enough room, 2 and 5 are labelled too.
    const bool named_between =
        base == 10 && stride == 1 &&
        (last - first < 1 ? are_enough : last - first == 1 && most >= 3 * (last - first + 1));
    std::vector<Tick> ticks;
    for (int e = first - 1; e <= last; ++e) {
        // Use multiples of the stride, so that the same ticks are labelled while panning.
        const bool major = ((e % stride) + stride) % stride == 0;
        const double power = e >= 0 || base == 2 ? std::pow(base, e) : 1 / std::pow(base, -e);
        if (e >= first && (major || base == 2 || stride <= 3)) ticks.push_back({power, 0, {}, major});
        if (base == 10 && stride == 1)
            for (int times = 2; times <= 9; ++times) {
                const double value = e >= 0 ? times * power : times / std::pow(base, -e);
                if (range.contains(value))
                    ticks.push_back({value, 0, {}, named_between && (times == 2 || times == 5)});
            }
    }
    return ticks;
}

std::string label_power_of_two(double value) {
    constexpr std::array<const char*, 6> kNames = {"", " Ki", " Mi", " Gi", " Ti", " Pi"};
    std::size_t step = 0;
    if (value >= 1 << 17)
        while (value >= 1024 && step + 1 < kNames.size()) value /= 1024, ++step;
    if (value >= 1) return fixed(value, 3, true) + kNames[step];
    return value >= 1.0 / 64 ? fixed(value, 6, true) : power_of_ten(value, 2);
}

std::string label_decade(double value) {
    return value < 0.9e-3 || value >= 0.9e15 ? power_of_ten(value, 1) : format_number(value);
}

int exponent_of(double value) {
    return static_cast<int>(std::floor(std::log10(value) + 1e-9));
}

/// Labels with as many decimals as the distance of the ticks needs.
void label_evenly(std::vector<Tick>& ticks) {
    std::vector<Tick*> majors;
    double largest = 0;
    for (Tick& tick : ticks) {
        if (!tick.major) continue;
        majors.push_back(&tick);
        largest = std::max(largest, std::abs(tick.value));
    }
    if (majors.size() < 2) {
        for (Tick* tick : majors) tick->label = format_number(tick->value);
        return;
    }

    // One factor for the whole axis: k, M, … for large numbers, a power of ten for very small or very large
    // ones.
    struct Suffix {
        double least;
        double factor;
        const char* name;
    };
    constexpr std::array<Suffix, 5> kSuffixes = {
        {{2e12, 1e12, " T"}, {2e9, 1e9, " G"}, {2e6, 1e6, " M"}, {1e4, 1e3, " k"}, {0, 1, ""}}};
    const Suffix& suffix =
        *std::ranges::find_if(kSuffixes, [&](const Suffix& each) { return largest >= each.least; });
    const bool as_power = largest >= 1e15 || (largest > 0 && largest < 1e-3);
    const double unit = as_power ? std::pow(10.0, exponent_of(largest)) : suffix.factor;
    const double step = majors[1]->value - majors[0]->value;
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step / unit) + 1e-6)));
    for (Tick* major : majors) {
        Tick& tick = *major;
        if (tick.value == 0)
            tick.label = "0";
        else if (as_power)
            tick.label = power_of_ten(
                tick.value, std::clamp(decimals + 1 + exponent_of(std::abs(tick.value) / unit), 1, 15));
        else
            tick.label = fixed(tick.value / suffix.factor, std::min(decimals, 12)) + suffix.name;
    }
}

}  // namespace

std::vector<Tick> nice_ticks(ScaleKind kind, const Range& range, int most, bool whole) {
    if (!(range.low < range.high) || !std::isfinite(range.span())) return {};
    most = std::clamp(most, 2, 100);
    if (kind == ScaleKind::Linear) return linear_ticks(range, most, whole);
    if (!is_log(kind) || range.low <= 0) return {};
    return power_ticks(range, most, kind == ScaleKind::Log2 ? 2 : 10);
}

void label_ticks(std::vector<Tick>& ticks, ScaleKind kind) {
    // A narrow logarithmic range has linear ticks, which are not powers.
    const auto is_power = [&](const Tick& tick) {
        if (!tick.major) return true;
        if (kind == ScaleKind::Log2)
            return std::abs(std::log2(tick.value) - std::round(std::log2(tick.value))) < 1e-9;
        const double mantissa = tick.value / std::pow(10.0, std::floor(std::log10(tick.value) + 1e-9));
        return std::abs(mantissa - std::round(mantissa)) < 1e-9 && ticks.size() > 3;
    };
    if (!is_log(kind) || !std::ranges::all_of(ticks, is_power)) return label_evenly(ticks);
    for (Tick& tick : ticks)
        if (tick.major)
            tick.label = kind == ScaleKind::Log2 ? label_power_of_two(tick.value) : label_decade(tick.value);
}

}  // namespace kwb::plot
