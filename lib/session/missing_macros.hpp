// Macros that a kernel's host program would have defined.
#pragma once

#include <string>

#include "catalog/kernel_file.hpp"
#include "model/result.hpp"

namespace kwb {

/// What to do about names that a compiler did not know and about an #error that asks for a macro.
/// @param file  that `result` is about
/// @return  a sentence: "if its host program defined LEN, say -D LEN=…", for a side-car "… add LEN = … to
///          [defines] of mine.cl.toml"; empty for a file with a front matter, whose author knows, and where
///          nothing of this kind is missing
std::string advise_macros(const KernelResult& result, const KernelFile& file);

}  // namespace kwb
