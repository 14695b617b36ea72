// SPDX-License-Identifier: Apache-2.0
// Access rights of a process that runs kernels, and how far they could be enforced.
#pragma once

#include <string>
#include <vector>

namespace kwb {

/// Chosen by the judge; the runner applies it to itself before it loads a driver. Everything not listed is
/// denied: files, network, sending signals to other processes and tracing them.
struct SandboxPolicy {
    std::vector<std::string>
        readable;  ///< files and whole folders: read and execute; missing ones are ignored
    std::vector<std::string> writable;  ///< folders: also create, write and remove files
    std::vector<std::string> devices;   ///< device nodes or folders of them: read, write, ioctl
};

/// Where shm_open creates its files: memory that belongs to no process. A process without write access there
/// may not create such files without a name either (memfd_create).
inline constexpr const char* kSharedMemoryFolder = "/dev/shm";

/// The isolation in force.
struct SandboxReport {
    bool enforced = false;  ///< false: --no-sandbox
    int landlock_abi = 0;   ///< Landlock ABI version in use; 0: none, file access is unrestricted
    bool network_closed = false;
    bool signals_closed = false;  ///< signals to other processes, and tracing them
    std::vector<std::string>
        gaps;  ///< what could not be enforced, each a clause: "files are open: this kernel has no Landlock"

    /// seccomp user-notification descriptor in the confined process, through which its requests to set a
    /// thread's CPU affinity are decided; -1: such requests are denied. Closed before the first build.
    int question_fd = -1;

    /// The mechanisms in force: "Landlock ABI 4", "seccomp".
    std::vector<std::string> mechanisms() const;

    /// "no files but the driver's, no network, no signals to other processes (Landlock ABI 4, seccomp)",
    /// then the gaps; "none (--no-sandbox)".
    std::string describe() const;
};

}  // namespace kwb
