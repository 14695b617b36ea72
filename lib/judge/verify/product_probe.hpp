// C = A · B judged without computing it: by products with random vectors, and a part of it in full.
#pragma once

#include "judge/reference/reference.hpp"

namespace kwb {

/// A wrong row of C shows as a difference between C x and A (B x) for a random vector x; a wrong column
/// likewise with vectors from the left. Rows that differ are computed in full, in double precision, and their
/// elements compared one by one with the same bound as ever: what the vectors say is but a suspicion.
///
/// Pass::Exact: x is of integers from 2^p ones, all sums are exact, and a row with any wrong element differs
/// but for a chance of 2^-p a vector; there are enough vectors for 2^-32 at most.
///
/// Pass::Real: rounding makes every row differ a little, so the rows that differ most are computed in full.
/// Let t be the largest difference of the others. x is of +1 and -1, drawn after the run. For an element that
/// is wrong by d, the differences with its sign either way are 2 d apart, so that of two equally likely ones
/// at most one is below d: an element wrong by more than t is missed with a chance of at most 1/2 a vector.
/// t is told, with the rounding of the judge's own sums added (`visible_error`).
///
/// Besides, elements in every part of C are compared one by one, which makes the error map, and elements that
/// nobody wrote, or that no sum can yield, are found by looking at each.
/// Source: R. Freivalds, "Fast probabilistic algorithms", 1979.
class ProductProbe final : public OutputProbe {
public:
    struct Extents {
        std::int64_t m, n, k;
    };
    ProductProbe(const Extents& extents, Pass pass);

    /// Whether random vectors cost much less than the product, and sums with them stay exact.
    static bool suits(const Extents& extents);

    OutputCheck check(const BufferSpec& spec, std::span<const std::byte> got, const PassData& inputs,
                      std::span<const std::uint8_t> poison, std::uint64_t secret,
                      const Checkpoint& checkpoint) const override;

private:
    Extents extents_;
    Pass pass_;
};

}  // namespace kwb
