// A kernel to begin with.
#pragma once

#include <string>

#include "catalog/catalogue.hpp"
#include "problems/problem.hpp"

namespace kwb {

/// The text of a kernel file of one's own: the simplest kernel of the catalogue for the problem, which is
/// right at every size, with a front matter that explains itself.
/// @param file  its future name, for the commands in its comments: "my_kernel.cl"
/// @throws BadInput  the catalogue has no kernel for the problem
std::string starting_point(const Problem& problem, const Catalogue& catalogue, const std::string& file);

}  // namespace kwb
