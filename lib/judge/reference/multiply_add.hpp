// SPDX-License-Identifier: Apache-2.0
// The CPU's own speed, as a measure for its BLAS library.
#pragma once

#include <cstdint>

namespace kwb {

/// Performs about `count` multiply-adds of floats, independent of each other and without access to memory, as
/// wide as this CPU can, on the calling thread.
/// @return  the floating-point operations performed; 0: there is no such loop for this CPU
std::uint64_t perform_multiply_adds(std::uint64_t count);

}  // namespace kwb
