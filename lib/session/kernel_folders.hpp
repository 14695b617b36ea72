// Where the catalogue's kernels lie.
#pragma once

#include <filesystem>
#include <vector>

#include "catalog/catalogue.hpp"

namespace kwb {

/// The folders given, then the one of this build or installation (../share/kwb/kernels from the program).
Catalogue open_catalogue(const std::vector<std::filesystem::path>& given);

}  // namespace kwb
