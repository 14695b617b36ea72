// SPDX-License-Identifier: Apache-2.0
// Drops access to files (Landlock) and root's privileges. Separate from sandbox.hpp for programs without a
// system call filter.
#pragma once

#include "model/sandbox.hpp"

namespace kwb {

/// The lowest usable Landlock level. Level 1 cannot allow moving files between folders, which PoCL and other
/// drivers do to fill their caches.
inline constexpr int kLeastLandlockAbi = 2;

/// The result of close_files().
struct LandlockOutcome {
    int abi = 0;    ///< supported by the machine's kernel; 0: none
    int error = 0;  ///< errno of the call that failed; 0: in force, or Landlock not usable
    bool in_force = false;
};

/// Allows only the files of `policy`, no TCP, no abstract sockets, and no signals to outside processes, as
/// far as the kernel supports it (from levels 2, 4, 6 and 6). Requires no-new-privileges. Source: Linux,
/// Documentation/userspace-api/landlock.rst.
LandlockOutcome close_files(const SandboxPolicy& policy);

/// Permanently drops all capabilities of this process (with no-new-privileges also of all processes that it
/// starts): raising priorities, locking memory, opening raw devices, inspecting other users' processes.
/// CAP_DAC_OVERRIDE is kept if the writable folders belong to another user and cannot be used without it
/// (`sudo` with that user's cache); Landlock decides to which files it applies. Affects only the calling
/// thread, so call it while the process has no other.
/// @return  0, or errno
/// Source: Linux, capabilities(7), capset(2).
int drop_capabilities(const SandboxPolicy& policy);

}  // namespace kwb
