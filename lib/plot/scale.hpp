// From values to pixels and back.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kwb::plot {

enum class ScaleKind {
    Linear,
    Log2,        ///< powers of two: sizes
    Log10,       ///< decades
    Categories,  ///< 0, 1, 2 … are the middles of equal slots
};

constexpr bool is_log(ScaleKind kind) {
    return kind == ScaleKind::Log2 || kind == ScaleKind::Log10;
}

/// A range of values; low < high where a scale holds it.
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

    /// @param at_low_px, at_high_px  where the range's ends lie; on a y axis the first is the larger
    /// @throws ContractError  the range is empty, not finite, or not above 0 on a logarithmic scale
    Scale(ScaleKind kind, Range range, float at_low_px, float at_high_px);

    ScaleKind kind() const { return kind_; }
    const Range& range() const { return range_; }
    float at_low_px() const { return at_low_px_; }
    float at_high_px() const { return at_high_px_; }
    float length_px() const;

    /// Can the value be placed at all (also outside of the range)?
    bool can_place(double value) const;

    /// @param value  one that can_place() accepts; far outside it is cut at 16 lengths of the scale, so that
    ///               surfaces which count in float or short stay exact; any other value gives the low end
    float to_px(double value) const;

    /// The same without a cut; the value is one that can_place() accepts.
    double to_exact_px(double value) const;

    double from_px(float px) const;

    /// The range moved or stretched in the space in which the scale is even: `low` and `high` are shares of
    /// the present range, 0 its low end, 1 its high one.
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
    std::string label;  ///< empty for minor ones, and where there was no room
    bool major = true;
};

/// Round values within a range, rising: multiples of 1, 2 or 5 times a power of ten; powers of two; decades
/// with 2 … 9 times as minor ones. A logarithmic range of less than a decade (or of two) gets linear ones.
/// @param most   major ticks wanted at most, from 2 on; there are at least two unless only one fits in
/// @param whole  no fractions (counts, indices)
/// @return  not yet placed (at_px 0) and labelled; empty for Categories
std::vector<Tick> nice_ticks(ScaleKind kind, const Range& range, int most, bool whole = false);

/// Label the major ticks alike: as many decimals as their distance needs, one k, M, … or power for all of a
/// linear axis; "64 Ki" from 2^17 on for powers of two.
void label_ticks(std::vector<Tick>& ticks, ScaleKind kind);

/// A range around values that is pleasant to look at: some air, ends on round values, never empty.
/// @param from_zero  the range begins (or ends) at 0; linear only
Range pleasant_range(ScaleKind kind, double low, double high, bool from_zero);

}  // namespace kwb::plot
