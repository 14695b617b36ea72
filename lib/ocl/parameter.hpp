// The parameters of a kernel function, as a driver tells them.
#pragma once

#include <string>
#include <string_view>

#include "model/kernel_parameter.hpp"

namespace kwb {

/// "const unsigned  int *" → "uint*": qualifiers and blanks gone, unsigned types by their short names.
std::string plain_type_name(std::string_view type);

}  // namespace kwb
