// Closing a process off from everything but what it needs.
#pragma once

#include <cstdint>
#include <optional>

#include "model/sandbox.hpp"

namespace kwb {

/// Two descriptors of this process that only calls in the know may use: read and written by readv() and
/// writev() with `secret` in the argument of number `secret_argument` (ipc/channel.hpp), which these calls
/// ignore; never copied, closed or changed. They should be sockets: a pipe can be opened anew through
/// /proc/self/fd, which no filter sees.
///
/// What this is good for: neither a kernel that writes to descriptors at random nor one that was written to
/// forge replies by plain system calls gets through. What it is not: the secret lies in this process' memory,
/// where code that looks long enough finds it. Whoever reads the other end must go on trusting nothing.
struct PrivateDescriptors {
    int read_fd = -1;
    int write_fd = -1;
    std::uint64_t secret = 0;
    unsigned secret_argument = 3;
};

/// Enforce `policy` upon this process and all that it starts, for ever. Call it while there is one thread.
/// What the machine's kernel cannot do is a gap in the report, never an error. For root and for everybody
/// else alike.
///
/// Files: Landlock. System calls: a seccomp filter (system_calls.hpp). Root's capabilities are given up
/// (privileges.hpp). Files are limited to kMostFileBytes,
/// core dumps are off. What stays open by design:
/// * that a file exists, its size, owner and times, can be asked for any name (Landlock does not hide them);
/// * whatever the allowed folders and devices offer, above all processor time and memory, which whoever
///   started this process has to watch;
/// * programs that this process starts outlive it unless its process group is killed, which it cannot leave.
SandboxReport enter_sandbox(const SandboxPolicy& policy,
                            const std::optional<PrivateDescriptors>& descriptors = {});

inline constexpr std::uint64_t kMostFileBytes = std::uint64_t{512} << 20;

}  // namespace kwb
