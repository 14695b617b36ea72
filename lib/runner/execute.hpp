// One execute request: poison, init, runs and turns, read back.
#pragma once

#include <functional>
#include <optional>

#include "ipc/arena.hpp"
#include "ipc/runner_messages.hpp"
#include "ocl/launch.hpp"
#include "runner/device_memory.hpp"

namespace kwb {

/// Where an execute request takes place.
struct Execution {
    const cl::Program& program;
    const std::vector<KernelFunction>& functions;
    const cl::CommandQueue& queue;
    DeviceMemory& memory;
    std::optional<Arena>& arena;
    std::function<void()> announce_launch;  ///< says that a launch may kill us from now on
};

/// @throws ClError, cl::Error
ExecutedReply execute(const ExecuteRequest& request, const Execution& place);

}  // namespace kwb
