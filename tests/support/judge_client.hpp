// A real kwb-judge at the other end of two pipes, asked as a face asks it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ipc/child.hpp"
#include "ipc/judge_messages.hpp"

namespace kwb::test {

/// What came in answer to one request.
struct JudgeAnswer {
    std::optional<DeviceList> devices;
    std::vector<OutputEvent> outputs;
    std::vector<KernelResult> results;
    std::vector<ResultEvent> partial_results;  ///< that came before, in their order
    std::optional<DoneEvent> done;
    std::optional<std::string> error;
    std::vector<Progress> progress;
};

struct JudgeOptions {
    std::string program;                 ///< path of kwb-judge
    std::string runner;                  ///< path of the runner; empty: the one beside the judge
    NamedList<std::string> environment;  ///< added to ours
};

class JudgeClient {
public:
    /// Starts the judge and takes its greeting.
    explicit JudgeClient(const JudgeOptions& options);

    /// @throws std::runtime_error  the judge ended, or said nothing for a minute
    JudgeAnswer ask(const JudgeRequest& request);

    /// The one result of a request of one contestant. @throws std::runtime_error  an error came instead
    KernelResult result_of(const RunRequest& request);

    void send(const JudgeRequest& request) { child.channel().send(to_json(request), contents_of(request)); }
    /// The next message. @throws as ask()
    JudgeEvent next_event();
    /// Read on to the end of the request at hand.
    JudgeAnswer finish();

    /// Close its input and wait for its end. @throws std::runtime_error  it runs on
    ExitStatus close();

    Child child;
};

/// Wait for a process that is not our child to end. @return  false if it still runs after 20 s
bool wait_for_end(pid_t pid);

/// True if `pid` has children, zombies included.
bool has_children(pid_t pid);

std::size_t open_descriptors(pid_t pid);

}  // namespace kwb::test
