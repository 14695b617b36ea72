#include "catalog/own_folder.hpp"

namespace kwb {
namespace fs = std::filesystem;

bool leaves_folder(const fs::path& relative) {
    return relative.empty() || relative.is_absolute() || *relative.begin() == "..";
}

bool lies_within(const fs::path& folder, const fs::path& name) {
    const fs::path relative = name.lexically_normal();
    if (leaves_folder(relative)) return false;
    std::error_code no_root, no_file;
    const fs::path root = fs::weakly_canonical(folder.empty() ? "." : folder, no_root);
    const fs::path real = fs::weakly_canonical(root / relative, no_file);
    return !no_root && !no_file && !leaves_folder(real.lexically_relative(root));
}

}  // namespace kwb
