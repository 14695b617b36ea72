// Moves the descriptors that a judge or runner starts with to numbers where printed text cannot disturb the
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

/// Moves the protocol from stdin and stdout to private descriptors that no child process inherits. Afterwards
/// stdin is empty, and stdout is line-buffered and goes to stderr, where the judge captures what kernels
/// print.
/// @param has_arena  the descriptor kKeptFd is the shared memory
/// @throws std::system_error  a descriptor is missing
ProtocolPipes take_protocol_pipes(bool has_arena);

/// Writes a complete frame to the protocol pipe of this process, from a signal handler. Async-signal-safe;
/// gives up after kEmergencySendMs if the peer does not read; does nothing before take_protocol_pipes();
/// preserves errno. It would interrupt a frame that another thread is sending, but the runner sends none
/// while kernels run.
void emergency_send(const char* bytes, std::size_t n) noexcept;

inline constexpr int kEmergencySendMs = 100;

}  // namespace kwb
