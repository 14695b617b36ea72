// One kernel file, read from disk with all that belongs to it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

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
    /// The problem that it solves, where that is a person's own; spec.problem is its name.
    std::shared_ptr<const DeclaredProblem> own_problem = nullptr;
};

/// Refuse what `key` says.
/// @param key  as in find_places(); one that is not there gives the place where the declarations begin
/// @throws BadInput "file:line:column: what", without the place if the file declares nothing
[[noreturn]] void refuse_key(const KernelFile& file, std::string_view key, const std::string& what);

/// True for "blur.cl" and "blur.toml": no problem's name, but a file that declares one.
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
/// `problem = "other.cl"` (or ".toml"): the problem that the file of this name beside it, or in a folder
/// below, declares; others are for a person to name, see open_problem().
/// @throws  BadInput with the place: unreadable or empty file, front matter wrong or given twice, a parameter
///          whose value the source overrides
KernelFile read_kernel_file(const std::filesystem::path& path, const std::string& name,
                            const EditedTexts& edited = {});

/// With the neighbours that it includes, checked for overridden parameters too.
KernelFile open_kernel_file(const std::filesystem::path& path, const std::string& name,
                            const EditedTexts& edited = {});

}  // namespace kwb
