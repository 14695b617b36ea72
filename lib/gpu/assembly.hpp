// SPDX-License-Identifier: Apache-2.0
// Reads the assembly that compilers print for GPUs, and that of PoCL's CPU devices.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/machine_code.hpp"

namespace kwb {

/// @param text    what clang -S printed for an AMD target, with line tables
/// @param folder  that of the source, with a '/' at the end: places name files relative to it
/// @return  one for each kernel function, in the order of the source, with the functions that it calls
std::vector<MachineCode> read_amd_assembly(std::string_view text, const std::string& folder);

/// Likewise, of PTX. Registers are unknown: those of PTX are virtual.
std::vector<MachineCode> read_ptx(std::string_view text, const std::string& folder);

/// The functions that code for an AMD target calls and does not contain, without their signatures: clang
/// leaves a reference for the linker, and what it prints about registers leaves them out.
std::vector<std::string> undefined_functions(std::string_view amd_assembly);

/// Likewise, of PTX. `printf` is among them, although NVIDIA's drivers have it.
std::vector<std::string> undefined_ptx_functions(std::string_view text);

/// Fill in the figures of `ptxas -v` for these kernels.
void add_ptxas_figures(std::string_view messages, std::vector<MachineCode>& kernels);

/// Likewise, of the code with which PoCL runs all work-items of a work-group on a CPU, and of the functions
/// that it calls. Jumps name labels.
/// @param text    what `objdump -d -l --no-show-raw-insn` printed for PoCL's library of one kernel function
/// @param file    the name of the main file, as PoCL was given it
/// @param folder  that of the included files, with a '/' at the end; it may be a part of the path
/// @return  without instructions if the library has no such function
MachineCode read_pocl_assembly(std::string_view text, const std::string& kernel, const std::string& file,
                               const std::string& folder);

/// PTX that ptxas accepts: without the debug information, in which clang's PTX differs from NVIDIA's.
std::string ptx_for_ptxas(std::string_view text);

}  // namespace kwb
