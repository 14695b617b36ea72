// Closing a process off from everything but what it needs.
#pragma once

#include "model/sandbox.hpp"

namespace kwb {

/// Enforce `policy` upon this process and all that it starts, for ever. Call it while there is one thread.
/// What the machine's kernel cannot do is a gap in the report, never an error.
SandboxReport enter_sandbox(const SandboxPolicy& policy);

}  // namespace kwb
