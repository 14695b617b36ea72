// Which value each parameter takes: the one typed, the one that yields the work-group's dimensions, or the
// default. And the names that expressions may use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/expression.hpp"
#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "model/kernel_spec.hpp"
#include "model/plan.hpp"
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

/// @param scope  sizes and device, without parameters
/// @return  every parameter of the file, in its order
/// @throws  BadInput: unknown parameter (with the nearest), a value that the file does not list (unless
///          choices.force_params), dimensions that no value yields (with those that are possible)
///
/// Where a launch's `local` is an expression over parameters, chosen dimensions select the first values, in
/// the file's order, that yield them. Dimensions apply to every launch with as many extents.
ParamChoice choose_params(const KernelFile& file, const Scope& scope, const PlanChoices& choices);

/// Whether an extent of a launch depends on a parameter; if not, it is a default that may be changed freely.
bool depends_on_params(const Written& extent, const ParamSpace& params);

}  // namespace kwb
