// SPDX-License-Identifier: Apache-2.0
// Builds source text and lists the kernel functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "model/launch.hpp"
#include "ocl/cl.hpp"

namespace kwb {

struct ProgramSource {
    std::string file_name;  ///< its name in compiler messages
    std::string text;
    NamedList<std::string> includes;  ///< included files: name in the #include directive → text
    std::string options;              ///< e.g. "-DTILE=16"; may be empty
};

struct BuildOutcome {
    std::string log;      ///< see clean_build_log; may contain only warnings
    cl::Program program;  ///< empty: the source was rejected
};

/// Compiles and links for one device, with argument names.
/// @throws ClError, cl::Error  for every failure except rejected source or options
/// Rejected source is a normal result, never an exception.
/// May take seconds, hang or crash: call it only in the runner, where the judge enforces a timeout.
/// Source: OpenCL 3.0 API specification, clBuildProgram.
BuildOutcome build_program(const cl::Context& context, const cl::Device& device, const ProgramSource& source);

/// The kernel functions of a built program, in the driver's order.
std::vector<FunctionInfo> list_functions(cl::Program& program, const cl::Device& device);

/// "const unsigned  int *" → "uint*": removes qualifiers and spaces, and uses the short names of unsigned
/// types.
std::string plain_type_name(std::string_view type);

}  // namespace kwb
