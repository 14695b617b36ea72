// Environment variables that name places.
#pragma once

#include <filesystem>

namespace kwb {

/// The absolute path that an environment variable holds; empty if it is unset or holds anything else.
std::filesystem::path path_from_environment(const char* name);

}  // namespace kwb
