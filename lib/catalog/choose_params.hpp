// SPDX-License-Identifier: Apache-2.0
// Chooses the value of each parameter: the one that the user gave, the one that results in the chosen
// work-group size, or the default. Also defines the names that expressions may use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/expression.hpp"
#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "model/finding.hpp"
#include "model/kernel_spec.hpp"
#include "model/plan.hpp"
#include "model/problem.hpp"

namespace kwb {

/// The problem's sizes and scalars under their names, and the device as `device.max_work_group_size`,
/// `device.local_mem_bytes` and so on, named as in DeviceInfo.
Scope make_scope(const ProblemInstance& problem, const DeviceInfo& device);

/// Add the chosen parameters under their names.
void add_params(Scope& scope, const ParamChoice& params);

/// Add local.x, local.y, local.z: one for each dimension of `local`.
void add_local(Scope& scope, const std::vector<std::uint64_t>& local);

Value to_value(const ParamValue& value);

/// The values of a list as it is typed: "8,16".
/// @throws BadInput  one of them is empty
std::vector<std::string> split_values(const std::string& param, const std::string& text);

/// All parameters of the file with their values: those wanted, each once, and of others all that it lists.
/// @param wanted  at least one value of each
/// @param force   accept values that the file does not list
/// @throws BadInput: unknown parameter (suggests the most similar one), one that is given twice, a value that
///          the file does not list
ParamSpace narrow_params(const KernelFile& file, const NamedList<std::vector<std::string>>& wanted,
                         bool force);

/// @param scope  sizes and device, without parameters
/// @return  every parameter of the file, in the file's order
/// @throws BadInput: unknown parameter (suggests the most similar one), a value that the file does not list
///          (unless choices.force_params), a work-group size that no parameter values produce (lists the
///          possible ones)
///
/// Where a launch's `local` is an expression over parameters, the chosen work-group size selects the first
/// values, in the file's order, that produce it. It applies to every launch with the same number of
/// dimensions.
ParamChoice choose_params(const KernelFile& file, const Scope& scope, const KernelChoices& choices);

/// Whether an extent of a launch depends on a parameter. If it does not, it is a default that the user may
/// change freely.
bool depends_on_params(const Written& extent, const ParamSpace& params);

// Checks whether a work-group fits the device and the NDRange.

/// @param plan  must have a local size
/// @return  why the device cannot launch this work-group size; empty if it can
/// Source: OpenCL 3.0 API specification, clEnqueueNDRangeKernel (CL_INVALID_WORK_GROUP_SIZE,
/// CL_INVALID_WORK_ITEM_SIZE). The work-group must divide the NDRange, because support for non-uniform
/// work-groups is optional.
std::optional<Finding> find_shape_fault(const LaunchPlan& plan, const DeviceInfo& device);

}  // namespace kwb
