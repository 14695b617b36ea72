// Whether a work-group fits the device and the NDRange.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/device_info.hpp"
#include "model/plan.hpp"

namespace kwb {

/// "16x16"
std::string format_extents(const std::vector<std::uint64_t>& extents);

/// @param plan  with a local size
/// @return  why the device cannot launch this shape, as a sentence with the numbers and what to do;
///          empty if it can
/// Source: OpenCL 3.0 API specification, clEnqueueNDRangeKernel (CL_INVALID_WORK_GROUP_SIZE,
/// CL_INVALID_WORK_ITEM_SIZE). Work-groups must divide the NDRange: non-uniform ones are optional.
std::string find_shape_fault(const LaunchPlan& plan, const DeviceInfo& device);

}  // namespace kwb
