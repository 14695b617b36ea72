// Names in a kernel's declarations that nothing has.
#pragma once

#include <optional>
#include <vector>

#include "catalog/kernel_file.hpp"
#include "source/kernels.hpp"

namespace kwb {

/// Look for every name that [launch] and the other declarations use: kernel functions, arguments, what
/// expressions speak of. What the source hides (macros that paste names, system headers, conditions) is
/// given the benefit of the doubt, and so are sizes of a problem that nobody knows yet.
/// @param file  opened, with its includes
/// @throws BadInput "file:line:column: …" with what there is
void check_names(const KernelFile& file);

/// The same with the kernel functions of its source; nothing: they are not known, so only expressions are
/// checked.
void check_names(const KernelFile& file, const std::optional<std::vector<SourceKernel>>& kernels);

}  // namespace kwb
