#include "base/tell_apart.hpp"

#include <fmt/format.h>

#include <cmath>

namespace kwb {
namespace {

std::string format_number(double value, int digits) {
    return std::isnan(value) ? "nan" : fmt::format("{:.{}g}", value, digits);
}

}  // namespace

NumberTexts tell_apart(double first, double second, int least_digits) {
    constexpr int kMostDigits = 17;  // tell any two doubles apart
    NumberTexts texts;
    for (int digits = least_digits; digits <= kMostDigits; ++digits) {
        texts = {format_number(first, digits), format_number(second, digits)};
        if (texts.first != texts.second || first == second) break;
    }
    return texts;
}

}  // namespace kwb
