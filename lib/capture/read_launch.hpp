// SPDX-License-Identifier: Apache-2.0
// What the layer has written about a captured launch (layer/launch_files.hpp), as a stranger's file: anything
// may be missing or wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kwb::capture {

struct RawImage {
    std::uint64_t width = 0, height = 0;
    std::uint64_t order = 0, type = 0;  ///< of its channels, as OpenCL numbers them
};

struct RawArgument {
    std::string name, type;
    std::optional<std::uint64_t> local_bytes;
    std::optional<std::string> value;    ///< its bytes in hexadecimal digits
    std::optional<std::string> sampler;  ///< "nearest_edge"
    bool is_null = false;
    // Of a buffer or image.
    std::optional<std::size_t> buffer;  ///< the first argument that has it
    std::uint64_t bytes = 0;
    bool is_writable = false;
    std::optional<RawImage> image;  ///< its rows are written without padding
};

struct RawLaunch {
    std::filesystem::path folder;  ///< of the files
    std::string kernel, device, options, working_folder, flaw;
    std::uint64_t launch = 0;
    std::vector<std::uint64_t> global, local, offset;
    std::vector<RawArgument> arguments;
    bool is_complete = false;
    bool is_foreign = false;  ///< imported: its headers are those of the working folder only
};

/// The whole numbers among words that blanks separate.
std::vector<std::uint64_t> read_numbers(std::string_view text);

/// @param folder  of one launch
/// @throws BadInput  its list cannot be read
RawLaunch read_launch(const std::filesystem::path& folder);

}  // namespace kwb::capture
