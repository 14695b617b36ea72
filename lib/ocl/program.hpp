// Builds source text and lists the kernel functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "model/result.hpp"
#include "ocl/cl.hpp"
#include "ocl/parameter.hpp"

namespace kwb {

struct ProgramSource {
    std::string file_name;  ///< its name in compiler messages
    std::string text;
    NamedList<std::string> includes;  ///< included files: name in the #include directive → text
    std::string options;              ///< e.g. "-DTILE=16"; may be empty
};

struct BuildOutcome {
    bool accepted = false;
    std::string log;      ///< see clean_build_log; may contain only warnings
    cl::Program program;  ///< empty if rejected
};

/// A kernel function with what the compiler reports about it.
struct KernelFunction {
    std::string name;
    std::vector<KernelParameter> parameters;
    KernelInfo info;
    std::vector<std::uint64_t> required_local;  ///< reqd_work_group_size; empty if not given
    std::uint64_t argument_count = 0;           ///< as reported by the driver; `parameters` may be unknown
};

/// Compiles and links for one device, with argument names.
/// @throws ClError, cl::Error  for every failure except rejected source or options
/// Rejected source is a normal result, never an exception.
/// May take seconds, hang or crash: call it only in the runner, where the judge enforces a timeout.
/// Source: OpenCL 3.0 API specification, clBuildProgram.
BuildOutcome build_program(const cl::Context& context, const cl::Device& device, const ProgramSource& source);

/// The kernel functions of a built program, in the driver's order.
/// Parameters that the driver does not report are left out: this process cannot parse the source.
std::vector<KernelFunction> list_functions(const cl::Program& program, const cl::Device& device);

}  // namespace kwb
