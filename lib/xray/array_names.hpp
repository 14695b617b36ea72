// SPDX-License-Identifier: Apache-2.0
// Finds the source's name for the array whose index is out of bounds.
#pragma once

#include <string>
#include <string_view>

#include "xray/debug_info.hpp"

namespace kwb::xray {

/// "sums[…]" and "float[2][256]" if the second index of `sums` is out of bounds.
struct ArrayName {
    std::string name;  ///< empty: the place names no array that matches
    std::string type;
};

/// @param text  a line of the source, starting at the access; the expansion of a macro starts there, too,
///              and the array is one of its arguments
/// @param type  of the indexed array, as the compiler names it: "__local float[256]"
ArrayName name_array(std::string_view text, std::string_view type, const DebugInfo& debug);

/// The indices of an element, from its linear index: "[2][88]" for 600 in float[3][256].
std::string indices_of(std::int64_t element, const std::vector<std::uint64_t>& extents);

}  // namespace kwb::xray
