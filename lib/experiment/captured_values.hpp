// SPDX-License-Identifier: Apache-2.0
// The numbers of a captured launch, as front matter writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/element.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// The bytes of "00ff", and the reverse.
std::string bytes_of_digits(std::string_view digits);
std::string digits_of_bytes(std::string_view bytes);

/// One text per component. A floating-point number of many digits is written in C's hexadecimal form.
/// @return  empty if there are too few bytes, or a number is beyond 2^63
std::vector<std::string> component_texts(std::string_view bytes, const ElementType& type);
std::vector<std::string> component_texts(std::string_view bytes, const source::Record& record);

}  // namespace kwb
