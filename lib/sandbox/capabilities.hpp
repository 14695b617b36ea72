// Drops root's privileges over other users. Separate from sandbox.hpp for programs that need no system call
// filter.
#pragma once

#include "model/sandbox.hpp"

namespace kwb {

/// Permanently drops all capabilities of this process (with no-new-privileges also of all processes that it
/// starts): raising priorities, locking memory, opening raw devices, inspecting other users' processes.
/// CAP_DAC_OVERRIDE is kept if the writable folders belong to another user and cannot be used without it
/// (`sudo` with that user's cache); Landlock decides to which files it applies. Affects only the calling
/// thread, so call it while there is no other.
/// @return  0, or errno
/// Source: Linux, capabilities(7), capset(2).
int drop_capabilities(const SandboxPolicy& policy);

}  // namespace kwb
