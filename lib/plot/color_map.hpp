// Colours for the values of a heat map.
#pragma once

#include "plot/geometry.hpp"
#include "plot/palette.hpp"
#include "plot/scale.hpp"

namespace kwb::plot {

enum class ColorMapKind {
    Ordered,  ///< dark blue over green to yellow: lightness rises evenly, so that order is seen without
              ///< colours
    Error,    ///< shares of an error bound: blue tones up to 1 (fine), a visible step, orange to red above
              ///< (wrong)
};

/// How a heat map's values become colours. Equal values get equal colours in either theme.
struct ColorMap {
    ColorMapKind kind = ColorMapKind::Ordered;
    ScaleKind scale = ScaleKind::Linear;  ///< Linear or Log10
    Range range;                          ///< ends of the colour bar; values outside take the end's colour

    /// Infinity has a colour of its own (unwritten or overflowed), and so has what is no number.
    Color at(double value) const;
};

/// @param share  in [0, 1]
/// A table of anchors mixed in between; lightness L* rises evenly from 15 to 91.
Color ordered_color(double share);

inline constexpr Color kInfinityColor = rgb(0xE05CF0);
inline constexpr Color kNanColor = rgb(0x9A9A9A);

/// The map for values like these: a range that holds the finite ones; for Error one that always holds 1 with
/// room on both sides.
/// @param low, high  smallest and largest finite value (above 0 on a log scale)
ColorMap make_color_map(ColorMapKind kind, ScaleKind scale, double low, double high);

}  // namespace kwb::plot
