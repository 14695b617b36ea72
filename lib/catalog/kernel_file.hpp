// One kernel file, read from disk with everything that belongs to it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "catalog/declared_problem.hpp"
#include "catalog/edited_texts.hpp"
#include "catalog/place.hpp"
#include "model/kernel_spec.hpp"

namespace kwb {

struct KernelFile {
    KernelSpec spec;
    std::string declared_in;  ///< the file that spec's lines and columns refer to: the .cl or its side-car
    NamedList<Place> places;  ///< in it: from find_places(); "" is where the declarations begin
    NamedList<std::string> includes;  ///< from collect_includes()
    /// The problem that it solves, if a file declares that; spec.problem is its name.
    std::shared_ptr<const DeclaredProblem> own_problem = nullptr;
};

/// Refuse the value of `key`.
/// @param key  as in find_places(); one that is not there gives the place where the declarations begin
/// @throws BadInput "file:line:column: what", without the place if the file declares nothing
[[noreturn]] void refuse_key(const KernelFile& file, std::string_view key, const std::string& what);

/// True for "blur.cl" and "blur.toml": not the name of a problem, but a file that declares one.
bool names_problem_file(std::string_view problem);

/// The problem that a file declares: a kernel's, its side-car, or a .toml file that holds nothing but
/// [problem].
/// @throws BadInput  unreadable, declares none, or declares it wrongly
std::shared_ptr<const DeclaredProblem> open_problem(const std::filesystem::path& path,
                                                    const EditedTexts& edited = {});

/// Read a kernel's declarations: its front matter, else the side-car `file.cl.toml`, else nothing (then
/// spec.launches is empty).
/// @param name    becomes spec.name
/// @param edited  stands in for files: the kernel's own, its side-car, its neighbours
/// @return  without includes
/// `problem = "other.cl"` (or ".toml") stands for the problem that this file declares, which must lie in the
/// same folder or below. Only the user may name a file elsewhere, see open_problem().
/// @throws  BadInput with the place: unreadable or empty file, front matter wrong or given twice, a parameter
///          whose value the source overrides
KernelFile read_kernel_file(const std::filesystem::path& path, const std::string& name,
                            const EditedTexts& edited = {});

/// The same with the files that it includes, which are checked for overridden parameters too.
KernelFile open_kernel_file(const std::filesystem::path& path, const std::string& name,
                            const EditedTexts& edited = {});

/// The files that a kernel consists of: its own, its side-car (there or not), the neighbours that it
/// includes, and those of a problem of the user's.
std::vector<std::filesystem::path> files_of(const KernelFile& kernel);

}  // namespace kwb
