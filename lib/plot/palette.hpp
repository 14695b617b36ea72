// The colours of charts, for light and dark rooms, and those of a map of errors.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "plot/geometry.hpp"
#include "plot/scale.hpp"

namespace kwb::plot {

inline constexpr std::size_t kSeriesColors = 8;

/// The slot of what is not a contestant, such as an earlier run: the colour of text, which no series has.
inline constexpr std::size_t kNeutralSlot = static_cast<std::size_t>(-1);

/// All colours of a face. Those of series have a contrast of at least 3:1 with background and panel, texts of
/// at least 7:1, muted texts of at least 4.5:1 (WCAG 2.1, 1.4.3 and 1.4.11).
struct Theme {
    bool dark = false;
    Color background;  ///< the ground of everything
    Color panel;       ///< the ground of a chart
    Color text;
    Color muted;   ///< axis numbers, notes
    Color grid;    ///< lines that may hardly be seen
    Color axis;    ///< base lines
    Color accent;  ///< what is chosen or hovered
    Color good;
    Color bad;  ///< wrong results
    Color warning;
    /// After Okabe and Ito, "Color Universal Design", 2008, their lightness adapted to the ground: people
    /// with protanopia, deuteranopia and tritanopia can distinguish them. Slots 0 … 7 repeat.
    std::array<Color, kSeriesColors> series;

    Color series_color(std::size_t slot) const {
        return slot == kNeutralSlot ? text : series[slot % kSeriesColors];
    }
};

const Theme& dark_theme();
const Theme& light_theme();

/// A shape for each slot, so that colour is not the only difference.
enum class Marker { Circle, Square, Triangle, Diamond, TriangleDown, Plus, Cross, Ring };

constexpr Marker series_marker(std::size_t slot) {
    return static_cast<Marker>(slot % kSeriesColors);
}

/// Dash and gap lengths in units of the line's width; slots from 8 on differ from 0 … 7 by them, and series
/// marked as dashed use plain_dashes(). Empty: a solid line.
std::span<const float> series_dashes(std::size_t slot);
std::span<const float> plain_dashes();

inline constexpr Color kInfinityColor = rgb(0xE05CF0);
inline constexpr Color kNanColor = rgb(0x9A9A9A);

/// Shares of an error bound as colours, on a logarithmic scale: blue tones up to 1 (fine), a visible step,
/// orange to red above (wrong). Equal values get equal colours in either theme.
struct ErrorColors {
    Range range;  ///< ends of the colour bar; values outside take the end's colour

    /// Infinity (unwritten or overflowed) and NaN have colours of their own.
    Color at(double value) const;
};

/// The colours for values between `low` and `high`, both above 0: the range always holds 1 with room on both
/// sides.
ErrorColors error_colors(double low, double high);

}  // namespace kwb::plot
