// The thread of a session: runs one judge and processes one command after another.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "ipc/child.hpp"
#include "ipc/judge_messages.hpp"
#include "model/request.hpp"
#include "session/session.hpp"

namespace kwb {

class Session::Worker {
public:
    Worker(JudgeCommand judge, std::function<void()> on_change);
    ~Worker();

    std::shared_ptr<const Snapshot> snapshot() const;
    std::uint64_t submit(JudgeRequest request);
    void stop();

private:
    void work();
    std::optional<JudgeRequest> next_command();
    void perform(const JudgeRequest& request);
    void talk(const JudgeRequest& request);
    /// @return  true if the event ends the command
    bool take_event(const JudgeEvent& event);
    void begin_results(const RunRequest& run);
    void take_result(const ResultEvent& event);
    void start_judge();
    void end_judge();
    Message wait_for_message(Deadline deadline);
    void send_stop_if_wanted();
    void publish();
    void wake();

    const JudgeCommand judge_command_;
    const std::function<void()> on_change_;
    Fd wake_;  ///< eventfd: signals a command, a stop or the end

    mutable std::mutex mutex_;  ///< guards the queue and the published snapshot
    std::deque<JudgeRequest> commands_;
    std::uint64_t submitted_ = 0;
    std::shared_ptr<const Snapshot> published_;
    std::atomic<std::uint64_t> stop_up_to_ = 0;  ///< commands up to this number are to be stopped
    std::atomic<bool> ending_ = false;

    // Used only by the thread.
    std::optional<Child> judge_;
    Snapshot state_;
    std::size_t final_results_ = 0;          ///< final results received in the current run
    std::optional<Deadline> stop_deadline_;  ///< set once a stop has been sent
    bool greeted_ = false;                   ///< the current judge has sent a valid greeting
    std::thread thread_;                     ///< last member, because the thread uses all of the above
};

// Results of a run that did not finish.

/// Set each result without a verdict to `skipped`, and drop its times.
/// @param results  one for each contestant of `request`
/// @param reason   a sentence for the user
void skip_unjudged(std::vector<KernelResult>& results, const RunRequest& request, const std::string& reason);

/// The results of a request that is not run: all `skipped`.
std::vector<KernelResult> skipped_results(const RunRequest& request, const std::string& reason);

}  // namespace kwb
