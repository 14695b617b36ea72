// SPDX-License-Identifier: Apache-2.0
// SHA-256 hashes, used to identify kernel sources.
#pragma once

#include <string>
#include <string_view>

namespace kwb {

/// @return  SHA-256 of `data` as 64 lower-case hexadecimal digits
std::string sha256_hex(std::string_view data);

}  // namespace kwb
