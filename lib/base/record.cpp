// SPDX-License-Identifier: Apache-2.0
#include "base/record.hpp"

#include <fmt/format.h>

#include <cmath>

namespace kwb {
namespace {

/// " from 0 to 3", " of at least 0", " of at most 3", "".
std::string range(double least, double most) {
    if (std::isfinite(least) && std::isfinite(most)) return fmt::format(" from {} to {}", least, most);
    if (std::isfinite(least)) return fmt::format(" of at least {}", least);
    if (std::isfinite(most)) return fmt::format(" of at most {}", most);
    return "";
}

constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace

std::string wanted_whole(const Limits& limits, double type_least, double type_most) {
    if (limits.wanted != nullptr) return limits.wanted;
    // The limits of 64-bit types do not help in a message.
    const double least = std::max(limits.least, type_least > -0x1p62 ? type_least : -kInf);
    const double most = std::min(limits.most, type_most < 0x1p62 ? type_most : kInf);
    return "a whole number" + range(least, most);
}

std::string wanted_number(const Limits& limits) {
    if (limits.wanted != nullptr) return limits.wanted;
    return "a number" + range(limits.least, limits.most);
}

std::string wanted_items(const Limits& limits, std::string_view what) {
    constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
    const std::size_t fewest = limits.fewest_items;
    const std::size_t most = limits.most_items;
    if (fewest > 0 && most != kAny && fewest != most) return fmt::format("{} to {} {}", fewest, most, what);
    if (fewest > 0 && fewest == most) return fmt::format("{} {}", most, what);
    if (most != kAny) return fmt::format("at most {} {}", most, what);
    if (fewest > 0) return fmt::format("at least {} {}", fewest, what);
    return std::string(what);
}

}  // namespace kwb
