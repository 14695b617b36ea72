// One execute request: poison, init, runs or a turn, download.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ipc/arena.hpp"
#include "ipc/runner_messages.hpp"
#include "ocl/launch.hpp"
#include "runner/device_memory.hpp"

namespace kwb {

/// What a program has launched in this process: kernel, global, local. Any new combination may make a driver
/// compile.
using FirstLaunches =
    std::set<std::tuple<std::string, std::vector<std::uint64_t>, std::vector<std::uint64_t>>>;

/// What an execute request works with.
struct Execution {
    const cl::Program& program;
    const std::vector<KernelFunction>& functions;
    const cl::CommandQueue& queue;
    DeviceMemory& memory;
    std::optional<Arena>& arena;
    FirstLaunches& seen;  ///< of this program
    std::function<void(const char*)>
        announce;  ///< reports the stage that may kill us from now on; from any thread
};

/// @throws ClError, cl::Error
ExecutedReply execute(const ExecuteRequest& request, const Execution& place);

}  // namespace kwb
