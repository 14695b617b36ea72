// Match a kernel function's arguments with what there is to give it.
#pragma once

#include <vector>

#include "ipc/runner_messages.hpp"
#include "judge/processes/runner_process.hpp"
#include "judge/verify/layout.hpp"

namespace kwb {

/// @param contestant  whose scratch buffers may be used
/// @return  the launches with every argument bound, or LaunchError with the remedy: no such kernel function,
///          an argument that nothing is known by its name, a type that does not fit
Answer<std::vector<ExecuteLaunch>> bind_launches(const KernelPlan& plan, std::size_t contestant,
                                                 const std::vector<FunctionInfo>& functions,
                                                 const ProblemInstance& instance, const Layout& layout);

/// What to do to the buffers before every run: the plan's `init`.
Answer<std::vector<BufferOperation>> bind_init(const KernelPlan& plan, std::size_t contestant,
                                               const Layout& layout);

/// The bytes of a number as the device expects them.
/// @return  nothing if the type cannot hold it
std::optional<std::vector<std::uint8_t>> scalar_bytes_of(const ScalarValue& value, Scalar scalar);

}  // namespace kwb
