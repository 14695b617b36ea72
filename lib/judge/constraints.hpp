// What can be known to fail before anything is launched.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ipc/runner_messages.hpp"
#include "judge/layout.hpp"
#include "model/device_info.hpp"

namespace kwb {

/// @return  a sentence with the limit, the value and what would fit; or nothing
std::optional<std::string> find_memory_constraint(const Layout& layout, const DeviceInfo& device);

/// Work-group and local memory of each launch against the device and against what the compiler says.
std::optional<std::string> find_launch_constraint(const std::vector<ExecuteLaunch>& launches,
                                                  const std::vector<FunctionInfo>& functions,
                                                  const DeviceInfo& device);

/// Launches that fit here, but not on a typical GPU.
std::vector<std::string> find_portability_warnings(const std::vector<ExecuteLaunch>& launches,
                                                   const std::vector<FunctionInfo>& functions);

}  // namespace kwb
