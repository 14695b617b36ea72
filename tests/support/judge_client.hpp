// SPDX-License-Identifier: Apache-2.0
// A real kwb-judge connected by two pipes, used as a front end uses it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ipc/child.hpp"
#include "ipc/judge_messages.hpp"

namespace kwb::test {

/// Everything received in response to one request.
struct JudgeAnswer {
    std::optional<DeviceList> devices;
    std::vector<OutputEvent> outputs;
    std::vector<KernelResult> results;
    std::vector<ResultEvent> partial_results;  ///< partial results received before the final ones, in order
    std::optional<DoneEvent> done;
    std::optional<std::string> error;
    std::vector<Progress> progress;
};

struct JudgeOptions {
    std::string program;                 ///< path of kwb-judge
    std::string runner;                  ///< path of the runner; empty: the one next to the judge
    NamedList<std::string> environment;  ///< added to the inherited environment
    std::string xray = {};               ///< path of kwb-xray; empty: the one next to the judge
    bool sandbox = true;                 ///< false: --no-sandbox
};

class JudgeClient {
public:
    /// Start the judge and receive its greeting.
    explicit JudgeClient(const JudgeOptions& options);

    /// @throws std::runtime_error  the judge exited, or sent nothing for a minute
    JudgeAnswer ask(const JudgeRequest& request);

    /// Send a request with one contestant and return its result. @throws std::runtime_error  the judge sent
    /// an error instead
    KernelResult result_of(const RunRequest& request);

    void send(const JudgeRequest& request) { child.channel().send(to_json(request), contents_of(request)); }
    /// Wait for the next message. @throws as ask()
    JudgeEvent next_event();
    /// Receive the remaining messages of the current request.
    JudgeAnswer finish();

    /// Close the judge's standard input and wait for it to exit. @throws std::runtime_error  it keeps running
    ExitStatus close();

    Child child;
};

/// Wait for the end of a process that need not be a child of this one. @return  false if it is still running
/// after 20 s
bool wait_for_end(pid_t pid);

/// True if `pid` has children, zombies included.
bool has_children(pid_t pid);

std::size_t open_descriptors(pid_t pid);

}  // namespace kwb::test
