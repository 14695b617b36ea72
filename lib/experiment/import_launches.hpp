// SPDX-License-Identifier: Apache-2.0
// Launches that other tools have captured, in the form in which the layer leaves them. Nothing in their files
// is trusted.
#pragma once

#include <filesystem>
#include <vector>

#include "capture/read_launch.hpp"

namespace kwb {

/// @param from     a .sim file of Oclgrind; a folder of the OpenCL Intercept Layer (DumpReplayKernel…), or
/// one
///                 that contains such folders
/// @param staging  an existing folder, which gets the files of the launches
/// @return  at least one
/// @throws BadInput  neither; or a file cannot be read, or is malformed
std::vector<capture::RawLaunch> import_launches(const std::filesystem::path& from,
                                                const std::filesystem::path& staging);

// Of import_launches():
capture::RawLaunch import_oclgrind(const std::filesystem::path& file, const std::filesystem::path& staging);
capture::RawLaunch import_intercept(const std::filesystem::path& folder,
                                    const std::filesystem::path& staging);

}  // namespace kwb
