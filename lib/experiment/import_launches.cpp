// SPDX-License-Identifier: Apache-2.0
#include "experiment/import_launches.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostImported = 1000;
constexpr int kMostImportDepth = 4;

void find_intercept_folders(const fs::path& folder, int depth, std::vector<fs::path>& found) {
    if (found.size() == kMostImported) return;
    std::error_code error;
    if (fs::is_regular_file(folder / "worksizes.txt", error)) {
        found.push_back(folder);
        return;
    }
    if (depth == kMostImportDepth) return;
    std::vector<fs::path> inner;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.is_directory(error) && !entry.is_symlink(error)) inner.push_back(entry.path());
    std::ranges::sort(inner);
    for (const fs::path& one : inner) find_intercept_folders(one, depth + 1, found);
}

}  // namespace

std::vector<capture::RawLaunch> import_launches(const fs::path& from, const fs::path& staging) {
    std::error_code error;
    if (!fs::is_directory(from, error)) return {import_oclgrind(from, staging)};
    std::vector<fs::path> folders;
    find_intercept_folders(from, 0, folders);
    if (folders.empty())
        throw BadInput(from.string() +
                       " has no captured launch: a folder of the OpenCL Intercept Layer has a worksizes.txt. "
                       "Of Oclgrind, name the .sim file");
    std::vector<capture::RawLaunch> launches;
    for (const fs::path& folder : folders) {
        const fs::path files = staging / std::to_string(launches.size());
        fs::create_directory(files);
        launches.push_back(import_intercept(folder, files));
    }
    return launches;
}

}  // namespace kwb
