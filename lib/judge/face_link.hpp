// The judge's end of the conversation with the face.
#pragma once

#include <exception>
#include <optional>

#include "ipc/channel.hpp"
#include "ipc/judge_messages.hpp"

namespace kwb {

/// The user pressed Stop: unwinds the present run up to the server.
class StopRequested : public std::exception {
public:
    const char* what() const noexcept override { return "stopped"; }
};

/// The face closed its end: unwinds everything.
class FaceGone : public std::exception {
public:
    const char* what() const noexcept override { return "the face has gone"; }
};

/// Progress::stage while turns are timed.
inline constexpr const char* kTimeStage = "time";

class FaceLink {
public:
    explicit FaceLink(Channel channel) : channel_(std::move(channel)) {}

    /// @throws FaceGone
    void send(const Outgoing& message);
    void send(const JudgeEvent& event);

    /// Wait for the next request; a late `stop` is skipped.
    /// @return  nothing at end of file
    /// @throws  ProtocolError
    std::optional<JudgeRequest> wait_request();

    /// Check for messages during a run; cheap, so call it often.
    /// @throws StopRequested, FaceGone; ProtocolError for anything but `stop`
    void checkpoint();

    /// Send where the run is; fills in `elapsed_ms`.
    void tell(Progress progress);
    /// Begin a step without a message; remind() sends it if the step lasts.
    void begin_step(Progress progress);
    /// Call it at least once a second while waiting. Repeats the present step if nothing was sent for a
    /// second (ten seconds while a turn is timed), so that people see what the run waits for and for how
    /// long. Sending anything but progress ends the step.
    void remind();

    int fd() const { return channel_.read_fd(); }

private:
    Channel channel_;
    std::optional<Progress> step_;
    Clock::time_point step_begun_{};
    Clock::time_point told_{};
};

}  // namespace kwb
