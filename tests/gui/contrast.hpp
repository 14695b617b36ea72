// SPDX-License-Identifier: Apache-2.0
// Contrast ratio of two colours, for tests of palettes.
#pragma once

#include <algorithm>
#include <cmath>

#include "gui/look.hpp"

namespace kwb::test {

/// (L1 + 0.05) / (L2 + 0.05) of the relative luminances, 1 … 21; alpha is ignored.
/// Source: WCAG 2.1, "contrast ratio" and "relative luminance".
inline double contrast_ratio(gui::Color one, gui::Color other) {
    const auto luminance = [](gui::Color color) {
        const auto linear = [&](int shift) {
            const double channel = (color.rgb >> shift & 0xff) / 255.0;
            return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
    };
    const auto [darker, lighter] = std::minmax({luminance(one), luminance(other)});
    return (lighter + 0.05) / (darker + 0.05);
}

}  // namespace kwb::test
