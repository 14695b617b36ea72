// SPDX-License-Identifier: Apache-2.0
// The templates for a new kernel file.
#pragma once

#include <string>

#include "catalog/catalogue.hpp"
#include "problems/problem.hpp"

namespace kwb {

enum class StartingBody {
    Blanks,  ///< ____ for what the kernel computes: conditions and values that are more than a name or number
    Solved   ///< correct at every size
};

/// The text of a new kernel file: the simplest kernel of the catalogue for the problem, with explanatory
/// comments in the front matter.
/// @param file  the name of the new file, for the commands in its comments: "my_kernel.cl"
/// @throws BadInput  the catalogue has no kernel for the problem
std::string starting_point(const Problem& problem, const Catalogue& catalogue, const std::string& file,
                           StartingBody body);

/// The text of an empty kernel for the problem: a function that takes all of its arguments under their names
/// and does nothing yet. It has no front matter, because its launch can be inferred.
/// @param file  the name of the new file; the function is named after it
std::string blank_kernel(const Problem& problem, const std::string& file);

}  // namespace kwb
