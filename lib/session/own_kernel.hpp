// A .cl file that says nothing about itself, made whole by options, its own source and the problem.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "catalog/kernel_file.hpp"
#include "session/experiment.hpp"
#include "session/own_options.hpp"

namespace kwb {

/// Lines for the person: what was taken from where.
using Said = std::vector<std::string>;

/// Why no source can be read before it is built, and what to install; empty where it can.
std::string explain_unread_sources();

/// Complete a kernel file that has no launch: kernel function, arguments, global and local sizes, local
/// memory, macros. One that has a launch is only given what options add to it.
/// @param file     opened; with a problem, or `options` has one
/// @param said     gets lines if something was worked out that nobody said
/// @throws BadInput with place and remedy: an option that contradicts the file, a function, argument or macro
///                  that is not there, anything that nothing tells
KernelFile complete_kernel(KernelFile file, const OwnOptions& options, Said& said);

/// The plan at the problem's usual size on a device that refuses nothing, to show it without one.
/// @return  nothing for a kernel without a launch or a problem that is known
/// @throws BadInput  as resolve()
std::optional<KernelPlan> resolve_anywhere(const KernelFile& file, const PlanChoices& choices);

/// Complete all that need it. Options about a launch are for the only file without one.
/// A file without a problem solves that of the other files, if no option says it.
/// @throws BadInput  as complete_kernel(); or the options fit several files
void complete_kernels(std::vector<std::optional<KernelFile>>& contestants, const OwnOptions& options,
                      Said& said);

/// What `kwb adopt` begins with: the file as if no side-car were beside it.
/// @throws BadInput  unreadable, or it has a front matter
KernelFile open_bare_kernel(const std::filesystem::path& path);

/// What to type so that a file without front matter can be used: "kwb adopt mine.cl --problem matmul".
/// @param problem  to be named if the file names none
std::string advise_adoption(const KernelFile& file, const std::string& problem = "matmul");

/// A declaration is missing: a file that declares nothing can be adopted, another one is changed.
/// @param missing      half a sentence: "does not say how it is launched"
/// @param declaration  to be added: "problem = \"matmul\""
/// @param problem      as for advise_adoption()
/// @throws BadInput  with the place
[[noreturn]] void refuse_undeclared(const KernelFile& file, const std::string& missing,
                                    const std::string& declaration, const std::string& problem = "matmul");

/// The same of a file that does not say which problem it solves.
/// @param problem  that the advice names
[[noreturn]] void refuse_without_problem(const KernelFile& file, const std::string& problem = "matmul");

}  // namespace kwb
