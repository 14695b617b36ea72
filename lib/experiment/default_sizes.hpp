// SPDX-License-Identifier: Apache-2.0
// The size of a run for which nobody chose one.
#pragma once

#include <string>

#include "problems/problem.hpp"

namespace kwb {

/// The usual sizes of the problem, or on a CPU larger ones, so that the largest input is at least twice as
/// large as the second-level cache: caches hide the differences between kernels whose inputs fit. A limit on
/// the operations keeps six rounds of a naive kernel to some ten seconds.
/// @param device  nullptr: not known yet
Sizes default_sizes_on(const Problem& problem, const DeviceInfo* device);

/// Why they are not the usual ones: "inputs of 4 MiB exceed the 2 MiB second-level cache". Empty for the
/// usual sizes, and for inputs that the cache holds.
std::string describe_default_sizes(const Problem& problem, const Sizes& sizes, const DeviceInfo& device);

}  // namespace kwb
