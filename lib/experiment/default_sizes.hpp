// SPDX-License-Identifier: Apache-2.0
// The size of a run for which nobody chose one.
#pragma once

#include <string>

#include "problems/problem.hpp"

namespace kwb {

/// The usual sizes of the problem, or on a CPU larger ones, so that its largest input is at least twice as
/// large as the second-level cache: in a smaller one, caches hide what distinguishes kernels. Not larger than
/// lets six rounds of a naive kernel take some ten seconds.
/// @param device  nullptr: not known yet
Sizes default_sizes_on(const Problem& problem, const DeviceInfo* device);

/// Why they are not the usual ones: "inputs of 4 MiB exceed the 2 MiB second-level cache". Empty if they are,
/// or if it is not so.
std::string describe_default_sizes(const Problem& problem, const Sizes& sizes, const DeviceInfo& device);

}  // namespace kwb
