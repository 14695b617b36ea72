// What is wrong with an output.
#pragma once

#include <string_view>

#include "judge/verify/verify.hpp"
#include "model/finding.hpp"

namespace kwb {

/// How many elements are wrong, and the first of them.
/// @param check   with at least one wrong element
/// @param inputs  what they were: "random"
Finding find_wrong(const OutputCheck& check, const BufferSpec& spec, std::string_view inputs);

}  // namespace kwb
