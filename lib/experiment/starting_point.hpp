// SPDX-License-Identifier: Apache-2.0
// Drafts of new files: a kernel for a problem, or the declaration of a problem from a kernel.
#pragma once

#include <filesystem>
#include <string>

#include "catalog/catalogue.hpp"
#include "catalog/kernel_file.hpp"
#include "problems/problem.hpp"
#include "source/kernels.hpp"

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

/// Reads a kernel function's signature: pointers to const are inputs, other pointers outputs, whole numbers
/// sizes and other numbers scalars. The extents of buffers are guessed, and the reference is left to the
/// user.
/// @return  TOML with [problem] and [launch], for FILE.cl.toml
/// @throws BadInput  an argument that no problem can have, such as an image3d_t
std::string begin_problem(const KernelFile& file, const SourceKernel& kernel);

/// Require that a declaration can be run as the side-car of this kernel's file.
/// @throws BadInput with the reason for which a run would refuse it
void require_usable(const std::filesystem::path& file, const std::string& declaration);

}  // namespace kwb
