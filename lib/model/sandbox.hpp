// What a process that runs kernels may touch, and how much of that could be enforced.
#pragma once

#include <string>
#include <vector>

namespace kwb {

/// Decided by the judge, enforced by the runner upon itself before it loads a driver. Everything that is not
/// named here is out of reach: files, network, signals to and tracing of other processes.
struct SandboxPolicy {
    std::vector<std::string>
        readable;  ///< files and whole folders: read and execute; missing ones are passed over
    std::vector<std::string> writable;  ///< folders: besides, make, write and remove files
    std::vector<std::string> devices;   ///< device nodes or folders of them: read, write, ioctl
};

/// What is in force.
struct SandboxReport {
    bool enforced = false;  ///< false: --no-sandbox
    int landlock_abi = 0;   ///< the level in force; 0: none, files are open
    bool network_closed = false;
    bool signals_closed = false;  ///< to other processes, and tracing them
    std::vector<std::string>
        gaps;  ///< what could not be enforced, each a clause: "files are open: this kernel has no Landlock"

    /// Descriptor of the confined process at which it asks whether one of its threads may be bound to
    /// processors (seccomp's user notification); -1: it may not. Closed before the first build.
    int question_fd = -1;

    /// "no files but the driver's, no network, no signals to other processes (Landlock ABI 4, seccomp)",
    /// then the gaps; "none (--no-sandbox)".
    std::string describe() const;
};

}  // namespace kwb
