// SPDX-License-Identifier: Apache-2.0
// Binds a kernel function's arguments to buffers, numbers and local memory.
#pragma once

#include <vector>

#include "ipc/runner_messages.hpp"
#include "judge/processes/runner_process.hpp"
#include "judge/verify/layout.hpp"
#include "model/finding.hpp"

namespace kwb {

/// @param contestant  its scratch buffers may be used
/// @return  the launches with every argument bound, or a failure with its remedy: no such kernel function, an
///          unknown argument name, or a type that does not match
/// @param remarks  receives what was bound by elimination; may be null
Answer<std::vector<Launch>> bind_launches(const KernelPlan& plan, std::size_t contestant,
                                          const std::vector<FunctionInfo>& functions,
                                          const ProblemInstance& instance, const Layout& layout,
                                          std::vector<Finding>* remarks = nullptr);

/// The plan's `init`: how to prepare buffers before every run.
Answer<std::vector<BufferOperation>> bind_init(const KernelPlan& plan, std::size_t contestant,
                                               const Layout& layout);

/// The bytes of a number in the device's representation.
/// @return  nullopt if the type cannot represent it
std::optional<std::vector<std::uint8_t>> scalar_bytes_of(const ScalarValue& value, Scalar scalar);

}  // namespace kwb
