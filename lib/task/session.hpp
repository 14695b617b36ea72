// SPDX-License-Identifier: Apache-2.0
// The session of both user interfaces: takes commands, publishes its state as immutable snapshots.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "ipc/captured_output.hpp"
#include "ipc/child.hpp"
#include "ipc/judge_messages.hpp"
#include "model/device_info.hpp"
#include "model/request.hpp"
#include "model/result.hpp"
#include "task/judge_place.hpp"

namespace kwb {

/// The contents of an output buffer, from a run that keeps outputs.
struct WrittenOutput {
    std::uint32_t contestant = 0;  ///< index into the contestants of the request
    BufferSpec buffer;
    BufferContent content;
};

/// The connection to the judge.
struct JudgeLink {
    bool is_up = false;  ///< a judge of this version has greeted
    /// When the judge last sent something, or the command began, if that was later.
    Clock::time_point heard = Clock::now();
    /// Elsewhere only: the last line that the launch command printed to its standard error.
    std::string last_line;
    /// Why the judge was started again during the last command: a sentence for the user. Empty: it was not.
    std::string restart;
};

struct Snapshot {
    enum class Phase {
        Idle,       ///< waiting for a command
        Listing,    ///< listing the devices of all drivers
        Running,    ///< a run is under way
        Observing,  ///< an X-ray, or RunRequest::Mode::Explain, is under way
        Stopping,   ///< asked to stop, but not idle yet
    };
    Phase phase = Phase::Idle;
    std::uint64_t revision = 0;  ///< increases with every snapshot
    std::uint64_t answered = 0;  ///< number of commands that have ended, successfully or not, except stop
    /// Why the last command failed: a sentence for the user. Empty on success.
    std::string error;
    JudgeLink link;

    std::optional<DeviceList> devices;  ///< once listed
    std::optional<Progress> progress;   ///< of the current run

    /// Results of the last run, in the order of its contestants. During the run samples are added, and
    /// `judged` is false until the verdict of a contestant is known. All are judged once phase is Idle again:
    /// if the run failed (`error`), the remaining ones are `skipped` for that reason.
    std::vector<KernelResult> results;
    std::vector<WrittenOutput> outputs;  ///< by contestant
    Environment environment;
    bool stopped = false;                        ///< the last run or X-ray, by stop()
    std::shared_ptr<const XrayReport> xray;      ///< of the last X-ray; null: there was none, or it failed
    std::optional<TargetReport> machine_code;    ///< of the device, if the last X-ray was asked for it
    std::shared_ptr<const Recording> recording;  ///< likewise; null: none
    std::optional<WrongElement> wrong;           ///< that its recording is about
};

/// Owns one judge process, and a thread that gives it one command after another. If the judge dies, the
/// current command fails and the next one starts a new judge; if it was elsewhere, so that only the link may
/// have been lost, it is started again once and the command is repeated. All functions return at once, except
/// the destructor, which ends the judge.
class Session {
public:
    /// SIGPIPE must be ignored in this process.
    /// @param on_change  called on the session's thread after each new snapshot; must return quickly
    Session(JudgePlace place, std::function<void()> on_change);
    /// With a judge on this machine.
    Session(JudgeCommand judge, std::function<void()> on_change)
        : Session(JudgePlace{std::move(judge), ""}, std::move(on_change)) {}
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    std::shared_ptr<const Snapshot> snapshot() const;

    /// @return  the command's number; the command is done once Snapshot::answered reaches it
    std::uint64_t list_devices() { return submit(ListDevices{}); }
    using Request = std::variant<RunRequest, XrayRequest>;
    std::uint64_t ask(Request request);
    /// The user is reading or writing a kernel: between any two commands, the judge keeps a runner ready for
    /// it on this device. Not a command.
    void expect_runs(const std::string& device);
    /// Stop all commands given so far, but no later ones. Results measured until then are kept.
    void stop();

private:
    std::uint64_t submit(JudgeRequest request);
    void work();
    std::optional<JudgeRequest> next_command();
    void perform(const JudgeRequest& request);
    void tell_expected();
    void begin(const JudgeRequest& request);
    void talk_twice(const JudgeRequest& request);
    void talk(const JudgeRequest& request);
    /// @return  true if the event ends the command
    bool take_event(JudgeEvent event);
    void begin_results(const RunRequest& run);
    void take_result(const ResultEvent& event);
    void start_judge();
    void end_judge();
    Message wait_for_message(Deadline deadline);
    /// @throws JudgeEnded
    [[noreturn]] void report_end();
    void read_stderr();
    bool is_stop_wanted() const;
    void send_stop_if_wanted();
    void publish();
    void wake();

    const JudgePlace place_;
    const std::function<void()> on_change_;
    Fd wake_;  ///< eventfd: signals a command, a stop or the end

    mutable std::mutex mutex_;  ///< guards the queue and the published snapshot
    std::deque<JudgeRequest> commands_;
    std::uint64_t submitted_ = 0;
    std::shared_ptr<const Snapshot> published_;
    std::string expected_;                       ///< the device of expect_runs(); or empty
    bool is_expected_told_ = false;              ///< to the current judge
    std::atomic<std::uint64_t> stop_up_to_ = 0;  ///< commands up to this number are to be stopped
    std::atomic<bool> ending_ = false;

    // Used only by the thread.
    std::optional<Child> judge_;
    Snapshot state_;
    std::size_t final_results_ = 0;          ///< final results received in the current run
    std::optional<Deadline> stop_deadline_;  ///< set while a command ends after a stop was sent
    OutputTail stderr_;                      ///< of a judge elsewhere
    std::thread thread_;                     ///< last member, because the thread uses all of the above
};

/// The results of a request that is not run: all `skipped`.
std::vector<KernelResult> skipped_results(const RunRequest& request, const std::string& reason);

}  // namespace kwb
