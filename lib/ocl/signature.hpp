// The parameters of a kernel function.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/kernel_parameter.hpp"

namespace kwb {

/// Read the parameter list of a kernel function from its source, for drivers that do not tell it.
/// Knows comments, attributes and directives; does not expand macros or includes, so that a list that is
/// written with macros is read as it stands.
/// @return  nothing if `source` defines no kernel function `name`
std::optional<std::vector<KernelParameter>> parse_signature(std::string_view source, std::string_view name);

/// "const unsigned  int *" → "uint*": qualifiers and blanks gone, unsigned types by their short names.
std::string plain_type_name(std::string_view type);

}  // namespace kwb
