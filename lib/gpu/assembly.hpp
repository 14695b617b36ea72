// Reads the assembly that compilers print for GPUs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/machine_code.hpp"

namespace kwb {

/// @param text    what clang -S printed for an AMD target, with line tables
/// @param folder  that of the source, with a '/' at the end: places name files relative to it
/// @return  one for each kernel function, in the order of the source
std::vector<MachineCode> read_amd_assembly(std::string_view text, const std::string& folder);

/// Likewise, of PTX. Registers are unknown: those of PTX are virtual.
std::vector<MachineCode> read_ptx(std::string_view text, const std::string& folder);

/// Fill in what `ptxas -v` says about these kernels.
void add_ptxas_figures(std::string_view messages, std::vector<MachineCode>& kernels);

/// PTX that ptxas accepts: without the debug information, in which clang's PTX differs from NVIDIA's.
std::string ptx_for_ptxas(std::string_view text);

}  // namespace kwb
