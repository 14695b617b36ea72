// SPDX-License-Identifier: Apache-2.0
// A kernel file together with everything that belongs to it, read from disk.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/named.hpp"
#include "catalog/declared_problem.hpp"
#include "catalog/edited_texts.hpp"
#include "catalog/place.hpp"
#include "model/finding.hpp"
#include "model/kernel_spec.hpp"

namespace kwb {

/// Limit for one file, and for all included ones together.
inline constexpr std::size_t kMostSourceBytes = 4u << 20;

struct KernelFile {
    KernelSpec spec;
    std::string declared_in;  ///< the file that lines and columns in spec refer to: the .cl or its side-car
    NamedList<Place> places;  ///< from find_places(), for declared_in; "" is where the declarations begin
    NamedList<std::string> includes;  ///< from collect_includes()
    /// The problem that it solves, if the user declared it in a file; spec.problem is its name.
    std::shared_ptr<const DeclaredProblem> own_problem = nullptr;
    /// Why this file cannot be used; then only spec.name and spec.file are valid.
    std::optional<Finding> refusal = {};
};

/// A file that cannot be used, because of `error`.
KernelFile refused_kernel(const std::filesystem::path& path, const std::string& name, const BadInput& error);

/// Throw an error at the place of `key`.
/// @param key  as in find_places(); for an unknown key, the place where the declarations begin is used
/// @throws BadInput "file:line:column: what", without the place if the file has no declarations
[[noreturn]] void refuse_key(const KernelFile& file, std::string_view key, const std::string& what);

/// True for "blur.cl" and "blur.toml": the path of a file that declares a problem, not the name of a built-in
/// one.
bool names_problem_file(std::string_view problem);

/// Open the problem that a file declares: a kernel file, its side-car, or a .toml file with only a [problem]
/// table.
/// @throws BadInput if the file is unreadable or declares no problem or an invalid one
std::shared_ptr<const DeclaredProblem> open_problem(const std::filesystem::path& path,
                                                    const EditedTexts& edited = {});

/// Makes `type` a part of the name of the problem, if the file has both: "matmul" of "double" is
/// "matmul:double".
/// @throws BadInput  with the location: there is no such problem or type, or the user declares the problem
void choose_type(KernelFile& file);

/// Read a kernel's declarations: its front matter, or else the side-car `file.cl.toml`. If there is neither,
/// spec.launches is empty.
/// @param name    becomes spec.name
/// @param edited  unsaved texts, used instead of the kernel file, its side-car and the files next to it
/// @return  without includes
/// `problem = "other.cl"` (or ".toml") refers to the problem that this file declares. The file must be in the
/// same folder or in a subfolder; only the user may name a file elsewhere, see open_problem().
/// @throws BadInput with the place: unreadable or empty file, one of more than 4 MiB, front matter invalid or
/// given twice, a
///          parameter whose value the source overrides
KernelFile read_kernel_file(const std::filesystem::path& path, const std::string& name,
                            const EditedTexts& edited = {});

/// Like read_kernel_file(), but also reads the included files and checks them for overridden parameters.
KernelFile open_kernel_file(const std::filesystem::path& path, const std::string& name,
                            const EditedTexts& edited = {});

/// The files that make up a kernel: the kernel file, its side-car (whether or not it exists), the files that
/// it includes, and those of a problem that the user declared.
std::vector<std::filesystem::path> files_of(const KernelFile& kernel);

// Checks that a kernel's source does not redefine its parameters: a #define in the source silently overrides
// the value from the command line.

/// Check that `source` defines each of `names` only if it is not yet defined: inside `#ifndef NAME`,
/// `#if !defined(NAME)` or the `#else` of `#ifdef NAME`.
/// @param file   for the message
/// @param names  macros that are passed to the compiler as -DNAME=value
/// @throws BadInput "file:line:column: …" at the first unguarded #define or #undef
void check_param_guards(const std::string& file, std::string_view source,
                        const std::vector<std::string>& names);

// Collects the files that a kernel includes, so that the kernel can be sent to a process that has no access
// to its folder.

/// Read every file that `source` includes with quotes, and the files that those include, in the order of
/// their first #include. `#include <…>` and commented-out directives are ignored.
/// @param path    of the kernel file; only its folder and subfolders are read
/// @param source  the kernel's text
/// @param edited  unsaved texts, used instead of files
/// @return  path relative to the kernel's folder ("tile.h", "parts/load.h") → text
/// @throws BadInput "file:line:column: …" for an absolute path, one that leaves the folder, a file that
///          cannot be read, more than 64 files or 4 MiB
NamedList<std::string> collect_includes(const std::filesystem::path& path, std::string_view source,
                                        const EditedTexts& edited = {});

/// Find the first #include that leads back to a file that is already being included. Ignores include guards,
/// so call this only if the preprocessor reported that the includes of `source` are nested too deeply.
/// @param includes  from collect_includes()
/// @return  "file:line: includes itself …"; empty if there is none
std::optional<std::string> find_self_inclusion(const std::filesystem::path& path, std::string_view source,
                                               const NamedList<std::string>& includes);

}  // namespace kwb
