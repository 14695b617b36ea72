// SPDX-License-Identifier: Apache-2.0
// The judge's end of the connection to the face (the user interface).
#pragma once

#include <exception>
#include <optional>

#include "ipc/channel.hpp"
#include "ipc/judge_messages.hpp"

namespace kwb {

/// The user pressed Stop: unwinds the current run up to the server.
class StopRequested : public std::exception {
public:
    const char* what() const noexcept override { return "stopped"; }
};

/// The face closed its end of the connection: unwinds everything.
class FaceGone : public std::exception {
public:
    const char* what() const noexcept override { return "the face has gone"; }
};

/// Progress::stage during timing.
inline constexpr const char* kTimeStage = "time";
/// During what-if experiments.
inline constexpr const char* kWhatIfStage = "what if";

class FaceLink {
public:
    explicit FaceLink(Channel channel) : channel_(std::move(channel)) {}

    /// @throws FaceGone
    void send(const Outgoing& message);
    void send(const JudgeEvent& event);

    /// Waits until wait_request() would return at once, or until the deadline.
    bool has_request_by(Deadline deadline);

    /// Waits for the next request; ignores a `stop` that comes too late.
    /// @return  nullopt at end of file
    /// @throws  ProtocolError
    std::optional<JudgeRequest> wait_request();

    /// Checks for messages during a run; cheap, so call it often. Between requests it does nothing.
    /// @throws StopRequested, FaceGone; ProtocolError for any message except `stop`
    void checkpoint();

    /// Sends the progress of the run; sets `elapsed_ms` to 0.
    void tell(Progress progress);
    /// Starts a step without sending a message; remind() sends it if the step takes long.
    void begin_step(Progress progress);
    /// Call this at least once a second while waiting. Sends the current step again if nothing was sent for a
    /// second (ten seconds during a timed turn), so that the user sees what the run is waiting for and for
    /// how long. Sending anything but progress ends the step.
    void remind();

    int fd() const { return channel_.read_fd(); }

private:
    Channel channel_;
    bool is_asked_ = false;  ///< a request is under way
    std::optional<Progress> step_;
    Clock::time_point step_begun_{};
    Clock::time_point told_{};
};

}  // namespace kwb
