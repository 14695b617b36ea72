// One kernel file, read from disk with all that belongs to it.
#pragma once

#include <filesystem>
#include <string>

#include "base/named.hpp"
#include "model/kernel_spec.hpp"

namespace kwb {

struct KernelFile {
    KernelSpec spec;
    std::string declared_in;  ///< the file that spec's lines and columns refer to: the .cl or its side-car
    NamedList<std::string> includes;  ///< from collect_includes()
};

/// Read a kernel's declarations: its front matter, else the side-car `file.cl.toml`, else nothing (then
/// spec.launches is empty).
/// @param name  becomes spec.name
/// @return  without includes
/// @throws  BadInput with the place: unreadable file, wrong front matter, a parameter whose value the source
///          overrides
KernelFile read_kernel_file(const std::filesystem::path& path, const std::string& name);

/// The same with the neighbours that it includes, checked for overridden parameters too.
KernelFile open_kernel_file(const std::filesystem::path& path, const std::string& name);

}  // namespace kwb
