// Compiler messages in one form and with the person's own file names.
#pragma once

#include <string>
#include <string_view>

namespace kwb {

/// What is put before the source so that compilers name `file_name` and count its lines from 1.
/// @return  a #line directive with its newline
std::string line_directive(std::string_view file_name);

/// @param log        as the driver wrote it, any bytes
/// @param file_name  what the source is called
/// @return  UTF-8; each message as "file:line:column: error: text", whatever form the driver uses; names of
///          temporary files replaced by those that the person knows; without what says nothing about the
///          source
std::string clean_build_log(std::string_view log, std::string_view file_name);

}  // namespace kwb
