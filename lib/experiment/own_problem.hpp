// SPDX-License-Identifier: Apache-2.0
// Drafts the declaration of a problem from a kernel that solves it.
#pragma once

#include <filesystem>
#include <string>

#include "catalog/kernel_file.hpp"
#include "source/kernels.hpp"

namespace kwb {

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
