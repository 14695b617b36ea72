// The parameters of a kernel function, as reported by drivers.
#pragma once

#include <string>
#include <string_view>

#include "model/kernel_spec.hpp"

namespace kwb {

/// "const unsigned  int *" → "uint*": removes qualifiers and spaces, and uses the short names of unsigned
/// types.
std::string plain_type_name(std::string_view type);

}  // namespace kwb
