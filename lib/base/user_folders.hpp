// A person's folders: settings, data and cache, as the XDG Base Directory Specification 0.8 says.
#pragma once

#include <filesystem>

namespace kwb {

/// The absolute path that an environment variable holds; empty if it is unset or holds anything else.
std::filesystem::path path_from_environment(const char* name);

/// $XDG_CONFIG_HOME/kwb, else ~/.config/kwb. Only named, not made.
/// A relative $XDG_CONFIG_HOME is ignored; without $HOME the password database knows the home.
/// @throws EnvironmentError  this user has no home folder; with the remedy
std::filesystem::path config_folder();

/// $XDG_DATA_HOME/kwb, else ~/.local/share/kwb. Only named, not made.
/// @throws EnvironmentError  as above
std::filesystem::path data_folder();

/// Make a folder and those above it, as far as they are missing, each for this user alone (mode 0700).
/// @throws BadInput  naming the folder that cannot be made and the cause
void make_private_folders(const std::filesystem::path& folder);

/// The workbench's private cache: $KWB_CACHE_DIR, else kwb in $XDG_CACHE_HOME or ~/.cache, else a folder of
/// this user alone under the temporary folder. Made if missing, mode 0700. A shared or unwritable cache makes
/// PoCL lose its devices without a word.
/// @throws EnvironmentError  it cannot be made, written, or belongs to somebody else; with the remedy
std::filesystem::path cache_folder();

/// True if programs in the folder may not be executed: PoCL would end the process.
bool is_noexec(const std::filesystem::path& folder);

}  // namespace kwb
