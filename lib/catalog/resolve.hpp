// Evaluates a kernel's declarations: what is built and launched at one size on one device.
#pragma once

#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "model/plan.hpp"
#include "model/problem.hpp"

namespace kwb {

/// Evaluate everything that `file` declares.
/// @param file     from Catalogue::open(); must have a launch (an option may have added it)
/// @param problem  at the size wanted; its sizes, buffers and scalars are known by their names
/// @return  a plan; with `refusal` if a requirement does not hold or the file's own shape does not fit the
///          device: then launches may be missing
/// @throws  BadInput with place and remedy: unknown parameter or value, dimensions chosen by the person that
/// do
///          not fit the kernel, the device or the size, an expression without value, an unknown buffer
KernelPlan resolve(const KernelFile& file, const ProblemInstance& problem, const DeviceInfo& device,
                   const PlanChoices& choices);

}  // namespace kwb
