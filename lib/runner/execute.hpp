// SPDX-License-Identifier: Apache-2.0
// Executes launches, once or repeatedly: inputs, poison, init, run, download.
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

/// The launches of a program in this process so far: kernel, global size, local size. A driver may compile at
/// each new one.
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

/// Only downloads.
ExecutedReply download(const std::vector<Transfer>& transfers, const Execution& place);

/// The launches of one execute request, which can run again. `place` must outlive it, and its buffers and
/// program must not change. All calls throw ClError.
class Runs {
public:
    Runs(ExecuteRequest request, const Execution& place);
    Runs(const Runs&) = delete;
    Runs& operator=(const Runs&) = delete;

    /// The request itself.
    ExecutedReply execute();
    /// PrepareRequest
    void prepare(const std::vector<Transfer>& inputs);
    /// LaunchRequest
    ExecutedReply launch();
    /// Before outputs are read: brings the content of images back.
    void settle();

private:
    /// An error after a run belongs to that run; the call only reports it.
    template <class Work>
    auto attributed(Work&& work);
    ExecutedReply run();
    double run_launches();
    bool is_new(const Launch& launch) const;
    void enter(const char* stage);
    void change_to(const char* stage);

    const ExecuteRequest request_;
    const Execution place_;
    LaunchSequence launches_;
    const char* stage_ = "";
    bool has_run_ = false;
};

}  // namespace kwb
