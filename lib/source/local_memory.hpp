// The local memory that kernel functions declare, for drivers that do not report it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "source/text.hpp"

namespace kwb {

/// The size in bytes of all `__local` variables that each kernel function uses after their declaration;
/// compilers drop the others. Arguments are not counted.
/// @return  only functions whose sum is certain: the compiler knows every type and extent, and the sum does
///          not depend on a name that compilers define (`#ifdef cl_khr_fp64`)
/// Blocks like read_source(). Never throws, whatever the text.
std::map<std::string, std::uint64_t> find_local_memory(const SourceText& source);

}  // namespace kwb
