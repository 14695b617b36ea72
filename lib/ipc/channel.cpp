#include "ipc/channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/error.hpp"

namespace kwb {
namespace {

constexpr int kMostBlocks = 64;  ///< maximum number of 64 KiB blocks per call

void set_nonblocking(const Fd& fd) {
    const int flags = ::fcntl(fd.get(), F_GETFL);
    if (flags < 0 || ::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK) != 0) throw_errno("fcntl");
}

}  // namespace

Channel::Channel(Fd in, Fd out, FrameLimits limits)
    : in_(std::move(in)), out_(std::move(out)), decoder_(limits) {
    set_nonblocking(in_);
    set_nonblocking(out_);
}

Channel::SendOutcome Channel::send(const Json& json, std::string_view attachment, Deadline deadline,
                                   const std::function<void()>& meanwhile) {
    const std::string text = dump_json(json);
    const std::string header = frame_header(text.size(), attachment.size());
    std::array<std::string_view, 3> pieces = {header, text, attachment};
    std::size_t first = 0;
    while (first < pieces.size()) {
        std::array<iovec, 3> parts{};
        for (std::size_t i = first; i < pieces.size(); ++i)
            parts[i] = {const_cast<char*>(pieces[i].data()), pieces[i].size()};
        const ssize_t n =
            ::syscall(SYS_writev, out_.get(), &parts[first], pieces.size() - first, secret_, 0, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) {
            pollfd ready{out_.get(), POLLOUT, 0};
            const Deadline pause = meanwhile ? std::min(deadline, deadline_after_ms(kMeanwhileMs)) : deadline;
            const int polled = ::poll(&ready, 1, poll_timeout_ms(pause));
            if (polled == 0 && Clock::now() >= deadline) return SendOutcome::TimedOut;
            if (meanwhile) meanwhile();
            continue;
        }
        if (n < 0 && (errno == EPIPE || errno == EBADF)) return SendOutcome::PeerGone;
        if (n < 0) throw_errno("write to a pipe");
        std::size_t written = static_cast<std::size_t>(n);
        while (first < pieces.size() && written >= pieces[first].size()) written -= pieces[first++].size();
        if (first < pieces.size()) pieces[first].remove_prefix(written);
    }
    return SendOutcome::Sent;
}

bool Channel::read_available() {
    std::array<char, 65536> block;
    // Bounded, so that a peer that writes without pause does not block the reader.
    for (int blocks = 0; !closed_ && blocks < kMostBlocks; ++blocks) {
        iovec part{block.data(), block.size()};
        const ssize_t n = ::syscall(SYS_readv, in_.get(), &part, 1UL, secret_, 0, 0);
        if (n > 0) {
            decoder_.feed({block.data(), static_cast<std::size_t>(n)});
            if (static_cast<std::size_t>(n) < block.size()) break;
        } else if (n == 0) {
            closed_ = true;
        } else if (errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            throw_errno("read from a pipe");
        }
    }
    return !closed_;
}

std::optional<Message> Channel::take() {
    std::optional<Frame> frame = decoder_.next();
    if (!frame) return std::nullopt;
    Message message{"", parse_json(frame->json), std::move(frame->attachment)};
    message.type = message_type(message.json);
    return message;
}

int poll_timeout_ms(Deadline deadline) {
    if (deadline == Deadline::max()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000'000));
}

Deadline deadline_after_ms(double ms) {
    constexpr double kForeverMs = 1e12;
    if (!(ms < kForeverMs)) return Deadline::max();
    return Clock::now() + std::chrono::microseconds(static_cast<std::int64_t>(ms * 1000));
}

}  // namespace kwb
