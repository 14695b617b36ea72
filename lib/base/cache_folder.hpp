// Where compiled kernels are kept between runs.
#pragma once

#include <filesystem>

namespace kwb {

/// The workbench's private cache: $KWB_CACHE_DIR, else kwb in $XDG_CACHE_HOME or ~/.cache, else a folder of
/// this user alone under the temporary folder. Made if missing, mode 0700. A shared or unwritable cache makes
/// PoCL lose its devices without a word.
/// @throws EnvironmentError  it cannot be made, written, or belongs to somebody else; with the remedy
std::filesystem::path cache_folder();

/// True if programs in the folder may not be executed: PoCL would end the process.
bool is_noexec(const std::filesystem::path& folder);

}  // namespace kwb
