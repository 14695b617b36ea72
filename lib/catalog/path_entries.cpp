#include "catalog/path_entries.hpp"

#include <deque>

namespace kwb {
namespace fs = std::filesystem;

std::vector<PathEntry> entries_of(const fs::path& path) {
    constexpr int kMostLinks = 40;  // Linux's own limit: path_resolution(7)
    std::vector<PathEntry> entries;
    const fs::path relative = path.relative_path();
    std::deque<fs::path> rest(relative.begin(), relative.end());
    fs::path folder = "/";
    int links = 0;
    while (!rest.empty()) {
        const fs::path name = rest.front();
        rest.pop_front();
        if (name.empty() || name == ".") continue;
        if (name == "..") {
            folder = folder.parent_path();
            continue;
        }
        std::error_code error;
        const fs::path target = fs::read_symlink(folder / name, error);
        if (error) {
            if (rest.empty()) entries.push_back({folder, name.string()});
            folder /= name;
            continue;
        }
        entries.push_back({folder, name.string()});
        if (++links == kMostLinks) break;
        if (target.is_absolute()) folder = "/";
        const fs::path onward = target.relative_path();
        rest.insert(rest.begin(), onward.begin(), onward.end());
    }
    return entries;
}

}  // namespace kwb
