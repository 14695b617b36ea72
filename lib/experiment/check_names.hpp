// SPDX-License-Identifier: Apache-2.0
// Finds undefined names in the declarations of a kernel file.
#pragma once

#include <optional>
#include <vector>

#include "catalog/kernel_file.hpp"
#include "problems/problem.hpp"
#include "source/kernels.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// Check every name that [launch] and the other declarations use: kernel functions, arguments, and names in
/// expressions. A name is accepted if it may exist where the check cannot see it (macros that paste names,
/// system headers, conditional compilation). Expressions are not checked if the problem is unknown, because
/// its sizes are unknown, too.
/// @param file  opened, with its includes
/// @throws BadInput  "file:line:column: …", with a list of the names that exist
void check_names(const KernelFile& file);

/// As above, with the kernel functions already read from the source.
/// @param kernels  none: they are unknown, so only expressions are checked
void check_names(const KernelFile& file, const std::optional<std::vector<SourceKernel>>& kernels);

// What other code asks about a kernel file.

/// The problem that the file declares, else the one that it names; null: it names none, or an unknown one.
const Problem* find_problem_of(const KernelFile& file);

/// The input of the source analysis: the source with its includes. Parameters have their defaults, macros
/// their values at the problem's default sizes.
SourceText source_text_of(const KernelFile& file);

}  // namespace kwb
