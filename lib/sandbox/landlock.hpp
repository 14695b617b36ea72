// Files, by Landlock: the part of a sandbox that a process builds around itself without privileges.
#pragma once

#include "model/sandbox.hpp"

namespace kwb {

/// The least level of Landlock that is used. Level 1 cannot allow that a file moves to another folder, which
/// is how PoCL and others fill their caches.
inline constexpr int kLeastLandlockAbi = 2;

/// What became of close_files().
struct LandlockOutcome {
    int abi = 0;    ///< of the machine's kernel; 0: it has none
    int error = 0;  ///< errno of the call that failed; 0: in force, or no usable Landlock
    bool in_force = false;
};

/// Leave nothing of the file system but `policy`, no TCP, no abstract sockets, and no signals to processes
/// outside, each as far as the kernel knows it (from level 2, 4, 6 and 6). Needs no-new-privileges.
/// Source: Linux, Documentation/userspace-api/landlock.rst.
LandlockOutcome close_files(const SandboxPolicy& policy);

}  // namespace kwb
