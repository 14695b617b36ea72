// Performs one execute request: poison, init, runs or a turn, download.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ipc/arena.hpp"
#include "ipc/runner_messages.hpp"
#include "runner/device_memory.hpp"

namespace kwb {

/// The launches of a program in this process so far: kernel, global size, local size. A driver may compile at
/// each new combination.
using FirstLaunches =
    std::set<std::tuple<std::string, std::vector<std::uint64_t>, std::vector<std::uint64_t>>>;

struct BuiltProgram {
    cl::Program program;
    std::vector<FunctionInfo> functions;
    FirstLaunches seen;
};

/// The context of an execute request.
struct Execution {
    BuiltProgram& program;
    const cl::CommandQueue& queue;
    DeviceMemory& memory;
    std::optional<Arena>& arena;
    std::function<void(const char*)>
        announce;  ///< reports the stage that starts now and may crash; called from any thread
};

/// @throws ClError, cl::Error
ExecutedReply execute(const ExecuteRequest& request, const Execution& place);

}  // namespace kwb
