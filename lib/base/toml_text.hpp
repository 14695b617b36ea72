// SPDX-License-Identifier: Apache-2.0
// Reads and writes TOML, including files from untrusted authors.
#pragma once

#include <toml++/toml.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace kwb {

/// Most parts of a key (a.b.c has three), and most brackets and braces inside each other.
inline constexpr std::size_t kMostTomlDepth = 16;

/// toml::parse(), but text that nests more than kMostTomlDepth levels is rejected: toml++ (3.3 and 3.4)
/// limits brackets alone, and destroys tables by recursion, so a key of 40,000 parts overflows the stack.
/// @throws toml::parse_error
toml::table parse_toml(std::string_view text);

/// A TOML string in double quotes, with escapes where needed.
std::string in_quotes(std::string_view text);

}  // namespace kwb
