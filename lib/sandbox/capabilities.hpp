// The privileges that root has over other users, dropped. Apart from sandbox.hpp for those who need no filter
// of system calls.
#pragma once

#include "model/sandbox.hpp"

namespace kwb {

/// Drops all capabilities of this process for good (with no-new-privileges also of all that it starts):
/// raising priorities, locking memory, opening raw devices, looking into other users' processes.
/// CAP_DAC_OVERRIDE stays where the writable folders belong to another user and cannot be used otherwise
/// (`sudo` with that user's cache); Landlock decides which files that concerns. Affects the calling thread,
/// so call it while there is one.
/// @return  0, or errno
/// Source: Linux, capabilities(7), capset(2).
int drop_capabilities(const SandboxPolicy& policy);

}  // namespace kwb
