// SPDX-License-Identifier: Apache-2.0
// Functions and names of OpenCL C that only some devices or versions have.
#pragma once

#include <string>
#include <string_view>

namespace kwb {

/// The extension or version to which a name that the compiler does not know belongs.
/// @return  "the extension cl_khr_subgroups, or OpenCL C 3.0 with __opencl_c_subgroups"; empty if it is no
///          name of OpenCL C, or part of every version
/// Source: The OpenCL C 3.0 specification; OpenCL Extension Specification 3.0.
std::string_view find_home(std::string_view name);

/// A part of OpenCL that the workbench does not support, and what to do instead.
/// @param name  that the compiler does not know, "ndrange_t"
/// @return  "device-side enqueue, which the workbench does not support: …"; empty if it is none of them
std::string_view find_unsupported(std::string_view name);

/// What to do about a kernel argument of a type that OpenCL forbids there.
/// @return  "OpenCL forbids size_t as an argument of a kernel …: use ulong"; empty for any other type
/// Source: The OpenCL C 3.0 specification, 6.11 "Restrictions".
std::string advise_argument_type(std::string_view type);

}  // namespace kwb
