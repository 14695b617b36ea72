// One disposable runner under supervision: deadlines, death, garbage.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "ipc/arena.hpp"
#include "ipc/child.hpp"
#include "ipc/output_capture.hpp"
#include "ipc/runner_messages.hpp"
#include "judge/face_link.hpp"
#include "model/result.hpp"

namespace kwb {

/// Why a request came to nothing: a verdict with its sentence and evidence.
struct Loss {
    Verdict verdict = Verdict::LaunchError;
    std::string reason;
    Evidence evidence;
    std::optional<FaultNote> fault = {};  ///< what the runner saw of its own death; untrusted
};

/// A reply, or what became of the request instead.
template <class Reply>
using Answer = std::variant<Reply, Loss>;

struct RunnerOptions {
    std::string program;                 ///< path of kwb-runner
    NamedList<std::string> environment;  ///< which driver, which cache
};

class RunnerProcess {
public:
    /// Start it, without waiting for its greeting.
    /// @throws EnvironmentError  it cannot be started
    RunnerProcess(const RunnerOptions& options, FaceLink& face);

    /// Send a request, to be answered by receive(). A runner that is already gone shows there.
    void post(const Json& request, double timeout_ms);

    /// Wait for the reply. Each stage that the runner enters has the whole timeout.
    /// After a Loss of any kind but a `failed` reply the runner is dead: see alive().
    /// @throws EnvironmentError  a runner of another version, or one that never greets
    /// @throws StopRequested, FaceGone  the request is still open: this object is of no more use
    Answer<RunnerReply> receive(double timeout_ms);

    /// post() and receive(), where only one kind of reply is right.
    template <class Reply, class Request>
    Answer<Reply> ask(const Request& request, double timeout_ms) {
        post(to_json(request), timeout_ms);
        Answer<RunnerReply> answer = receive(timeout_ms);
        if (auto* loss = std::get_if<Loss>(&answer)) return std::move(*loss);
        auto& reply = std::get<RunnerReply>(answer);
        if (auto* wanted = std::get_if<Reply>(&reply)) return std::move(*wanted);
        if (const auto* failed = std::get_if<FailedReply>(&reply)) return refused(*failed);
        return lied("an answer to another question");
    }

    bool alive() const { return alive_; }
    Arena& arena() { return arena_; }
    /// What the program printed since the last call.
    std::string take_output() { return output_.take(); }

private:
    void greet(Deadline deadline);
    /// Wait until the runner, its output or the face has something; false at the deadline.
    bool wait_for_news(Deadline deadline);
    Loss refused(const FailedReply& failed) const;
    Loss died();
    Loss timed_out(double timeout_ms);
    Loss lied(const std::string& finding);
    Evidence evidence() const;
    void end();

    FaceLink& face_;
    std::string program_;
    Arena arena_;
    Child child_;
    OutputCapture output_;
    std::string stage_;
    std::optional<FaultNote> fault_;
    bool greeted_ = false;
    bool alive_ = true;
};

}  // namespace kwb
