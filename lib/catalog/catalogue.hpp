// SPDX-License-Identifier: Apache-2.0
// The collection of kernels in one or more folders.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/kernel_file.hpp"

namespace kwb {

struct CatalogueEntry {
    std::string name;                  ///< "matmul/tiled"
    std::filesystem::path path;        ///< "…/kernels/matmul/02_tiled.cl"
    std::optional<KernelFile> kernel;  ///< without includes; missing if the file is broken
    std::string error;                 ///< why the file is broken, with the place; empty otherwise
};

/// Every `.cl` file in the given folders and their subfolders, read once. `matmul/02_tiled.cl` is named
/// `matmul/tiled`: the number only determines the order of the list. If two files would get the same name,
/// the first folder wins; within one folder, the later file keeps its number in the name.
class Catalogue {
public:
    /// @param folders  in order of precedence
    /// @throws BadInput for a folder that does not exist or cannot be listed
    /// A broken file becomes an entry that holds the error message.
    explicit Catalogue(const std::vector<std::filesystem::path>& folders);

    /// Folder by folder, sorted by file name within each.
    const std::vector<CatalogueEntry>& entries() const { return entries_; }

    /// @param name  as listed, or with its number (`matmul/02_tiled`)
    /// @throws BadInput for an unknown name; the message suggests the most similar names
    const CatalogueEntry& find(std::string_view name) const;

    /// Read one kernel together with the files that it includes.
    /// @param path_or_name  a path (it ends in .cl, or names an existing file), or a name from the catalogue
    /// @throws BadInput for an unknown name or a broken file
    KernelFile open(const std::string& path_or_name) const;

    /// The same, but a broken file is returned with its refusal. @throws BadInput for an unknown name
    KernelFile open_or_refuse(const std::string& path_or_name) const;

private:
    std::pair<std::filesystem::path, std::string> locate(const std::string& path_or_name) const;
    void add_folder(const std::filesystem::path& folder);
    const CatalogueEntry* look_up(std::string_view name) const;

    std::vector<CatalogueEntry> entries_;
};

/// The .cl files of a folder, without those of its subfolders, sorted.
/// @throws BadInput  the folder cannot be read
std::vector<std::filesystem::path> kernels_in(const std::filesystem::path& folder);

/// "matmul/02_tiled.cl" → "matmul/tiled"
std::string catalogue_name(const std::filesystem::path& path_in_folder);

}  // namespace kwb
