// From source text to kernel functions.
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
    NamedList<std::string> includes;  ///< included files: name as included → text
    std::string options;              ///< e.g. "-DTILE=16"; may be empty
};

struct BuildOutcome {
    bool accepted = false;
    std::string log;      ///< see clean_build_log; may hold only warnings
    cl::Program program;  ///< none if rejected
};

/// A kernel function with what the compiler reports about it.
struct KernelFunction {
    std::string name;
    std::vector<KernelParameter> parameters;
    KernelInfo info;
    std::vector<std::uint64_t> required_local;  ///< reqd_work_group_size; empty if not given
    std::uint64_t argument_count = 0;           ///< as counted by the driver; parameters may be unknown
};

/// Compile and link for one device, keeping argument names.
/// @throws ClError, cl::Error  for every failure but rejected source or options
/// Rejected source is a result to show the learner, never an exception.
/// May take seconds or for ever, or crash: call it only in the runner, under the watchdog.
/// Source: OpenCL 3.0 API specification, clBuildProgram.
BuildOutcome build_program(const cl::Context& context, const cl::Device& device, const ProgramSource& source);

/// The kernel functions of a built program, in the driver's order.
/// Parameters that the driver does not tell are left out: this process cannot read the source.
std::vector<KernelFunction> list_functions(const cl::Program& program, const cl::Device& device);

}  // namespace kwb
