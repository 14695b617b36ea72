// SPDX-License-Identifier: Apache-2.0
#include "catalog/kernel_folders.hpp"

#include <algorithm>

namespace kwb {
namespace fs = std::filesystem;

namespace {

bool lies_below(const fs::path& file, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

// The path is canonical because a build folder links to the sources, and messages should name the file that
// the user edits.
fs::path shipped(const char* name) {
    const fs::path folder =
        fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "share" / "kwb" / name;
    std::error_code missing;
    return fs::is_directory(folder, missing) ? fs::canonical(folder) : fs::path();
}

}  // namespace

fs::path shipped_kernels() {
    return shipped("kernels");
}

fs::path shipped_lessons() {
    return shipped("lessons");
}

Catalogue open_catalogue(const std::vector<fs::path>& given) {
    std::vector<fs::path> folders = given;
    const fs::path shipped = shipped_kernels();
    if (!shipped.empty()) folders.push_back(shipped);
    return Catalogue(folders);
}

Trust trust_of(const fs::path& file, const fs::path& shipped) {
    std::error_code missing;
    const fs::path real = fs::canonical(file, missing);
    if (missing || shipped.empty() || !lies_below(real, shipped)) return Trust::Own;
    return Trust::Shipped;
}

}  // namespace kwb
