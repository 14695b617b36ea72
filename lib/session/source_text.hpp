// Converts a kernel file to the input of the source analysis.
#pragma once

#include "catalog/kernel_file.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// The source with its includes. Parameters have their defaults, macros their values at the problem's default
/// sizes.
SourceText source_text_of(const KernelFile& file);

}  // namespace kwb
