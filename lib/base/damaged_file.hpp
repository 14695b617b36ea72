// What to do with a file of ours that cannot be understood: it is never overwritten, but put aside.
#pragma once

#include <filesystem>

namespace kwb {

/// Copy a file to the first free one of `<path>.damaged-1`, `-2`, …; the 99th is replaced if all are taken.
/// Two programs never choose the same name.
/// @return  the copy
/// @throws BadInput  it cannot be read or written, naming the path and the cause
std::filesystem::path copy_damaged_aside(const std::filesystem::path& path);

/// The same, but rename it.
/// @throws BadInput  it cannot be renamed, naming the path and the cause
std::filesystem::path move_damaged_aside(const std::filesystem::path& path);

}  // namespace kwb
