// Files written by the user, which no output may overwrite.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "catalog/kernel_file.hpp"

namespace kwb {

/// True if two paths refer to the same file, also through links or different spellings. Files that do not
/// exist yet are compared by path. Always false if `a` is not a regular file: a device such as /dev/null can
/// take any number of outputs.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// All files that define a kernel and its expected results: source, side-car and includes; for a problem
/// declared by the user also the declaration, the arrays, and the reference with its side-car and includes.
/// They need not exist. The reference is read to find its includes; if it cannot be read, none are listed.
std::vector<std::filesystem::path> kept_files(const KernelFile& kernel);

/// @param named   the output as named in messages: "--csv out.csv"
/// @param kernel  completed, so that its problem is known
/// @throws BadInput  `output` is one of its kept_files()
void refuse_replacing(const std::string& named, const std::filesystem::path& output,
                      const KernelFile& kernel);

}  // namespace kwb
