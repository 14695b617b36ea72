// SPDX-License-Identifier: Apache-2.0
// Converts compiler messages to one format with the user's file names.
#pragma once

#include <string>
#include <string_view>

namespace kwb {

/// Text before the source that makes compilers report `file_name` and count its lines from 1.
/// @return  a #line directive with its newline
std::string line_directive(std::string_view file_name);

/// @param log        output of the driver; may contain any bytes
/// @param file_name  name of the source
/// @return  UTF-8; each message as "file:line:column: error: text", whatever format the driver uses;
///          temporary file names replaced by the user's; without lines that are not about the source
std::string clean_build_log(std::string_view log, std::string_view file_name);

}  // namespace kwb
