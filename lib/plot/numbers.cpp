// SPDX-License-Identifier: Apache-2.0
#include "plot/numbers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>
#include <utility>

namespace kwb::plot {
namespace {

/// Fixed notation with this many significant digits, without trailing zeros of the fraction, with a real
/// minus sign.
std::string plain(double value, int digits) {
    const int exponent = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
    return fixed(value, std::max(0, digits - 1 - exponent), true);
}

struct Prefix {
    int exponent;  ///< power of ten
    std::string_view name;
};

constexpr std::array<Prefix, 8> kPrefixes = {
    {{-9, "n"}, {-6, "µ"}, {-3, "m"}, {0, ""}, {3, "k"}, {6, "M"}, {9, "G"}, {12, "T"}}};

/// A unit that supports prefixes: the exponent of its prefix, and the prefixes that it may change to.
struct KnownUnit {
    int exponent = 0;
    std::string_view base;
    std::span<const Prefix> allowed;
};

KnownUnit find_unit(std::string_view unit) {
    for (const std::string_view base : {"FLOP/s", "B/s", "FLOP", "B", "s"}) {
        if (!unit.ends_with(base)) continue;
        const std::string_view name = unit.substr(0, unit.size() - base.size());
        // Seconds have only small prefixes, what is counted only large ones.
        const auto allowed = base == "s" ? std::span(kPrefixes).first(4) : std::span(kPrefixes).subspan(3);
        const auto prefix = std::ranges::find(allowed, name == "u" ? "µ" : name, &Prefix::name);
        if (prefix != allowed.end()) return {prefix->exponent, base, allowed};
    }
    return {};
}

std::string with_unit(const std::string& number, const std::string& unit) {
    return unit.empty() ? number : number + " " + unit;
}

}  // namespace

std::string fixed(double value, int decimals, bool trim) {
    std::string text = fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 17));
    if (trim && text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.ends_with('.')) text.pop_back();
    }
    if (!text.starts_with('-')) return text;
    const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
    return is_zero ? text.substr(1) : "−" + text.substr(1);
}

std::string power_of_ten(double value, int digits) {
    constexpr std::array<std::string_view, 10> kRaised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const std::string text = fmt::format("{:.{}e}", value, digits - 1);
    const std::size_t split = text.find('e');
    const double mantissa = std::strtod(text.substr(0, split).c_str(), nullptr);
    const int exponent = std::atoi(text.substr(split + 1).c_str());

    std::string result;
    if (mantissa == -1)
        result = "−";
    else if (mantissa != 1)
        result = fixed(mantissa, digits - 1, true) + "×";
    result += "10";
    if (exponent < 0) result += "⁻";
    for (const char digit : std::to_string(std::abs(exponent)))
        result += kRaised[static_cast<std::size_t>(digit - '0')];
    return result;
}

std::string format_number(double value, int digits) {
    digits = std::clamp(digits, 1, 15);
    if (std::isnan(value)) return "not a number";
    if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
    if (value == 0) return "0";

    // Round first: 9999.7 is written as 10 k, not 10000.
    const double rounded = std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr);
    const double size = std::abs(rounded);
    if (size < 1e-3 || size >= 1e18) return power_of_ten(value, digits);
    if (size < 1e4) return plain(size < 1000 ? rounded : value, digits);
    constexpr std::array<std::pair<double, std::string_view>, 5> kSteps = {
        {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
    for (const auto& [step, name] : kSteps)
        if (size >= step) return plain(rounded / step, digits) + " " + std::string(name);
    return plain(value, digits);
}

bool is_time_unit(std::string_view unit) {
    return find_unit(unit).base == "s";
}

ScaledUnit choose_unit(std::string_view unit, double largest) {
    const KnownUnit known = find_unit(unit);
    const double size = std::abs(largest) * std::pow(10.0, known.exponent);
    if (known.allowed.empty() || !std::isfinite(size) || size == 0) return {1, std::string(unit)};
    const Prefix* best = &known.allowed.front();
    // Treat values just below a step as the step; otherwise 0.9999 would be written as 1000 of the smaller
    // unit.
    for (const Prefix& prefix : known.allowed)
        if (size >= std::pow(10.0, prefix.exponent) * 0.9995) best = &prefix;
    return {std::pow(10.0, known.exponent - best->exponent),
            std::string(best->name) + std::string(known.base)};
}

std::string format_value(double value, std::string_view unit, int digits) {
    const ScaledUnit scaled = choose_unit(unit, value);
    return with_unit(format_number(value * scaled.factor, digits), scaled.unit);
}

std::string format_interval(const Interval& interval, std::string_view unit, int digits) {
    const ScaledUnit scaled = choose_unit(unit, std::max(std::abs(interval.low), std::abs(interval.high)));
    const double low = interval.low * scaled.factor;
    const double high = interval.high * scaled.factor;
    while (digits < 9 && low != high && format_number(low, digits) == format_number(high, digits)) ++digits;
    return with_unit(format_number(low, digits) + " – " + format_number(high, digits), scaled.unit);
}

}  // namespace kwb::plot
