// The side-car: a file next to a kernel that declares how it is run. Also the command that writes it.
#pragma once

#include <filesystem>
#include <string>

#include "catalog/kernel_file.hpp"
#include "model/kernel_spec.hpp"
#include "session/own_options.hpp"

namespace kwb {

/// "mine.cl" → "mine.cl.toml"
std::filesystem::path side_car_of(const std::filesystem::path& kernel);

/// The value of `problem` for a side-car next to the kernel: the name of a problem, or the path of the file
/// that declares it, relative to the kernel's folder.
/// @throws BadInput  that file is outside of the kernel's folder; a side-car must not refer to such files,
///                   see read_kernel_file()
std::string problem_in_side_car(const KernelFile& kernel);

/// TOML with the problem, launches, macros and init of `spec`. Read back by parse_front_matter() it gives the
/// same plan. Declarations that `kwb adopt` never produces (parameters, requirements, …) are left out.
std::string side_car_text(const KernelSpec& spec);

/// "kwb adopt 'my kernel.cl' --problem matmul --args M,N,K", ready to paste into a shell; if something else
/// must be done before adopting, a sentence that says what.
/// @param file     its problem is used if no option names one
/// @param options  as given for this file
std::string adopt_command(const KernelFile& file, const OwnOptions& options);

}  // namespace kwb
