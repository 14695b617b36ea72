// One disposable runner under supervision: deadlines, limits, death, broken messages.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "ipc/arena.hpp"
#include "ipc/child.hpp"
#include "ipc/output_capture.hpp"
#include "ipc/runner_messages.hpp"
#include "judge/face_link.hpp"
#include "judge/processes/failure.hpp"
#include "judge/processes/reaper.hpp"
#include "judge/processes/reply_check.hpp"
#include "judge/processes/runner_limits.hpp"
#include "judge/processes/temporary_folders.hpp"
#include "judge/processes/thread_affinity.hpp"

namespace kwb {

struct RunnerOptions {
    std::string program;                 ///< path of kwb-runner
    NamedList<std::string> environment;  ///< all of it
    /// The runner's own folder, removed when it has ended.
    std::unique_ptr<RunnerFolder> folder = {};
};

class RunnerProcess {
public:
    /// Start it, without waiting for its greeting.
    /// @param reaper  takes the process if it does not end when killed
    /// @throws EnvironmentError  it cannot be started
    RunnerProcess(RunnerOptions options, FaceLink& face, Reaper& reaper);
    /// Kills it and waits only a moment for its end.
    ~RunnerProcess();
    RunnerProcess(const RunnerProcess&) = delete;
    RunnerProcess& operator=(const RunnerProcess&) = delete;

    /// Send a request; receive() returns the reply, or reports that the runner has ended. Several requests
    /// may be pending; replies come in the same order.
    /// @throws StopRequested, FaceGone  while the runner does not read; this object is then unusable
    template <class Request>
    void post(const Request& request, double timeout_ms) {
        if constexpr (std::is_same_v<Request, ExecuteRequest>) has_launched_ = true;
        send(to_json(request), allowed_replies(request), timeout_ms);
    }

    /// Wait for the reply. Each stage that the runner enters gets the whole timeout. After a Failure the
    /// runner is dead, except after a `failed` reply before anything was launched: see alive().
    /// @throws EnvironmentError  a runner of another version, or one that does not greet
    /// @throws StopRequested, FaceGone  the request is still pending; this object is then unusable
    Answer<RunnerReply> receive(double timeout_ms);

    /// Wait until receive() would return at once, or until the deadline.
    /// @throws EnvironmentError  as receive(); StopRequested, FaceGone  the request stays pending
    bool has_answer_by(Deadline deadline);

    /// receive() for the one expected kind of reply.
    template <class Reply>
    Answer<Reply> receive_as(double timeout_ms) {
        Answer<RunnerReply> answer = receive(timeout_ms);
        if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
        auto& reply = std::get<RunnerReply>(answer);
        if (auto* wanted = std::get_if<Reply>(&reply)) return std::move(*wanted);
        if (const auto* failed = std::get_if<FailedReply>(&reply)) return refused(*failed);
        return broke_protocol("a reply to another request");
    }

    /// post() and receive_as().
    template <class Reply, class Request>
    Answer<Reply> ask(const Request& request, double timeout_ms) {
        post(request, timeout_ms);
        return receive_as<Reply>(timeout_ms);
    }

    /// The buffers that exist from the next request on.
    void expect_buffers(const BuffersRequest& request);
    void limit_memory(const MemoryNeeds& needs) { limits_.set_memory(needs); }

    /// Kill it and wait for its end. @throws StopRequested, FaceGone
    void end();

    bool alive() const { return alive_; }
    bool has_launched() const { return has_launched_; }
    /// Processor time of all its threads so far, if available.
    std::optional<double> cpu_ms() const;
    /// See spread_worker_threads(). After a CPU device has been opened.
    void spread_workers();
    /// Without pending requests: true if it is alive and silent. Does not wait.
    bool is_idle();
    Arena& arena() { return arena_; }
    /// What the program printed since the last call.
    OutputCapture take_output() { return std::exchange(output_, {}); }

private:
    void send(const Json& request, AllowedReplies allowed, double timeout_ms);
    void greet(Deadline deadline);
    /// Wait until the runner, its output or the face has something to read, or until the deadline.
    void wait_for_news(Deadline deadline);
    void look_for_end();
    bool is_gone();
    void enter(const StageNote& note, double timeout_ms);
    Death death() const;
    Failure refused(const FailedReply& failed);
    Failure died();
    Failure timed_out(double timeout_ms);
    Failure took_too_much_memory();
    Failure broke_protocol(const std::string& finding);
    /// Wait for its end, answering the face. @throws StopRequested, FaceGone
    std::optional<ExitStatus> await_end(double ms);

    FaceLink& face_;
    Reaper& reaper_;
    std::string program_;
    std::unique_ptr<RunnerFolder> folder_;
    Arena arena_;
    std::optional<Child> child_;  ///< none: it has ended, or the reaper has it
    RunnerLimits limits_;
    AffinitySupervisor affinity_;
    OutputCapture output_;
    std::vector<AllowedReplies> pending_;  ///< what the replies to pending requests may contain, in order
    std::set<std::uint32_t> buffers_;
    std::string stage_;
    std::optional<FaultNote> fault_;
    std::string violation_;  ///< of the protocol, found before a request was sent
    bool is_deaf_ = false;   ///< it did not read a request in time
    bool greeted_ = false;
    bool ended_ = false;         ///< the process; others may still hold its pipes open
    bool has_launched_ = false;  ///< a kernel has run in it, or may have
    bool alive_ = true;
};

}  // namespace kwb
