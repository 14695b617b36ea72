// Files, restricted by Landlock, which needs no privileges.
#pragma once

#include "model/sandbox.hpp"

namespace kwb {

/// The lowest usable Landlock level. Level 1 cannot allow moving files between folders, which is how PoCL and
/// others fill their caches.
inline constexpr int kLeastLandlockAbi = 2;

/// The result of close_files().
struct LandlockOutcome {
    int abi = 0;    ///< of the machine's kernel; 0: it has none
    int error = 0;  ///< errno of the call that failed; 0: in force, or no usable Landlock
    bool in_force = false;
};

/// Allow only the files of `policy`, no TCP, no abstract sockets, and no signals to processes outside, as far
/// as the kernel supports it (from levels 2, 4, 6 and 6). Needs no-new-privileges. Source: Linux,
/// Documentation/userspace-api/landlock.rst.
LandlockOutcome close_files(const SandboxPolicy& policy);

}  // namespace kwb
