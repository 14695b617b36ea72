// What makes root more than a user, given away.
#pragma once

#include "model/sandbox.hpp"

namespace kwb {

/// Give up all capabilities of this process, for ever, and, without new privileges, of all that it starts:
/// raising priorities, locking memory, opening raw devices, looking into other users' processes. Where
/// `policy`'s writable folders are another user's and cannot be used otherwise (a program run by `sudo` with
/// that user's cache), CAP_DAC_OVERRIDE stays; which files that is about, Landlock says. Call it while there
/// is one thread; it drops those of the calling one.
/// @return  0, or errno
/// Source: Linux, capabilities(7), capset(2).
int drop_capabilities(const SandboxPolicy& policy);

}  // namespace kwb
