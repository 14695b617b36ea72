// Message exchange over two pipes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.hpp"
#include "base/json.hpp"
#include "ipc/frame.hpp"

namespace kwb {

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;

/// A received message; `json` is an object with a string "type".
struct Message {
    std::string type;
    Json json;
    std::string attachment;
};

class Channel {
public:
    enum class SendOutcome { Sent, PeerGone, TimedOut };

    Channel() = default;
    /// Takes ownership of the two ends and makes them non-blocking.
    Channel(Fd in, Fd out, FrameLimits limits = {});

    /// Writes one complete message and waits while the peer is slow.
    /// SIGPIPE must be ignored in this process.
    /// @param meanwhile  called every kMeanwhileMs while waiting; after an exception from it the channel is
    ///                   unusable
    SendOutcome send(const Json& json, std::string_view attachment = {}, Deadline deadline = Deadline::max(),
                     const std::function<void()>& meanwhile = {});
    static constexpr double kMeanwhileMs = 20;

    /// Reads what has arrived, without waiting; at most 4 MiB per call.
    /// @return  false once the peer has closed its end
    bool read_available();

    /// @return  the next complete message, or nullopt
    /// @throws  ProtocolError  see FrameDecoder::next; also for JSON that is not an object with a type
    std::optional<Message> take();

    /// True if take() would return a message or throw.
    bool has_message() const { return decoder_.has_frame(); }

    /// True if the peer closed its end within a message.
    bool cut_off() const { return closed_ && decoder_.in_frame(); }
    bool closed() const { return closed_; }
    int read_fd() const { return in_.get(); }
    int write_fd() const { return out_.get(); }

    /// From now on every read and write of this channel passes `secret` in an argument register that the
    /// system call does not use, so that a seccomp filter can distinguish them from other calls: see
    /// kSecretArgument.
    void use_secret(std::uint64_t secret) { secret_ = secret; }
    std::uint64_t secret() const { return secret_; }
    void close_write() { out_.reset(); }

private:
    Fd in_;
    Fd out_;
    FrameDecoder decoder_;
    bool closed_ = false;
    std::uint64_t secret_ = 0;
};

/// Channels use only readv() and writev(), whose arguments are numbered 0 to 2; the secret is the next one.
inline constexpr unsigned kSecretArgument = 3;

/// Milliseconds from now to `deadline` as poll() expects them: rounded up, 0 if past, -1 for "never".
int poll_timeout_ms(Deadline deadline);

/// The time `ms` from now, saturating.
Deadline deadline_after_ms(double ms);

}  // namespace kwb
