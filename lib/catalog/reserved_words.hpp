// Names that OpenCL C has taken.
#pragma once

#include <string_view>

namespace kwb {

/// True for keywords and the names of types (`int`, `float4`, `kernel`, `size_t`): no argument or function
/// can have such a name. A macro can: `-D half=float` is what others' kernels are adapted with. Source: The
/// OpenCL C Specification 3.0, 6.3 "Supported Data Types" and 6.11 "Keywords"; C99, 6.4.1.
bool is_reserved_word(std::string_view name);

}  // namespace kwb
