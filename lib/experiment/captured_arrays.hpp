// SPDX-License-Identifier: Apache-2.0
// The arrays of a captured launch: files to which the layer has written elements behind room for a header.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/element.hpp"

namespace kwb {

/// Of capture::kArrayHeaderBytes.
std::string array_header(const ElementType& type, const std::vector<std::uint64_t>& shape);

/// Write elements as the layer does.
void write_raw_array(const std::filesystem::path& file, const std::string& bytes);

/// Write the header, and move the file.
/// @throws BadInput  it cannot be written
void finish_array(const std::filesystem::path& from, const std::filesystem::path& to,
                  const std::string& header);

/// True if both files hold the same elements.
bool is_unchanged(const std::filesystem::path& before, const std::filesystem::path& after);

}  // namespace kwb
