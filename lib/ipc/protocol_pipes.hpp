// The descriptors that a judge or runner is born with, put where printed text cannot disturb them.
#pragma once

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

}  // namespace kwb
