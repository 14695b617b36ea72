// Compiler messages in one form and with the user's file names.
#pragma once

#include <string>
#include <string_view>

namespace kwb {

/// The folder of included files, as compiler messages show it.
inline constexpr const char* kIncludeFolderName = "kwb-included";

/// Text before the source that makes compilers report `file_name` and count its lines from 1.
/// @return  a #line directive with its newline
std::string line_directive(std::string_view file_name);

/// @param log        as the driver wrote it, any bytes
/// @param file_name  what the source is called
/// @return  UTF-8; each message as "file:line:column: error: text", whatever form the driver uses; temporary
///          file names replaced by the user's; without lines that say nothing about the source
std::string clean_build_log(std::string_view log, std::string_view file_name);

}  // namespace kwb
