// The judge's end of the conversation with the face.
#pragma once

#include <exception>
#include <optional>

#include "ipc/channel.hpp"
#include "ipc/judge_messages.hpp"

namespace kwb {

/// The person pressed Stop: unwinds the run at hand up to the server.
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

    /// Wait for the next thing to do; a late `stop` is skipped.
    /// @return  nothing at end of file
    /// @throws  ProtocolError
    std::optional<JudgeRequest> wait_request();

    /// Called during a run, often and cheaply.
    /// @throws StopRequested, FaceGone; ProtocolError for anything but `stop`
    void checkpoint();

    /// Say where the run is; `elapsed_ms` is filled in.
    void tell(Progress progress);
    /// A new step, not worth a message of its own; remind() tells it if it lasts.
    void begin_step(Progress progress);
    /// To be called at least every second while somebody else works: tells the step at hand once more if
    /// nothing was told for a second (ten while a turn is timed), so that the person sees what the run waits
    /// for, and how long. Anything sent but progress ends the step.
    void remind();

    int fd() const { return channel_.read_fd(); }

private:
    Channel channel_;
    std::optional<Progress> step_;
    Clock::time_point step_begun_{};
    Clock::time_point told_{};
};

}  // namespace kwb
