// System calls, by a seccomp filter: what no driver, compiler or linker needs is refused with EPERM.
#pragma once

#include <optional>

#include "sandbox/sandbox.hpp"

namespace kwb {

struct SystemCallFilter {
    int error = 0;         ///< errno; 0: it is in force
    int question_fd = -1;  ///< the caller closes it; -1: nobody is asked
};

/// Refuse, in this process and all that it starts: sockets; signals to, tracing of and looking into other
/// processes; leaving the process group or dropping the parent-death signal; changing owners, modes and times
/// of files (over which Landlock has no say); watching folders; namespaces, mounts, kernel interfaces; System
/// V and POSIX message queues, asynchronous I/O, and calls of another architecture, which end the process
/// (SIGSYS). Still possible: signals to itself except SIGKILL and SIGSTOP, so that abort() works, and reading
/// limits. A thread may bind itself to processors; for other threads, the process that holds `question_fd`
/// decides (linux/seccomp.h, SECCOMP_IOCTL_NOTIF_RECV). Needs no-new-privileges. Source: Linux,
/// Documentation/userspace-api/seccomp_filter.rst; libseccomp, seccomp_rule_add(3).
SystemCallFilter close_system_calls(const std::optional<PrivateDescriptors>& descriptors);

}  // namespace kwb
