// A kernel file as the reader of sources takes it.
#pragma once

#include "catalog/kernel_file.hpp"
#include "source/text.hpp"

namespace kwb {

/// With its includes; parameters have their defaults, and macros the values at the problem's default sizes.
SourceText source_text_of(const KernelFile& file);

}  // namespace kwb
