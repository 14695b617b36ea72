// SPDX-License-Identifier: Apache-2.0
// The folders of kernels and lessons.
#pragma once

#include <filesystem>
#include <vector>

#include "catalog/catalogue.hpp"
#include "model/plan.hpp"

namespace kwb {

/// Open the given folders, then the one of this build or installation (../share/kwb/kernels, relative to the
/// program's folder).
Catalogue open_catalogue(const std::vector<std::filesystem::path>& given);

/// The kernel folder of this build or installation, with links resolved; empty if there is none.
std::filesystem::path shipped_kernels();

/// The folder of the course of this build or installation; empty if there is none.
std::filesystem::path shipped_lessons();

/// The trust in a kernel file, by its location with links resolved: Shipped below `shipped`, else Own. Never
/// Foreign, which only the user can decide.
Trust trust_of(const std::filesystem::path& file, const std::filesystem::path& shipped);

}  // namespace kwb
