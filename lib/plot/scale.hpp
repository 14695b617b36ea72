// SPDX-License-Identifier: Apache-2.0
// Mapping between values and pixels.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kwb::plot {

enum class ScaleKind {
    Linear,
    Log2,        ///< powers of two: sizes
    Log10,       ///< decades
    Categories,  ///< 0, 1, 2 … are the centres of equally wide slots
};

constexpr bool is_log(ScaleKind kind) {
    return kind == ScaleKind::Log2 || kind == ScaleKind::Log10;
}

/// A range of values; a Scale requires low < high.
struct Range {
    double low = 0;
    double high = 1;

    double span() const { return high - low; }
    bool contains(double value) const { return low <= value && value <= high; }
    friend bool operator==(const Range&, const Range&) = default;
};

/// Maps values to pixels. A linear scale takes every finite value, a logarithmic one those above 0.
class Scale {
public:
    Scale() : Scale(ScaleKind::Linear, {0, 1}, 0, 1) {}

    /// @param at_low_px, at_high_px  pixel positions of the range's ends; on a y axis the first is the larger
    /// @throws ContractError  if the range is empty, not finite, or not above 0 on a logarithmic scale
    Scale(ScaleKind kind, Range range, float at_low_px, float at_high_px);

    ScaleKind kind() const { return kind_; }
    const Range& range() const { return range_; }
    float at_low_px() const { return at_low_px_; }
    float at_high_px() const { return at_high_px_; }
    float length_px() const;

    /// Whether the value has a position, inside or outside the range.
    bool can_place(double value) const;

    /// Position of a value. It is clamped to 16 lengths of the scale outside the range, so that canvases that
    /// use float or short coordinates stay exact.
    /// @param value  should satisfy can_place(); otherwise the result is the low end
    float to_px(double value) const;

    /// The same without clamping; the value must satisfy can_place().
    double to_exact_px(double value) const;

    double from_px(float px) const;

    /// A moved or stretched range, computed in the transformed space (logarithms on a log scale). `low` and
    /// `high` are fractions of the current range: 0 is its low end, 1 its high end.
    Range part(double low, double high) const;

private:
    double even(double value) const;

    ScaleKind kind_;
    Range range_;
    float at_low_px_;
    float at_high_px_;
    double even_low_ = 0;
    double px_per_even_ = 1;
};

/// One place on an axis.
struct Tick {
    double value = 0;
    float at_px = 0;
    std::string label;  ///< empty for minor ticks, and where there was no room
    bool major = true;
};

/// Round values within a range in ascending order: multiples of 1, 2 or 5 times a power of ten; powers of
/// two; decades with 2 … 9 times as minor ticks. A logarithmic range that has fewer than two of these gets
/// linear ticks, or 1, 2 and 5 times a power of ten if there are at least three.
/// @param most   maximum number of major ticks, at least 2; the result has at least two unless only one fits
/// @param whole  integers only (counts, indices)
/// @return  ticks without position (at_px 0) or label; empty for Categories
std::vector<Tick> nice_ticks(ScaleKind kind, const Range& range, int most, bool whole = false);

/// Labels the major ticks consistently: as many decimals as their distance needs, one k, M, … or power of ten
/// for all ticks of a linear axis; "128 Ki" from 2^17 on for powers of two.
void label_ticks(std::vector<Tick>& ticks, ScaleKind kind);

/// A range around the values with some margin and round ends; never empty.
/// @param from_zero  the range begins (or ends) at 0; only for linear scales
Range pleasant_range(ScaleKind kind, double low, double high, bool from_zero);

}  // namespace kwb::plot
