// Local memory that a driver does not tell.
#pragma once

#include "ipc/runner_messages.hpp"
#include "model/plan.hpp"

namespace kwb {

/// Put what the source declares where the driver says 0 of a kernel function, as PoCL 6 does;
/// what cannot be told from the source stays 0.
void add_local_memory(BuiltReply& built, const KernelPlan& plan);

}  // namespace kwb
