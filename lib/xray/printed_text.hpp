// SPDX-License-Identifier: Apache-2.0
// What printf of OpenCL C prints.
#pragma once

#include <cstdarg>
#include <string>

namespace kwb::xray {

/// Conversions without meaning are written as they stand; long texts are cut.
/// @param arguments  as clang passes those of OpenCL C on this machine
/// Source: OpenCL C 3.0 specification, 6.15.14, "printf".
std::string printed_text(const char* format, std::va_list& arguments);

}  // namespace kwb::xray
