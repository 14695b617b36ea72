// SPDX-License-Identifier: Apache-2.0
#include "catalog/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/request.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// Paths of all .cl files in `folder` and its subfolders, relative to it, sorted. Hidden folders are skipped.
std::vector<fs::path> list_kernel_files(const fs::path& folder) {
    std::vector<fs::path> files;
    try {
        const auto options = fs::directory_options::skip_permission_denied;
        for (auto it = fs::recursive_directory_iterator(folder, options); it != fs::end(it); ++it) {
            const fs::path& path = it->path();
            if (path.filename().string().starts_with('.')) {
                it.disable_recursion_pending();
                continue;
            }
            if (path.extension() == ".cl" && !it->is_directory())
                files.push_back(path.lexically_relative(folder));
        }
    } catch (const fs::filesystem_error& error) {
        throw BadInput(fmt::format("{}: cannot list the kernels of this folder: {}", folder.string(),
                                   error.code().message()));
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string name_with_number(const fs::path& path_in_folder) {
    return fs::path(path_in_folder).replace_extension().generic_string();
}

}  // namespace

std::vector<fs::path> kernels_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::path& file : list_kernel_files(folder))
        if (file.parent_path().empty()) files.push_back((folder / file).lexically_normal());
    return files;
}

std::string catalogue_name(const fs::path& path_in_folder) {
    const std::string stem = path_in_folder.stem().string();
    std::size_t digits = 0;
    while (digits < stem.size() && std::isdigit(static_cast<unsigned char>(stem[digits]))) ++digits;
    const bool numbered = digits > 0 && digits + 1 < stem.size() && stem[digits] == '_';
    return (path_in_folder.parent_path() / (numbered ? stem.substr(digits + 1) : stem)).generic_string();
}

Catalogue::Catalogue(const std::vector<fs::path>& folders) {
    for (const fs::path& folder : folders) add_folder(folder);
}

void Catalogue::add_folder(const fs::path& folder) {
    const std::size_t first_of_folder = entries_.size();
    for (const fs::path& file : list_kernel_files(folder)) {
        std::string name = catalogue_name(file);
        if (const CatalogueEntry* other = look_up(name)) {
            const bool same_folder = other >= entries_.data() + first_of_folder;
            if (!same_folder) continue;
            name = name_with_number(file);
        }
        CatalogueEntry entry{name, folder / file, std::nullopt, ""};
        try {
            entry.kernel = read_kernel_file(entry.path, name);
        } catch (const BadInput& error) {
            entry.error = error.what();
        }
        entries_.push_back(std::move(entry));
    }
}

const CatalogueEntry* Catalogue::look_up(std::string_view name) const {
    for (const CatalogueEntry& entry : entries_)
        if (entry.name == name) return &entry;
    return nullptr;
}

const CatalogueEntry& Catalogue::find(std::string_view name) const {
    if (const CatalogueEntry* entry = look_up(name)) return *entry;
    if (const CatalogueEntry* entry = look_up(catalogue_name(std::string(name) + ".cl"))) return *entry;
    std::vector<std::string> names;
    for (const CatalogueEntry& entry : entries_) names.push_back(entry.name);
    names.push_back(kHostBlasName);  // not a file, but valid wherever a kernel is named
    throw BadInput(
        fmt::format("there is no kernel '{}'.{} 'kwb kernels' lists them.", name, did_you_mean(name, names)));
}

std::pair<fs::path, std::string> Catalogue::locate(const std::string& path_or_name) const {
    std::error_code ignored;
    if (path_or_name.ends_with(".cl") && !fs::exists(path_or_name, ignored))
        if (const CatalogueEntry* entry = look_up(path_or_name.substr(0, path_or_name.size() - 3)))
            throw BadInput(
                fmt::format("there is no file {}; the kernel is called {}", path_or_name, entry->name));
    if (path_or_name.ends_with(".cl") || fs::is_regular_file(path_or_name, ignored))
        return {path_or_name, path_or_name};
    const CatalogueEntry& entry = find(path_or_name);
    return {entry.path, entry.name};
}

KernelFile Catalogue::open(const std::string& path_or_name) const {
    const auto [path, name] = locate(path_or_name);
    return open_kernel_file(path, name);
}

KernelFile Catalogue::open_or_refuse(const std::string& path_or_name) const {
    const auto [path, name] = locate(path_or_name);
    try {
        return open_kernel_file(path, name);
    } catch (const BadInput& error) {
        return refused_kernel(path, name, error);
    }
}

}  // namespace kwb
