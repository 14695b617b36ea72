// SPDX-License-Identifier: Apache-2.0
// Captured launches: from the files that the layer leaves to kernel files that run by themselves
// (docs/captured.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace kwb {

struct CapturedLaunch {
    std::string kernel;
    std::uint64_t launch = 0;        ///< from 1
    std::filesystem::path file;      ///< of the source; empty: it could not be captured
    std::string flaw;                ///< why not, a clause
    std::vector<std::string> notes;  ///< sentences
};

/// Turn what the layer has left in a folder into NAME.cl, NAME.cl.toml and arrays in the folder NAME, and
/// remove it. Everything that it reads is untrusted.
/// @throws BadInput  a file cannot be written
std::vector<CapturedLaunch> finish_captures(const std::filesystem::path& folder);

/// The same with launches that another tool has captured (import_launches.hpp).
/// @throws BadInput  also if `from` is no such file or folder, or is malformed
std::vector<CapturedLaunch> import_captures(const std::filesystem::path& from,
                                            const std::filesystem::path& folder);

}  // namespace kwb
