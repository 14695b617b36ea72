// A seccomp filter for system calls: calls that no driver, compiler or linker needs fail with EPERM.
#pragma once

#include <optional>

#include "sandbox/sandbox.hpp"

namespace kwb {

struct SystemCallFilter {
    int error = 0;         ///< errno; 0: the filter is in force
    int question_fd = -1;  ///< descriptor for the filter's notifications, to be closed by the caller; -1:
                           ///< there are no notifications
};

/// In this process and all that it starts, refuses: sockets; signals to, tracing of and inspecting other
/// processes; leaving the process group or clearing the parent-death signal; changing owners, modes and times
/// of files (which Landlock does not control); watching folders; namespaces, mounts, kernel interfaces;
/// System V and POSIX message queues and asynchronous I/O. Calls of another architecture end the process
/// (SIGSYS). These stay possible: signals to itself except SIGKILL and SIGSTOP, so that abort() works, and
/// reading limits. A thread may bind itself to processors; for other threads, the process that holds
/// `question_fd` decides (linux/seccomp.h, SECCOMP_IOCTL_NOTIF_RECV). Requires no-new-privileges. Source:
/// Linux, Documentation/userspace-api/seccomp_filter.rst; libseccomp, seccomp_rule_add(3).
SystemCallFilter close_system_calls(const std::optional<PrivateDescriptors>& descriptors);

}  // namespace kwb
