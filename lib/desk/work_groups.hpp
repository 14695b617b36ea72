// Which work-groups are worth offering for a kernel.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "model/plan.hpp"
#include "model/problem.hpp"

namespace kwb {

inline constexpr std::size_t kMostWorkGroupsOffered = 48;

/// The kernel's own work-group first ("auto" where it leaves that to the driver), then others that the device
/// takes, that divide the NDRange and that hold the kernel's requirements: where `local` is an expression
/// over parameters, what their listed values yield; else powers of two, at most eight times as long as wide,
/// or a single row, and "auto".
/// @param choices  parameters as chosen; its work-group is not looked at
/// @return  texts as make_plan() reads them; empty if nothing can be evaluated
/// Never throws because of the kernel or of what was chosen.
std::vector<std::string> offer_work_groups(const KernelFile& kernel, const ProblemInstance& problem,
                                           const DeviceInfo& device, const PlanChoices& choices);

}  // namespace kwb
