// SPDX-License-Identifier: Apache-2.0
// The machine code that a device's own driver makes of a kernel.
#pragma once

#include <optional>
#include <vector>

#include "ipc/runner_messages.hpp"
#include "judge/processes/device_pool.hpp"
#include "judge/reference/reference.hpp"
#include "model/hot_loop.hpp"
#include "model/machine_code.hpp"

namespace kwb {

/// Builds and launches a kernel once, with as few work-groups as give the same code, in a separate
/// process with its own compiler cache, and disassembles what the driver left there. Only PoCL's CPU devices
/// leave it. Takes 0.5 to 2 s, most of it PoCL's compiler; at most `timeout_ms` for each step.
/// @param plan    of `device`
/// @param solver  makes the inputs
/// @return  with DeviceInfo::id as target. If there is no code, its errors or its failure give the reason.
/// @throws StopRequested, FaceGone
TargetReport code_of_device(DevicePool& pool, const DeviceInfo& device, const KernelPlan& plan,
                            const ProblemInstance& instance, const ReferenceSolver& solver, double timeout_ms,
                            const Checkpoint& checkpoint);

/// Where a kernel spends most of its time, in the code that PoCL has made of it for x86-64.
/// @param samples  of runs of these launches: ExecutedReply::samples
/// @return  nullopt: not known, see find_hot_loop()
std::optional<HotLoop> hot_loop_of(const std::vector<Launch>& launches,
                                   const std::vector<CodePlace>& samples);

}  // namespace kwb
