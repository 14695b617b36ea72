// Judges C = A · B without computing all of it: by products with random vectors, and by comparing a part in
// full.
#pragma once

#include "judge/reference/reference.hpp"

namespace kwb {

/// A wrong row of C shows as a difference between C x and A (B x) for a random vector x; a wrong column
/// likewise with vectors from the left. Rows that differ are then computed in full, in double precision, and
/// their elements compared one by one with the usual bound: the vectors only raise a suspicion.
/// Pass::Exact: x holds integers, 2^p different ones, and all sums are exact. A row with a wrong element
/// escapes one vector with a chance of 2^-p; there are enough vectors for a total of at most 2^-32.
/// Pass::Real: rounding makes every row differ a little, so the rows that differ most are computed in full.
/// Let t be the largest difference among the others. x holds +1 and -1, drawn after the run. For an element
/// that is wrong by d, the differences for its two signs are 2 d apart, so at most one of these equally
/// likely differences is below d: an element wrong by more than t escapes one vector with a chance of at most
/// 1/2. t is reported, plus the rounding of the judge's own sums (`visible_error`). In addition, elements in
/// every part of C are compared one by one, for the error map, and every element is inspected for poison and
/// for values that no sum can yield. Source: R. Freivalds, "Fast probabilistic algorithms", 1979.
class ProductProbe final : public OutputProbe {
public:
    struct Extents {
        std::int64_t m, n, k;
    };
    ProductProbe(const Extents& extents, Pass pass);

    /// True if random vectors cost much less than the product and sums with them stay exact.
    static bool suits(const Extents& extents);

    OutputCheck check(const BufferSpec& spec, std::span<const std::byte> got, const PassData& inputs,
                      std::span<const std::uint8_t> poison, std::uint64_t secret,
                      const Checkpoint& checkpoint) const override;

private:
    Extents extents_;
    Pass pass_;
};

}  // namespace kwb
