// SPDX-License-Identifier: Apache-2.0
// Finds launches that are known to fail, before anything is launched.
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

/// Checks each buffer against CL_DEVICE_MAX_MEM_ALLOC_SIZE, and all of them against
/// CL_DEVICE_GLOBAL_MEM_SIZE.
/// @return  without a proposed size, because one that fits the device may still be too large to check
std::optional<Finding> find_memory_constraint(const Layout& layout, const DeviceInfo& device);

/// Checks the NDRange, work-group and local memory of each launch against the limits of the device, of the
/// source (reqd_work_group_size) and of the compiled kernel.
/// @param layout  the buffers, to check `__constant` arguments; null: these are not checked
/// Source: OpenCL 3.0 API specification, clEnqueueNDRangeKernel, clSetKernelArg.
std::optional<std::string> find_launch_constraint(const std::vector<Launch>& launches,
                                                  const std::vector<FunctionInfo>& functions,
                                                  const DeviceInfo& device, const Layout* layout = nullptr);

/// The part of it that holds on every device: a launch with another work-group than the source requires.
std::optional<std::string> find_shape_conflict(const std::vector<Launch>& launches,
                                               const std::vector<FunctionInfo>& functions);

/// Finds launches that fit here but not on a typical GPU, and private arrays that may overflow the stack of a
/// CPU driver.
std::vector<Finding> find_portability_warnings(const std::vector<Launch>& launches,
                                               const std::vector<FunctionInfo>& functions,
                                               const DeviceInfo& device = {});

}  // namespace kwb
