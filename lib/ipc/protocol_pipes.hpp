// The descriptors that a judge or runner is born with, put where printed text cannot disturb them.
#pragma once

#include <cstddef>
#include <optional>

#include "base/fd.hpp"
#include "ipc/arena.hpp"
#include "ipc/channel.hpp"

namespace kwb {

struct ProtocolPipes {
    Channel channel;
    std::optional<Arena> arena;
};

/// Move the conversation from stdin and stdout to private descriptors that no started program inherits.
/// Afterwards stdin is empty, and stdout goes where stderr goes, a line at a time: from a runner, there the
/// judge captures what kernels print.
/// @param has_arena  the descriptor kKeptFd is the shared memory
/// @throws std::system_error  a descriptor is missing
ProtocolPipes take_protocol_pipes(bool has_arena);

/// Write a ready frame to the other end of the pipes that this process took, from a signal handler:
/// async-signal-safe, one attempt, at most kEmergencySendMs if the peer does not read. Without pipes taken it
/// does nothing. errno stays as it was.
/// A frame that another thread is just sending would be cut in two: the runner sends none while kernels run.
void emergency_send(const char* bytes, std::size_t n) noexcept;

inline constexpr int kEmergencySendMs = 100;

}  // namespace kwb
