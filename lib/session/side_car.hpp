// The file next to a kernel that says how it is run, and the command that writes it.
#pragma once

#include <filesystem>
#include <string>

#include "catalog/kernel_file.hpp"
#include "model/kernel_spec.hpp"
#include "session/own_options.hpp"

namespace kwb {

/// "mine.cl" → "mine.cl.toml"
std::filesystem::path side_car_of(const std::filesystem::path& kernel);

/// What a side-car beside the kernel says that it solves: a problem's name, or the path, from the kernel's
/// folder, of the file that declares it.
/// @throws BadInput  that file is not in the kernel's folder or below: no side-car may lead to it, see
///                   read_kernel_file()
std::string problem_in_side_car(const KernelFile& kernel);

/// TOML that says what `spec` says: problem, launches, macros, init. Read back by parse_front_matter() it
/// gives the same plan. What `kwb adopt` cannot know (parameters, requirements, …) is left out.
std::string side_car_text(const KernelSpec& spec);

/// "kwb adopt 'my kernel.cl' --problem matmul --args M,N,K", ready to paste into a shell; where adopting
/// needs something else first, a sentence that says what.
/// @param file     its problem is named where no option says it
/// @param options  as they were given for this file
std::string adopt_command(const KernelFile& file, const OwnOptions& options);

}  // namespace kwb
