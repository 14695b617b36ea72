// The local memory that kernel functions declare, for drivers that do not tell.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "source/text.hpp"

namespace kwb {

/// The bytes of all `__local` variables of each kernel function that its body speaks of again: compilers drop
/// the others. Arguments are not counted.
/// @return  only functions whose sum is certain: the compiler knows each type and extent, and no condition on
/// a
///          name that compilers define (`#ifdef cl_khr_fp64`) changes it
/// Blocks as read_source() does. Never throws on any text.
std::map<std::string, std::uint64_t> find_local_memory(const SourceText& source);

}  // namespace kwb
