// Checks whether a work-group fits the device and the NDRange.
#pragma once

#include <optional>

#include "model/device_info.hpp"
#include "model/finding.hpp"
#include "model/plan.hpp"

namespace kwb {

/// @param plan  must have a local size
/// @return  why the device cannot launch this work-group size; empty if it can
/// Source: OpenCL 3.0 API specification, clEnqueueNDRangeKernel (CL_INVALID_WORK_GROUP_SIZE,
/// CL_INVALID_WORK_ITEM_SIZE). The work-group must divide the NDRange, because support for non-uniform
/// work-groups is optional.
std::optional<Finding> find_shape_fault(const LaunchPlan& plan, const DeviceInfo& device);

}  // namespace kwb
