// Where the catalogue's kernels lie.
#pragma once

#include <filesystem>
#include <vector>

#include "catalog/catalogue.hpp"
#include "model/plan.hpp"

namespace kwb {

/// The folders given, then the one of this build or installation (../share/kwb/kernels from the program).
Catalogue open_catalogue(const std::vector<std::filesystem::path>& given);

/// The folder of this build or installation, links followed; empty if there is none.
std::filesystem::path shipped_kernels();

/// Whose code a kernel file is, by where it lies once links are followed: Shipped below `shipped`, else Own.
/// Foreign is for a person to say.
Trust trust_of(const std::filesystem::path& file, const std::filesystem::path& shipped);

}  // namespace kwb
