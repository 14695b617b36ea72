// SPDX-License-Identifier: Apache-2.0
// Finds kernels that can only solve square instances of a problem.
#pragma once

#include <string>

#include "catalog/kernel_file.hpp"
#include "problems/problem.hpp"

namespace kwb {

/// The only size of the problem that is passed to a kernel, if rows of one of its buffers have another
/// length: with N alone, it cannot find a row of A, which has K elements, unless K is N.
/// @param file  with a launch
/// @return empty: the kernel gets each length, or there is none; it has a [require], which states its needs;
///          or the size is unknown, e.g. because the kernel queries the NDRange's size, or the source cannot
///          be read
/// Blocks like read_source().
std::string only_size_of(const KernelFile& file, const Problem& problem);

}  // namespace kwb
