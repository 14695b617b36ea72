// What a runner may touch, by the driver that it is to load.
#pragma once

#include <filesystem>
#include <string>

#include "model/sandbox.hpp"

namespace kwb {

/// The library that a driver's .icd file names, in its first line; empty if it names none.
std::string library_of(const std::filesystem::path& driver_file);

/// Everything that a driver needs to list its devices, to build and to launch, and nothing of the person's.
/// A CPU driver (PoCL) gets the system's programs and libraries; any other one, and an unknown one, also the
/// nodes and folders through which GPU drivers find and use their hardware.
/// @param driver_file  the .icd file whose driver is loaded; it and the library that it names become
///                     readable. Empty: whatever the loader finds by itself
/// @param cache, temporary  folders that the runner may write to
SandboxPolicy make_policy(const std::filesystem::path& driver_file, const std::filesystem::path& cache,
                          const std::filesystem::path& temporary);

}  // namespace kwb
