// The descriptors that a judge or runner starts with, moved to where printed text cannot disturb the
// protocol.
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
/// Afterwards stdin is empty, and stdout goes line by line to stderr, where the judge captures what kernels
/// print.
/// @param has_arena  the descriptor kKeptFd is the shared memory
/// @throws std::system_error  a descriptor is missing
ProtocolPipes take_protocol_pipes(bool has_arena);

/// Write a complete frame to the pipe that this process took, from a signal handler. Async-signal-safe; gives
/// up after kEmergencySendMs if the peer does not read; does nothing if no pipes were taken; preserves errno.
/// It would cut a frame that another thread is sending, but the runner sends none while kernels run.
void emergency_send(const char* bytes, std::size_t n) noexcept;

inline constexpr int kEmergencySendMs = 100;

}  // namespace kwb
