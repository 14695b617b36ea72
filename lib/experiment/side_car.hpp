// SPDX-License-Identifier: Apache-2.0
// The side-car: a file next to a kernel that declares how it is run. Also the command that writes it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/kernel_file.hpp"
#include "experiment/own_options.hpp"
#include "model/kernel_spec.hpp"

namespace kwb {

/// "mine.cl" → "mine.cl.toml"
std::filesystem::path side_car_of(const std::filesystem::path& kernel);

/// The value of `problem` for a side-car next to the kernel: the name of a problem, or the path of the file
/// that declares it, relative to the kernel's folder.
/// @throws BadInput that file is outside the kernel's folder; a side-car must not refer to such files, see
///                   read_kernel_file()
std::string problem_in_side_car(const KernelFile& kernel);

/// TOML with the problem, launches, macros and init of `spec`. Read back by parse_front_matter() it gives the
/// same plan. Declarations that `kwb adopt` never produces (parameters, requirements, …) are left out.
std::string side_car_text(const KernelSpec& spec);

/// "kwb adopt 'my kernel.cl' --problem matmul --args M,N,K", ready to paste into a shell; if something else
/// must be done before adopting, a sentence that explains it.
/// @param file     its problem is used if no option names one
/// @param options  as given for this file
std::string adopt_command(const KernelFile& file, const OwnOptions& options);

// Files written by the user, which no output may overwrite.

/// True if two paths refer to the same file, also through links or different spellings. Files that do not
/// exist yet are compared by path. Always false if `a` is not a regular file: a device such as /dev/null can
/// take any number of outputs.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// All files that define a kernel and its expected results: source, side-car and includes; for a problem
/// declared by the user also the declaration, the arrays, and the reference with its side-car and includes.
/// They need not exist. The reference is read to find its includes; if it cannot be read, none are listed.
std::vector<std::filesystem::path> kept_files(const KernelFile& kernel);

/// @param named   the output as named in messages: "--csv out.csv"
/// @param kernel  completed, so that its problem is known
/// @throws BadInput  `output` is one of its kept_files()
void refuse_replacing(const std::string& named, const std::filesystem::path& output,
                      const KernelFile& kernel);

}  // namespace kwb
