#include "base/program_path.hpp"

#include <unistd.h>

#include <cstdlib>

#include "base/text.hpp"

namespace kwb {

std::string find_in_path(std::string_view name) {
    const char* path = std::getenv("PATH");
    for (const std::string& folder : split(path != nullptr ? path : "", ':')) {
        const std::string candidate = folder + "/" + std::string(name);
        if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return "";
}

}  // namespace kwb
