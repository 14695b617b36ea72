// System calls, by a seccomp filter: what no driver, compiler or linker needs is refused with EPERM.
#pragma once

#include <optional>

#include "sandbox/sandbox.hpp"

namespace kwb {

/// Refuse, in this process and all that it starts: sockets; signals to, tracing of and looking into other
/// processes; leaving the process group or the death signal behind; changing owners, modes and times of files
/// (over which Landlock has no say); watching folders; namespaces, mounts, kernel interfaces; System V and
/// POSIX message queues, asynchronous I/O, and calls of another architecture, which end the process (SIGSYS).
/// Signals to itself stay possible but for SIGKILL and SIGSTOP, so that abort() works, as does asking for
/// limits.
/// Needs no-new-privileges. @return  0, or errno
/// Source: Linux, Documentation/userspace-api/seccomp_filter.rst; libseccomp, seccomp_rule_add(3).
int close_system_calls(const std::optional<PrivateDescriptors>& descriptors);

}  // namespace kwb
