// What a kernel's file may name: its own folder, and nothing else of the machine.
#pragma once

#include <filesystem>

namespace kwb {

/// By its words alone, and as if there were no symbolic links.
/// @param relative  to a folder, in its normal form
bool leaves_folder(const std::filesystem::path& relative);

/// Whether a file that another one names travels with it: it lies beside it or in a folder below, symbolic
/// links followed. A stranger's kernel, and the side-car that came with it, read nothing else.
/// @param folder  of the naming file; empty is the working folder
/// @param name    as it is written there; nothing of it needs to exist
bool lies_within(const std::filesystem::path& folder, const std::filesystem::path& name);

}  // namespace kwb
