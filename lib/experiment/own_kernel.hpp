// SPDX-License-Identifier: Apache-2.0
// Completes a .cl file without declarations, from options, its source and the problem.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "catalog/kernel_file.hpp"
#include "experiment/opened_experiment.hpp"
#include "experiment/own_options.hpp"
#include "source/kernels.hpp"

namespace kwb {

/// Lines for the user: which values were chosen, and why.
using Notes = std::vector<std::string>;

/// Why sources cannot be analysed before they are built, and what to install; empty if they can.
std::string explain_unread_sources();

/// The kernel function that --entry names, else the only one.
/// @throws BadInput  there is no such function, or more than one; the source cannot be read
SourceKernel choose_entry(const KernelFile& file, const OwnOptions& options);

/// Complete a kernel file that has no launch: kernel function, arguments, global and local sizes, local
/// memory, macros. To a file with a launch only the problem and the macros of the options are added.
/// @param file  opened; either it or `options` names a problem
/// @param notes  receives lines about everything that was deduced
/// @throws BadInput  with place and remedy: an option contradicts the file; a function, argument or macro
///                   does not exist; a value cannot be deduced
KernelFile complete_kernel(KernelFile file, const OwnOptions& options, Notes& notes);

/// The plan at the problem's default size for a device without limits, to show it without a real device.
/// @return  nothing for a kernel without a launch or without a known problem
/// @throws BadInput  as resolve()
std::optional<KernelPlan> resolve_anywhere(const KernelFile& file, const KernelChoices& choices);

/// Complete all files that need it. Options about a launch apply to the only file without one. A file without
/// a problem gets the problem of the options, else that of the other files. One of several files that cannot
/// be completed is refused, unless the options describe its launch.
/// @throws BadInput  as complete_kernel(); or it is not clear which file the options apply to
void complete_kernels(std::vector<std::optional<KernelFile>>& contestants, const OwnOptions& options,
                      Notes& notes);

/// Open a file for `kwb adopt`, ignoring its side-car.
/// @throws BadInput  the file is unreadable or empty, or it has a front matter
KernelFile open_bare_kernel(const std::filesystem::path& path);

/// The command that makes a file without front matter usable: "kwb adopt mine.cl --problem matmul".
/// @param problem  used if the file names none
std::string advise_adoption(const KernelFile& file, const std::string& problem = "matmul");

/// Throw an error about a missing declaration. It advises to adopt a file without any declarations, and to
/// edit any other file.
/// @param missing half a sentence: "does not declare its launch"
/// @param declaration  the text to add: "problem = \"matmul\""
/// @param problem      as for advise_adoption()
/// @throws BadInput  with the place; Refused if the file has no declarations
[[noreturn]] void refuse_undeclared(const KernelFile& file, const std::string& missing,
                                    const std::string& declaration, const std::string& problem = "matmul");

/// As above, for a file that does not name its problem.
/// @param problem  the problem to name in the advice; empty: those that its arguments fit
/// Blocks like read_source() if `problem` is empty.
[[noreturn]] void refuse_without_problem(const KernelFile& file, const std::string& problem = "");

}  // namespace kwb
