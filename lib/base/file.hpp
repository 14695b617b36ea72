// Files: read whole, replaced in one step, put aside where they cannot be understood.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace kwb {

/// @param limit_bytes  a larger file is refused
/// @throws BadInput naming the path and the cause (missing, a folder, a pipe or device, no
/// permission, too large)
std::string read_file(const std::filesystem::path& path, std::uintmax_t limit_bytes = 16u << 20);

struct WriteOptions {
    bool sync = false;  ///< wait for the disk: the old or the new text is there after a power failure, too
};

/// Replace a file's content in one step: readers see the old or the new text, never half of it.
/// @throws BadInput naming the path and the cause
void write_file(const std::filesystem::path& path, std::string_view content, WriteOptions options = {});

/// Find out whether write_file() could succeed, leaving no trace.
/// @throws BadInput naming the path and the cause
void require_writable(const std::filesystem::path& path);

/// Copy a file to the first free one of `<path>.damaged-1`, `-2`, …; the 99th is replaced if all are taken.
/// Two programs never choose the same name.
/// @return  the copy
/// @throws BadInput  it cannot be read or written, naming the path and the cause
std::filesystem::path copy_damaged_aside(const std::filesystem::path& path);

/// The same, but rename it.
/// @throws BadInput  it cannot be renamed, naming the path and the cause
std::filesystem::path move_damaged_aside(const std::filesystem::path& path);

}  // namespace kwb
