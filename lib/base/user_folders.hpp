// SPDX-License-Identifier: Apache-2.0
// The user's folders for settings, data and cache. Source: XDG Base Directory Specification 0.8.
#pragma once

#include <filesystem>

namespace kwb {

/// The absolute path in an environment variable; empty if it is unset or not an absolute path.
std::filesystem::path path_from_environment(const char* name);

/// $XDG_CONFIG_HOME/kwb, else ~/.config/kwb. The folder is not created.
/// A relative $XDG_CONFIG_HOME is ignored. Without $HOME, the home folder comes from the password database.
/// @throws EnvironmentError  this user has no home folder; the message contains the remedy
std::filesystem::path config_folder();

/// $XDG_DATA_HOME/kwb, else ~/.local/share/kwb. The folder is not created.
/// @throws EnvironmentError  as above
std::filesystem::path data_folder();

/// Create a folder and its missing parents, accessible to this user only (mode 0700).
/// @throws BadInput  naming the folder that cannot be created and the cause
void make_private_folders(const std::filesystem::path& folder);

/// The workbench's private cache folder: $KWB_CACHE_DIR, else kwb in $XDG_CACHE_HOME or ~/.cache, else a
/// per-user folder in the temporary folder. Created with mode 0700 if missing. With a shared or unwritable
/// cache folder, PoCL silently reports no devices.
/// @throws EnvironmentError  it cannot be created or written, or belongs to another user; names the remedy
std::filesystem::path cache_folder();

/// True if the folder is on a file system mounted noexec, where PoCL would abort the process.
bool is_noexec(const std::filesystem::path& folder);

}  // namespace kwb
