// The command that keeps what options said about a kernel.
#pragma once

#include <string>

#include "catalog/kernel_file.hpp"
#include "session/own_options.hpp"

namespace kwb {

/// "kwb adopt 'my kernel.cl' --problem matmul --args M,N,K", ready to paste into a shell; where adopting
/// needs something else first, a sentence that says what.
/// @param file     its problem is named where no option says it
/// @param options  as they were given for this file
std::string adopt_command(const KernelFile& file, const OwnOptions& options);

}  // namespace kwb
