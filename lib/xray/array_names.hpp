// SPDX-License-Identifier: Apache-2.0
// Which array of the source an index leaves, as the source names it.
#pragma once

#include <string>
#include <string_view>

#include "xray/debug_info.hpp"

namespace kwb::xray {

/// "sums[…]" and "float[2][256]", where the second index of `sums` is outside.
struct ArrayName {
    std::string name;  ///< empty: the place names no array that it could be
    std::string type;
};

/// @param text  a line of the source, from the place of the access on: what a macro stands for begins there,
///              too, and the array is one of its arguments
/// @param type  of the array that is indexed, as the compiler names it: "__local float[256]"
ArrayName name_array(std::string_view text, std::string_view type, const DebugInfo& debug);

/// The indices of an element that is counted from the first: "[2][88]" for 600 in float[3][256].
std::string indices_of(std::int64_t element, const std::vector<std::uint64_t>& extents);

}  // namespace kwb::xray
