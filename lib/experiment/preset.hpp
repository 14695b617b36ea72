// SPDX-License-Identifier: Apache-2.0
// A file that holds one experiment: the kernels, and how they are measured.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "experiment/experiment.hpp"

namespace kwb {

inline constexpr const char* kPresetExtension = ".kwb";
/// The version of the format; raised when older programs would misread a file.
inline constexpr int kPresetVersion = 1;

struct Preset {
    Experiment experiment;  ///< kernels as written: relative paths are relative to the file's folder
    // Places, for messages; lines from 1.
    NamedList<std::size_t> lines;           ///< of the keys
    std::vector<std::size_t> kernel_lines;  ///< of each of experiment.contestants
};

/// @throws BadInput  with path, line and remedy: the file cannot be read, is not an experiment, is of another
///                   version, or has an invalid value or an unknown key
Preset read_preset(const std::filesystem::path& path);

/// The text of an experiment's file.
/// @param experiment  kernels by name or absolute path
/// @param path  of the file, absolute: kernel files are named relative to its folder, unless they have only
///              the root of the file system in common
std::string preset_text(Experiment experiment, const std::filesystem::path& path);

}  // namespace kwb
