#include "judge/face_link.hpp"

#include <poll.h>

#include "base/error.hpp"

namespace kwb {

void FaceLink::send(const Outgoing& message) {
    if (channel_.send(message.json, message.attachment) != Channel::SendOutcome::Sent) throw FaceGone();
}

std::optional<JudgeRequest> FaceLink::wait_request() {
    for (;;) {
        while (std::optional<Message> message = channel_.take()) {
            JudgeRequest request = judge_request_from(*message);
            if (!std::holds_alternative<StopRun>(request)) return request;
        }
        if (channel_.closed()) return std::nullopt;
        pollfd readable{channel_.read_fd(), POLLIN, 0};
        ::poll(&readable, 1, -1);
        channel_.read_available();
    }
}

void FaceLink::checkpoint() {
    const bool open = channel_.read_available();
    while (const std::optional<Message> message = channel_.take()) {
        if (std::holds_alternative<StopRun>(judge_request_from(*message))) throw StopRequested();
        throw ProtocolError("a request came before the one at hand was answered");
    }
    if (!open) throw FaceGone();
}

}  // namespace kwb
