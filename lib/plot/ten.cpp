#include "plot/ten.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace kwb::plot {

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

}  // namespace kwb::plot
