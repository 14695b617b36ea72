// Files that a person wrote, which no output may replace.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "catalog/kernel_file.hpp"

namespace kwb {

/// Whether two paths lead to one file, links and other spellings included. Two files that are not there yet
/// are compared by path. Devices such as /dev/null are never one: they take any number of outputs.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// All files that say what a kernel is, and what is right: source, side-car, includes; of a problem of one's
/// own besides declaration and arrays, and the reference with side-car and includes. They need not exist.
/// Reads the reference to find its includes; one that cannot be read has none.
std::vector<std::filesystem::path> kept_files(const KernelFile& kernel);

/// @param named   how a sentence names the output: "--csv out.csv"
/// @param kernel  completed: with the problem that it is to solve
/// @throws BadInput  `output` is one of its kept_files()
void refuse_replacing(const std::string& named, const std::filesystem::path& output,
                      const KernelFile& kernel);

}  // namespace kwb
