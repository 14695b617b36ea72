// SPDX-License-Identifier: Apache-2.0
// What the layer has written about a captured launch (layer/launch_files.hpp), as a stranger's file: anything
// may be missing or wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kwb::capture {

struct RawArgument {
    std::string name, type;
    std::optional<std::uint64_t> local_bytes;
    std::optional<std::string> value;  ///< its bytes in hexadecimal digits
    bool is_null = false;
    // Of a buffer.
    std::optional<std::size_t> buffer;  ///< the first argument that has it
    std::uint64_t bytes = 0;
    bool is_writable = false;
};

struct RawLaunch {
    std::filesystem::path folder;  ///< of the files
    std::string kernel, device, options, working_folder, flaw;
    std::uint64_t launch = 0;
    std::vector<std::uint64_t> global, local, offset;
    std::vector<RawArgument> arguments;
    bool is_complete = false;
};

/// @param folder  of one launch
/// @throws BadInput  its list cannot be read
RawLaunch read_launch(const std::filesystem::path& folder);

}  // namespace kwb::capture
