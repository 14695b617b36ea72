// The local memory that kernel functions declare, for drivers that do not tell.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "hints/hints.hpp"

namespace kwb {

/// The bytes of all `__local` variables of each kernel function that its body speaks of again: compilers drop
/// the others. Arguments are not counted.
/// @return  only functions whose sum is certain: each type and extent can be followed, and no condition on a
///          name that compilers define (`#ifdef cl_khr_fp64`) changes it
/// Never throws on any text.
std::map<std::string, std::uint64_t> find_local_memory(const HintSource& source);

}  // namespace kwb
