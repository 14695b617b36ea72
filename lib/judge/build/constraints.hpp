// What is known to fail before anything is launched.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ipc/runner_messages.hpp"
#include "judge/verify/layout.hpp"
#include "model/device_info.hpp"
#include "model/finding.hpp"

namespace kwb {

// Limits that a driver does not report (0) are not checked. Sizes near 2^64 do not overflow.

/// Each buffer against CL_DEVICE_MAX_MEM_ALLOC_SIZE, all of them against CL_DEVICE_GLOBAL_MEM_SIZE.
/// @return  proposes no size, because one that fits the device may still be too large to check
std::optional<Finding> find_memory_constraint(const Layout& layout, const DeviceInfo& device);

/// NDRange, work-group and local memory of each launch against the device, against what the source demands
/// and against what the compiler says.
/// @param layout  where the buffers of `__constant` arguments are looked up; none: they are not checked
/// Source: OpenCL 3.0 API specification, clEnqueueNDRangeKernel, clSetKernelArg.
std::optional<std::string> find_launch_constraint(const std::vector<ExecuteLaunch>& launches,
                                                  const std::vector<FunctionInfo>& functions,
                                                  const DeviceInfo& device, const Layout* layout = nullptr);

/// Launches that fit here but not on a typical GPU, and private arrays that may overflow the stack of a CPU
/// driver.
std::vector<Finding> find_portability_warnings(const std::vector<ExecuteLaunch>& launches,
                                               const std::vector<FunctionInfo>& functions,
                                               const DeviceInfo& device = {});

}  // namespace kwb
