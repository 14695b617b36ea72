#include "base/environment.hpp"

#include <cstdlib>

namespace kwb {

std::filesystem::path path_from_environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value == '/' ? std::filesystem::path(value) : std::filesystem::path();
}

}  // namespace kwb
