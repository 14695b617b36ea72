// SPDX-License-Identifier: Apache-2.0
// Reading whole files, replacing files atomically, and setting damaged files aside.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace kwb {

/// Read a whole regular file.
/// @param limit_bytes  a larger file is rejected
/// @throws BadInput naming the path and the cause (missing, a folder, a pipe or device, no
/// permission, too large, a line break or another control character in the path)
std::string read_file(const std::filesystem::path& path, std::uintmax_t limit_bytes = 16u << 20);

struct WriteOptions {
    bool sync = false;  ///< fsync, so that the old or the new text survives a power failure
};

/// Replace a file's content atomically: readers see either the old or the new text. Permissions are
/// kept, a symbolic link stays a link, and a device or pipe is written to directly.
/// @throws BadInput naming the path and the cause
void write_file(const std::filesystem::path& path, std::string_view content, WriteOptions options = {});

/// Check whether write_file() could succeed, without changing anything.
/// @throws BadInput naming the path and the cause
void require_writable(const std::filesystem::path& path);

/// Copy a file to the first unused name of `<path>.damaged-1`, `-2`, …; if all 99 are taken, replace the
/// last. The name is reserved atomically, so that concurrent processes get different unused names.
/// @return  path of the copy
/// @throws BadInput  the file cannot be read or the copy cannot be written; names the path and the cause
std::filesystem::path copy_damaged_aside(const std::filesystem::path& path);

}  // namespace kwb
