// SPDX-License-Identifier: Apache-2.0
// Message exchange over two pipes, in length-prefixed frames: JSON text, each with an optional binary
// attachment.
//
//   'K' 'W' 'B' 1 | u32 JSON bytes | u64 attachment bytes | JSON | attachment      (little-endian)
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.hpp"
#include "base/json.hpp"

namespace kwb {

struct Frame {
    std::string json;
    std::string attachment;
};

/// Largest frame that a reader accepts; a larger one is rejected before it is read.
struct FrameLimits {
    std::size_t json_bytes = 32u << 20;
    std::size_t attachment_bytes = kMostAttachmentBytes;
    std::size_t json_values = kMostJsonValues;
};

/// The header that precedes `json` and `attachment`.
std::string frame_header(std::size_t json_bytes, std::size_t attachment_bytes);

/// Assembles frames from bytes as they arrive.
class FrameDecoder {
public:
    explicit FrameDecoder(FrameLimits limits = {}) : limits_(limits) {}

    void feed(std::string_view bytes) { buffer_ += bytes; }

    /// @return  the next complete frame, or nullopt if it has not arrived yet
    /// @throws  ProtocolError  the bytes are not a frame, or the frame exceeds the limits
    std::optional<Frame> next();

    /// True if next() would return a frame or throw.
    bool has_frame() const;

    /// True if the input so far ends within a frame.
    bool in_frame() const { return read_ < buffer_.size(); }

private:
    struct Sizes {
        std::uint64_t json_bytes = 0;
        std::uint64_t attachment_bytes = 0;
    };
    /// The sizes of the next frame, once it has arrived completely. @throws ProtocolError  like next()
    std::optional<Sizes> next_sizes() const;

    FrameLimits limits_;
    std::string buffer_;
    std::size_t read_ = 0;  ///< number of bytes of buffer_ already returned
};

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;

/// Wall-clock time.
class Stopwatch {
public:
    /// Milliseconds since construction.
    double ms() const { return std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }

private:
    Clock::time_point start_ = Clock::now();
};

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
    std::size_t most_values_ = kMostJsonValues;
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

/// Incremented with every change to a message. Programs of different versions refuse each other.
inline constexpr int kProtocolVersion = 11;

/// The first message of every judge and runner: identifies the sender, so that both sides can be checked to
/// have the same version.
/// @param program  "kwb-judge" or "kwb-runner"
Json make_hello(const std::string& program);

/// How to fix a fault of the greeting, if both programs are on this machine.
inline constexpr const char* kSameBuildRemedy = ". Build and install kwb, kwb-judge and kwb-runner together";

/// The fault of the first message: not a greeting, or from another program or version. Empty if it is
/// correct.
std::string find_hello_fault(const Message& message, const std::string& program);

/// @throws  EnvironmentError  there is a fault; the message contains the remedy
void require_hello(const Message& message, const std::string& program);

}  // namespace kwb
