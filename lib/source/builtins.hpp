// Functions and names of OpenCL C that only some devices or versions have.
#pragma once

#include <string_view>

namespace kwb {

/// What a name that the compiler does not know belongs to.
/// @return  "the extension cl_khr_subgroups, or OpenCL C 3.0 with __opencl_c_subgroups"; empty if it is no
///          name of OpenCL C, or one that every version has
/// Source: The OpenCL C 3.0 specification; OpenCL Extension Specification 3.0.
std::string_view find_home(std::string_view name);

}  // namespace kwb
