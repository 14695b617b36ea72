// The names that a kernel file's expressions may use.
#pragma once

#include <cstdint>
#include <vector>

#include "catalog/expression.hpp"
#include "model/device_info.hpp"
#include "model/kernel_spec.hpp"
#include "model/problem.hpp"

namespace kwb {

/// The problem's sizes and scalars by their names, and the device as `device.max_work_group_size`,
/// `device.local_mem_bytes` and so on: the names of DeviceInfo.
Scope make_scope(const ProblemInstance& problem, const DeviceInfo& device);

/// Add the chosen parameters by their names.
void add_params(Scope& scope, const ParamChoice& params);

/// Add local.x, local.y, local.z, as many as there are extents.
void add_local(Scope& scope, const std::vector<std::uint64_t>& local);

Value to_value(const ParamValue& value);

}  // namespace kwb
