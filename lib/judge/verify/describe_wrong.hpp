// What is wrong with an output, in a sentence.
#pragma once

#include <string>
#include <string_view>

#include "judge/verify/verify.hpp"

namespace kwb {

/// "3 of 4096 elements of C are wrong; the first is C[63][64]: expected 12.5, got -3.25"
/// @param check   with at least one wrong element
/// @param inputs  what they were: "random"
std::string describe_wrong(const OutputCheck& check, const BufferSpec& spec, std::string_view inputs);

}  // namespace kwb
