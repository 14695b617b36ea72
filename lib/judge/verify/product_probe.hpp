// SPDX-License-Identifier: Apache-2.0
// Checks C = A · B without computing all of it: by products with random vectors, and by comparing a part of
// the elements.
#pragma once

#include "judge/verify/output_check.hpp"

namespace kwb {

/// A wrong row of C shows as a difference between C x and A (B x) for a random vector x; a wrong column
/// likewise with vectors from the left. Rows that differ are then computed completely, in double precision,
/// and their elements are compared one by one with the usual bound: the vectors only raise a suspicion.
/// Pass::Exact: x consists of integers with 2^p possible values, and all sums are exact. A row with a wrong
/// element passes the test with one vector with probability 2^-p; there are enough vectors for a total of at
/// most 2^-32.
/// Pass::Real: rounding makes every row differ a little, so the rows that differ most are computed
/// completely. Let t be the largest difference among the other rows. x consists of +1 and -1, drawn after the
/// run. If an element is wrong by d, the differences for its two signs are 2 d apart, so at most one of them,
/// with probability 1/2, is below d: an element wrong by more than t passes one vector with probability at
/// most 1/2. The result reports t plus the rounding error of the judge's own sums (`visible_error`). In
/// addition, one element in each cell of the error map is compared, and every element is inspected for poison
/// and for values that no sum can have. Source: R. Freivalds, "Fast probabilistic algorithms", 1979.
/// @param data    the inputs of the run that produced `got`
/// @param poison  the scalar pattern that the output was filled with before the run
/// @param secret  selects what is compared; drawn after the run, so that no kernel can know it
/// @return  with a complete error map and `random`
OutputCheck check_product(const ProductExtents& extents, Pass pass, const BufferSpec& spec,
                          std::span<const std::byte> got, const PassData& data,
                          std::span<const std::uint8_t> poison, std::uint64_t secret,
                          const Checkpoint& checkpoint);

/// True if random vectors cost much less than the product and the sums with them are exact.
bool suits_probe(const ProductExtents& extents);

}  // namespace kwb
