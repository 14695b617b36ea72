// One disposable runner under supervision: deadlines, limits, death, garbage.
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
#include "judge/processes/affinity_warden.hpp"
#include "judge/processes/graveyard.hpp"
#include "judge/processes/loss.hpp"
#include "judge/processes/reply_check.hpp"
#include "judge/processes/runner_folder.hpp"
#include "judge/processes/runner_limits.hpp"

namespace kwb {

struct RunnerOptions {
    std::string program;                 ///< path of kwb-runner
    NamedList<std::string> environment;  ///< all of it
    /// The runner's own, removed when it has ended.
    std::unique_ptr<RunnerFolder> folder = {};
};

class RunnerProcess {
public:
    /// Start it, without waiting for its greeting.
    /// @param graves  takes the process if it does not end when it is killed
    /// @throws EnvironmentError  it cannot be started
    RunnerProcess(RunnerOptions options, FaceLink& face, Graveyard& graves);
    /// Kills it, and waits only a moment for its end.
    ~RunnerProcess();
    RunnerProcess(const RunnerProcess&) = delete;
    RunnerProcess& operator=(const RunnerProcess&) = delete;

    /// Send a request, to be answered by receive(). A runner that is already gone shows there. Several may be
    /// under way; their answers come in the same order.
    /// @throws StopRequested, FaceGone  the runner does not take it: this object is of no more use
    template <class Request>
    void post(const Request& request, double timeout_ms) {
        if constexpr (std::is_same_v<Request, ExecuteRequest>) has_launched_ = true;
        send(to_json(request), asked_by(request), timeout_ms);
    }

    /// Wait for the reply. Each stage that the runner enters has the whole timeout.
    /// After a Loss the runner is dead, but for a `failed` reply before anything was launched: see alive().
    /// @throws EnvironmentError  a runner of another version, or one that never greets
    /// @throws StopRequested, FaceGone  the request is still open: this object is of no more use
    Answer<RunnerReply> receive(double timeout_ms);

    /// Wait until receive() would not wait any more, or till the deadline.
    /// @throws EnvironmentError  as receive(); StopRequested, FaceGone  the request stays open
    bool has_answer_by(Deadline deadline);

    /// receive() where only one kind of reply is right.
    template <class Reply>
    Answer<Reply> receive_as(double timeout_ms) {
        Answer<RunnerReply> answer = receive(timeout_ms);
        if (auto* loss = std::get_if<Loss>(&answer)) return std::move(*loss);
        auto& reply = std::get<RunnerReply>(answer);
        if (auto* wanted = std::get_if<Reply>(&reply)) return std::move(*wanted);
        if (const auto* failed = std::get_if<FailedReply>(&reply)) return refused(*failed);
        return lied("an answer to another question");
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
    /// Processor time of all its threads so far; nothing where that cannot be had.
    std::optional<double> cpu_ms() const;
    /// See worker_threads.hpp. After a CPU device has been opened.
    void spread_workers();
    /// For one that nothing was asked of: still there, and silent. Does not wait.
    bool is_idle();
    Arena& arena() { return arena_; }
    /// What the program printed since the last call.
    OutputCapture take_output() { return std::exchange(output_, {}); }

private:
    void send(const Json& request, Asked asked, double timeout_ms);
    void greet(Deadline deadline);
    /// Wait until the runner, its output or the face has something, or the deadline is near.
    void wait_for_news(Deadline deadline);
    void look_for_end();
    bool is_gone();
    void enter(const StageNote& note, double timeout_ms);
    Death death() const;
    Loss refused(const FailedReply& failed);
    Loss died();
    Loss timed_out(double timeout_ms);
    Loss took_too_much_memory();
    Loss lied(const std::string& finding);
    /// Wait for its end, answering the face. @throws StopRequested, FaceGone
    std::optional<ExitStatus> await_end(double ms);

    FaceLink& face_;
    Graveyard& graves_;
    std::string program_;
    std::unique_ptr<RunnerFolder> folder_;
    Arena arena_;
    std::optional<Child> child_;  ///< none: it has ended, or lies in the graveyard
    RunnerLimits limits_;
    AffinityWarden affinity_;
    OutputCapture output_;
    std::vector<Asked> open_;  ///< requests without an answer, in their order
    std::set<std::uint32_t> buffers_;
    std::string stage_;
    std::optional<FaultNote> fault_;
    std::string lie_;       ///< found before it was asked
    bool is_deaf_ = false;  ///< takes no request
    bool greeted_ = false;
    bool ended_ = false;         ///< the process itself, whoever still holds its end of the conversation
    bool has_launched_ = false;  ///< some kernel has, or may have, run in it
    bool alive_ = true;
};

}  // namespace kwb
