// SPDX-License-Identifier: Apache-2.0
// Restricts a process to what it needs.
#pragma once

#include <cstdint>
#include <optional>

#include "model/sandbox.hpp"

namespace kwb {

/// Descriptors of this process that only calls with the secret may use: readv() and writev() with
/// `secret` in argument number `secret_argument` (ipc/channel.hpp), which these calls ignore. No call may
/// copy, close or change them. They should be sockets: a pipe can be reopened through /proc/self/fd, which no
/// filter can detect.
///
/// This stops kernels that write to random descriptors, and kernels that forge replies with plain system
/// calls. It does not stop code that searches this process's memory for the secret, so the reader at the
/// other end must still not trust the data.
struct PrivateDescriptors {
    int read_fd = -1;
    int write_fd = -1;
    std::uint64_t secret = 0;
    unsigned secret_argument = 3;
    int leash_fd = -1;  ///< kLeashFd of ipc/child.hpp, which nobody reads or writes; -1: there is none
};

/// Permanently enforces `policy` on this process and everything it starts, for root and all other users. Call
/// it while there is only one thread. What the machine's kernel does not support becomes a gap in the report,
/// not an error.
///
/// Landlock restricts files, a seccomp filter restricts system calls, root's capabilities are dropped, the
/// size of files and the number of descriptors are limited, and core dumps are disabled. By design these stay
/// possible:
/// * finding out whether a file exists, and its size, owner and times (Landlock does not hide them);
/// * using what the allowed folders and devices offer, above all CPU time and memory: the process that
///   started this one has to monitor those;
/// * starting programs, which outlive this process unless its process group is killed (they cannot leave it,
///   nor the leash of ipc/child.hpp).
SandboxReport enter_sandbox(const SandboxPolicy& policy,
                            const std::optional<PrivateDescriptors>& descriptors = {});

inline constexpr std::uint64_t kMostFileBytes = std::uint64_t{512} << 20;

}  // namespace kwb
