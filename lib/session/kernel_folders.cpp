#include "session/kernel_folders.hpp"

namespace kwb {
namespace fs = std::filesystem;

Catalogue open_catalogue(const std::vector<fs::path>& given) {
    std::vector<fs::path> folders = given;
    const fs::path own =
        fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "share" / "kwb" / "kernels";
    std::error_code missing;
    // The canonical path, because a build links to the sources: messages should name the file that people
    // edit.
    if (fs::is_directory(own, missing)) folders.push_back(fs::canonical(own));
    return Catalogue(folders);
}

}  // namespace kwb
