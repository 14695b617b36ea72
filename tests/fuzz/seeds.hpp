// SPDX-License-Identifier: Apache-2.0
// Initial inputs of the fuzz targets, except for messages and whole kernels (tests/fuzz/run adds the shipped
// ones).
#pragma once

#include <string>
#include <vector>

namespace kwb::fuzz {

struct Seed {
    const char* name;
    std::string bytes;
};

std::vector<Seed> build_logs();

/// Expressions with the names that the target `expression` defines.
std::vector<Seed> expressions();

std::vector<Seed> front_matters();

/// Sources whose syntax trees are seeds of the target `syntax_tree`: a loop, a guard, local memory, a
/// truncated text, …
std::vector<Seed> odd_sources();

/// Each begins with the byte that selects the size of the pieces.
std::vector<Seed> frames();

/// .npy files.
std::vector<Seed> arrays();
std::vector<Seed> pictures();

/// Kernel Tuner's T1 files, and lists of values in them.
std::vector<Seed> t1_files();

}  // namespace kwb::fuzz
