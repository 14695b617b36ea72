// Names in a kernel's declarations that nothing has.
#pragma once

#include "catalog/kernel_file.hpp"

namespace kwb {

/// Look for every name that [launch] and the other declarations use: kernel functions, arguments, what
/// expressions speak of. What the source hides (macros that paste names, system headers, conditions) is
/// given the benefit of the doubt, and so are sizes of a problem that nobody knows yet.
/// @param file  opened, with its includes
/// @throws BadInput "file:line:column: …" with what there is
void check_names(const KernelFile& file);

}  // namespace kwb
