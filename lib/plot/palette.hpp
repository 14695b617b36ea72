// SPDX-License-Identifier: Apache-2.0
// The colours of charts for the dark and light themes, and those of error maps.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "plot/geometry.hpp"
#include "plot/scale.hpp"

namespace kwb::plot {

inline constexpr std::size_t kSeriesColors = 8;

/// The slot of data that belongs to no kernel, such as an earlier run. Its colour is the text colour, which
/// no series has.
inline constexpr std::size_t kNeutralSlot = static_cast<std::size_t>(-1);

/// All colours of a theme. Series colours have a contrast of at least 3:1 with background and panel, text at
/// least 7:1, muted text at least 4.5:1 (WCAG 2.1, 1.4.3 and 1.4.11).
struct Theme {
    bool dark = false;
    Color background;  ///< window background
    Color panel;       ///< chart background
    Color text;
    Color muted;   ///< axis numbers and notes
    Color grid;    ///< barely visible lines
    Color axis;    ///< axis lines
    Color accent;  ///< selected or hovered items
    Color good;
    Color bad;        ///< wrong results
    Color undefined;  ///< results that OpenCL does not define
    Color warning;
    /// After Okabe and Ito, "Color Universal Design", 2008, with the lightness adapted to the background:
    /// distinguishable with protanopia, deuteranopia and tritanopia. Slots from 8 on repeat the colours.
    std::array<Color, kSeriesColors> series;

    Color series_color(std::size_t slot) const {
        return slot == kNeutralSlot ? text : series[slot % kSeriesColors];
    }
};

const Theme& dark_theme();
const Theme& light_theme();

/// One shape per slot, so that series do not differ by colour alone.
enum class Marker { Circle, Square, Triangle, Diamond, TriangleDown, Plus, Cross, Ring };

constexpr Marker series_marker(std::size_t slot) {
    return static_cast<Marker>(slot % kSeriesColors);
}

/// Dash and gap lengths in multiples of the line width. They distinguish slots from 8 on from slots 0 … 7;
/// series marked as dashed use plain_dashes(). Empty: a solid line.
std::span<const float> series_dashes(std::size_t slot);
std::span<const float> plain_dashes();

inline constexpr Color kInfinityColor = rgb(0xFFF04A);
inline constexpr Color kNanColor = rgb(0x9A9A9A);

/// Colours for errors as fractions of their bound, on a logarithmic scale: blue tones up to 1 (correct), a
/// visible step, orange to red above (wrong). The colours are the same in both themes.
struct ErrorColors {
    Range range;  ///< ends of the colour bar; values outside get the colour of the nearer end

    /// Infinity (unwritten or overflowed) and NaN have their own colours.
    Color at(double value) const;
};

/// The colours for values between `low` and `high`, both above 0. The range always contains 1 with some room
/// on both sides.
ErrorColors error_colors(double low, double high);

}  // namespace kwb::plot
