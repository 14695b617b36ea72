// A kernel file as the reader of sources takes it.
#pragma once

#include "catalog/kernel_file.hpp"
#include "hints/hints.hpp"

namespace kwb {

/// With its includes; parameters have their defaults, defines the text that the compiler would get.
HintSource hint_source_of(const KernelFile& file);

}  // namespace kwb
