// Whether a work-group fits the device and the NDRange.
#pragma once

#include <optional>

#include "model/device_info.hpp"
#include "model/finding.hpp"
#include "model/plan.hpp"

namespace kwb {

/// @param plan  with a local size
/// @return  why the device cannot launch this shape; nothing if it can
/// Source: OpenCL 3.0 API specification, clEnqueueNDRangeKernel (CL_INVALID_WORK_GROUP_SIZE,
/// CL_INVALID_WORK_ITEM_SIZE). Work-groups must divide the NDRange: non-uniform ones are optional.
std::optional<Finding> find_shape_fault(const LaunchPlan& plan, const DeviceInfo& device);

}  // namespace kwb
