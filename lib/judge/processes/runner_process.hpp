// SPDX-License-Identifier: Apache-2.0
// Supervises one disposable runner, or kwb-xray: deadlines, limits, and its end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "ipc/arena.hpp"
#include "ipc/captured_output.hpp"
#include "ipc/child.hpp"
#include "ipc/runner_messages.hpp"
#include "judge/face_link.hpp"
#include "judge/processes/failure.hpp"
#include "judge/processes/machine.hpp"
#include "judge/processes/plausible_reply.hpp"
#include "judge/processes/runner_folders.hpp"
#include "judge/processes/runner_limits.hpp"

namespace kwb {

/// A process may be stuck in a driver's system call that even SIGKILL does not end. The judge does not wait
/// for such a process: the reaper keeps it, reaps it when it ends, and reports it once if that takes long.
class Reaper {
public:
    /// A process that takes longer than this is reported.
    static constexpr double kPatienceMs = 2000;

    Reaper() = default;
    /// Leaves processes that are still alive to the system; init adopts them when the judge ends.
    ~Reaper();
    Reaper(const Reaper&) = delete;
    Reaper& operator=(const Reaper&) = delete;

    /// @param child  already killed, not yet reaped
    void take(Child child);

    /// Reaps processes that have ended; waits for the others until `deadline`.
    void reap(Deadline deadline = Clock::now());

    std::size_t size() const { return killed_.size(); }

    /// One sentence for each process that has been killed for kPatienceMs, has not ended and was not yet
    /// reported.
    std::vector<std::string> take_warnings(Deadline now = Clock::now());

private:
    struct Killed {
        Child child;
        Deadline since;
        bool reported = false;
    };
    std::vector<Killed> killed_;
};

struct RunnerOptions {
    std::string program;                 ///< path of kwb-runner, or of kwb-xray
    std::string name = "kwb-runner";     ///< as it greets
    NamedList<std::string> environment;  ///< the complete environment
    /// The runner's own folder, removed after it has ended.
    std::unique_ptr<RunnerFolder> folder = {};
    std::filesystem::path own_cache = {};  ///< its compiler cache, if no other runner uses it
};

class RunnerProcess {
public:
    /// Starts the runner without waiting for its greeting.
    /// @param reaper  takes the process if it does not end when killed
    /// @throws EnvironmentError  the runner cannot be started
    RunnerProcess(RunnerOptions options, FaceLink& face, Reaper& reaper);
    /// Kills the runner and waits only a moment for its end.
    ~RunnerProcess();
    RunnerProcess(const RunnerProcess&) = delete;
    RunnerProcess& operator=(const RunnerProcess&) = delete;

    /// Sends a request; receive() returns the reply, or reports that the runner has ended. Several requests
    /// may be pending; replies arrive in the same order.
    /// @throws StopRequested, FaceGone  while the runner does not read; this object is then unusable
    template <class Request>
    void post(const Request& request, double timeout_ms) {
        if constexpr (std::is_same_v<Request, ExecuteRequest>) {
            has_launched_ = true;
            if (!request.launches.empty()) executed_ = allowed_replies(request);
        }
        // Not after each further run: looking takes time, and the next download looks.
        if constexpr (std::is_same_v<Request, LaunchRequest>)
            send(to_json(request), again(executed_), timeout_ms);
        else
            send(to_json(request), allowed_replies(request), timeout_ms);
    }

    /// Waits for the reply. The timeout starts again with each stage that the runner enters, but the request
    /// as a whole has a limit, too: AllowedReplies::timeouts. After a Failure the runner is dead, except
    /// after a `failed` reply before anything was launched: see alive().
    /// @throws EnvironmentError  the runner is of another version or does not greet
    /// @throws StopRequested, FaceGone  the request is still pending; this object is then unusable
    Answer<RunnerReply> receive(double timeout_ms);

    /// receive(), if the reply is already there, or the runner has ended. Waits for nothing and checks no
    /// time limit.
    /// @throws EnvironmentError  like receive(); StopRequested, FaceGone
    std::optional<Answer<RunnerReply>> receive_if_there(double timeout_ms);

    /// Waits until receive() would return at once, or until the deadline.
    /// @throws EnvironmentError  like receive(); StopRequested, FaceGone  the request stays pending
    bool has_answer_by(Deadline deadline);

    /// receive() for one expected kind of reply.
    template <class Reply>
    Answer<Reply> receive_as(double timeout_ms) {
        return as<Reply>(receive(timeout_ms));
    }

    /// The one expected kind of reply in what was received.
    template <class Reply>
    Answer<Reply> as(Answer<RunnerReply> answer) {
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

    /// The buffers that will exist from the next request on.
    void expect_buffers(const BuffersRequest& request);
    void limit_memory(const MemoryNeeds& needs) { limits_.set_memory(needs); }

    /// Kills the runner and waits for its end. @throws StopRequested, FaceGone
    void end();

    bool alive() const { return alive_; }
    bool has_pending() const { return !pending_.empty(); }
    bool has_launched() const { return has_launched_; }
    /// Processor time so far of all its threads and of all processes that it has started; see
    /// family_cpu_ms().
    std::optional<double> cpu_ms() const;
    /// Stops the runner and all processes that it has started, unless a request is pending. The next request
    /// continues them; if they have worked meanwhile, it fails.
    void pause();
    /// Stops the runner in the midst of a request that runs no kernel of anybody, so that it does not disturb
    /// a measurement; receive() lets it go on, or go_on().
    void hold();
    /// @return  true if it was held
    bool go_on();
    /// See spread_worker_threads(). Call this after a CPU device has been opened.
    void spread_workers();
    /// Call this without pending requests: true if the runner is alive and has sent nothing. Does not wait.
    bool is_idle();
    Arena& arena() { return arena_; }
    /// Its own folder; gone once it has ended.
    std::filesystem::path folder() const { return folder_ ? folder_->path() : std::filesystem::path(); }
    /// The output of the runner since the last call.
    OutputCapture take_output() { return std::exchange(output_, {}); }

private:
    void send(const Json& request, AllowedReplies allowed, double timeout_ms);
    void greet(Deadline deadline);
    /// Handles what the runner has sent, up to a reply.
    /// @param deadline  starts again with each stage that the runner enters
    std::optional<Answer<RunnerReply>> take_reply(double timeout_ms, Deadline& deadline);
    /// Waits until there is something to read from the runner, its output or the face, or until the deadline.
    void wait_for_news(Deadline deadline);
    void look_for_end();
    bool is_gone();
    /// Call this before the end of a pause. A stopped process uses no CPU time, but its own timer
    /// may continue it.
    void add_work_in_pause();
    Death death() const;
    Failure refused(const FailedReply& failed);
    Failure died();
    Failure timed_out(double timeout_ms);
    Failure took_too_long(double whole_ms);
    Failure took_too_much(const Excess& excess);
    Failure went_on();
    /// Processes that the runner has started since `before_`.
    std::size_t count_left_behind() const;
    Failure broke_protocol(const std::string& finding);
    /// Waits for the end of the process and handles messages from the face. @throws StopRequested, FaceGone
    std::optional<ExitStatus> await_end(double ms);

    FaceLink& face_;
    Reaper& reaper_;
    std::string program_;
    std::string name_;
    std::unique_ptr<RunnerFolder> folder_;
    Arena arena_;
    std::optional<Child> child_;  ///< empty: it has ended, or the reaper has it
    RunnerLimits limits_;
    AffinitySupervisor affinity_;
    OutputCapture output_;
    std::vector<AllowedReplies> pending_;  ///< what the replies to pending requests may contain, in order
    AllowedReplies executed_;              ///< of the last execute request: its launches may run again
    std::set<std::uint32_t> buffers_;
    /// The processes that it had started before kernels of the last build were first launched.
    std::optional<std::set<pid_t>> before_;
    std::uint64_t memory_kills_ = 0;  ///< of the system, before the last request that was not timed
    std::optional<double> cpu_at_pause_ms_;
    std::string stage_;
    std::optional<FaultNote> fault_;
    std::string violation_;  ///< a protocol violation, found before a request was sent
    bool is_deaf_ = false;   ///< it did not read a request within the timeout
    bool greeted_ = false;
    bool is_paused_ = false;
    bool is_held_ = false;
    double worked_in_pauses_ms_ = 0;  ///< CPU time
    bool ended_ = false;              ///< the process has ended; others may still hold its pipes open
    bool has_launched_ = false;       ///< a kernel has, or may have, run in it
    bool alive_ = true;
};

}  // namespace kwb
