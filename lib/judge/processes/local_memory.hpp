// What a driver does not tell of kernel functions, read from the source.
#pragma once

#include "ipc/runner_messages.hpp"
#include "model/plan.hpp"

namespace kwb {

/// Put what the source declares where the driver says 0 of a kernel function, as PoCL 6 does;
/// what cannot be told from the source stays 0.
void add_local_memory(BuiltReply& built, const KernelPlan& plan);

/// Put the parameters that the source declares where the driver tells none (OpenCL 1.1, and some GPUs).
void add_arguments(BuiltReply& built, const KernelPlan& plan);

}  // namespace kwb
