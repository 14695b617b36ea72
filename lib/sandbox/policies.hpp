// SPDX-License-Identifier: Apache-2.0
// The files that a runner may access, depending on the driver that it loads.
#pragma once

#include <filesystem>
#include <string>

#include "model/sandbox.hpp"

namespace kwb {

/// The library named in the first line of a driver's .icd file; empty if it names none.
std::string library_of(const std::filesystem::path& driver_file);

/// All that a driver needs to list its devices, to build and to launch, but none of the user's files.
/// A CPU driver (PoCL) gets the system's programs and libraries; every other driver also gets the device
/// nodes and folders through which GPU drivers find and use their hardware.
/// @param driver_file  the .icd file of the driver; it and the library that it names become readable. Empty:
///                     the ICD loader finds the drivers
/// @param cache, temporary  folders that the runner may write to
SandboxPolicy make_policy(const std::filesystem::path& driver_file, const std::filesystem::path& cache,
                          const std::filesystem::path& temporary);

/// The files that kwb-xray needs to run clang on a kernel and to run the result: the system's programs,
/// clang's installation and PoCL's headers and built-in functions.
SandboxPolicy make_xray_policy(const std::filesystem::path& compiler, const std::filesystem::path& temporary);

}  // namespace kwb
