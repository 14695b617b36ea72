// SPDX-License-Identifier: Apache-2.0
// What the arguments of a kernel without declarations may be, for a person who chooses from lists.
#pragma once

#include <string>
#include <vector>

#include "model/problem.hpp"
#include "source/kernels.hpp"

namespace kwb {

/// An argument of a kernel function, in the order of the source.
struct ArgumentOffer {
    std::string guess;                 ///< the most likely value; empty: a guess would be arbitrary
    std::vector<std::string> choices;  ///< buffers of its type, or sizes and numbers; or, of a __local
                                       ///< pointer, numbers of elements
};

/// Guesses by name, then by role and order: of the pointers without a matching name, those to const are the
/// next inputs, the others the next outputs; a number is a size of the problem, 0 if its name is that of an
/// offset. A guess is no finding: a person has to confirm it.
std::vector<ArgumentOffer> offer_arguments(const SourceKernel& kernel, const ProblemInstance& problem);

/// Values of macros, and extents of an NDRange: sizes, and expressions of two of them.
std::vector<std::string> offer_expressions(const ProblemInstance& problem);

/// NDRanges: one work-item, each size, each pair of them, and a fixed number.
std::vector<std::string> offer_ranges(const ProblemInstance& problem);

}  // namespace kwb
