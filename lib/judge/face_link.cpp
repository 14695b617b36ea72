// SPDX-License-Identifier: Apache-2.0
#include "judge/face_link.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>

#include "base/error.hpp"

namespace kwb {
namespace {

constexpr auto kReminder = std::chrono::seconds(1);
/// Longer during a timed turn: a face that redraws takes CPU time from the kernel.
constexpr auto kReminderInTurn = std::chrono::seconds(10);

}  // namespace

void FaceLink::send(const Outgoing& message) {
    if (channel_.send(message.json, message.attachment) != Channel::SendOutcome::Sent) throw FaceGone();
}

void FaceLink::send(const JudgeEvent& event) {
    if (!std::holds_alternative<Progress>(event)) step_.reset();
    send(to_outgoing(event));
}

void FaceLink::begin_step(Progress progress) {
    step_ = std::move(progress);
    step_begun_ = Clock::now();
}

void FaceLink::tell(Progress progress) {
    progress.elapsed_ms = 0;
    send(JudgeEvent(progress));
    told_ = Clock::now();
    begin_step(std::move(progress));
}

void FaceLink::remind() {
    const auto now = Clock::now();
    if (!step_) return;
    const auto patience = step_->stage == kTimeStage ? kReminderInTurn : kReminder;
    if (now - std::max(told_, step_begun_) < patience) return;
    step_->elapsed_ms = std::chrono::duration<double, std::milli>(now - step_begun_).count();
    send(JudgeEvent(*step_));
    told_ = now;
}

bool FaceLink::has_request_by(Deadline deadline) {
    is_asked_ = false;
    for (;;) {
        if (channel_.has_message() || channel_.closed()) return true;
        pollfd readable{channel_.read_fd(), POLLIN, 0};
        if (::poll(&readable, 1, poll_timeout_ms(deadline)) == 0) return false;
        channel_.read_available();
    }
}

std::optional<JudgeRequest> FaceLink::wait_request() {
    for (;;) {
        has_request_by(Deadline::max());
        const std::optional<Message> message = channel_.take();
        if (!message) return std::nullopt;
        JudgeRequest request = judge_request_from(*message);
        if (std::holds_alternative<StopRun>(request)) continue;
        is_asked_ = true;
        return request;
    }
}

void FaceLink::checkpoint() {
    if (!is_asked_) return;
    const bool open = channel_.read_available();
    while (const std::optional<Message> message = channel_.take()) {
        if (std::holds_alternative<StopRun>(judge_request_from(*message))) throw StopRequested();
        throw ProtocolError("a request arrived before the previous one was answered");
    }
    if (!open) throw FaceGone();
}

}  // namespace kwb
