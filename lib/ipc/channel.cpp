// SPDX-License-Identifier: Apache-2.0
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
#include "base/record_json.hpp"
#include "base/text.hpp"
#include "base/version.hpp"

namespace kwb {
namespace {

constexpr int kMostBlocks = 64;  ///< maximum number of 64 KiB blocks per call

void set_nonblocking(const Fd& fd) {
    const int flags = ::fcntl(fd.get(), F_GETFL);
    if (flags < 0 || ::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK) != 0) throw_errno("fcntl");
}

constexpr std::string_view kMagic = "KWB\x01";
constexpr std::size_t kHeaderBytes = 16;

void put_number(std::string& out, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFFu);
}

std::uint64_t get_number(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// The start of invalid input, for an error message.
std::string quote_start(std::string_view bytes) {
    return "'" + to_utf8(trim(bytes.substr(0, 40))) + "'";
}

struct Hello {
    static constexpr const char* kType = "hello";
    std::string program;
    std::int64_t protocol = 0;
    std::string version;
};

void describe(auto& f, Hello& hello) {
    f("program", hello.program);
    f("protocol", hello.protocol);
    f("version", hello.version);
}

}  // namespace

Channel::Channel(Fd in, Fd out, FrameLimits limits)
    : in_(std::move(in)), out_(std::move(out)), most_values_(limits.json_values), decoder_(limits) {
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
    // Bounded, so that a peer that writes continuously does not block the reader.
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
    Message message{"", parse_json(frame->json, most_values_), std::move(frame->attachment)};
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

std::string frame_header(std::size_t json_bytes, std::size_t attachment_bytes) {
    std::string header(kMagic);
    put_number(header, json_bytes, 4);
    put_number(header, attachment_bytes, 8);
    return header;
}

std::optional<FrameDecoder::Sizes> FrameDecoder::next_sizes() const {
    const std::string_view rest = std::string_view(buffer_).substr(read_);
    const std::size_t known = std::min(rest.size(), kMagic.size());
    if (rest.substr(0, known) != kMagic.substr(0, known))
        throw ProtocolError("not a message of this protocol: " + quote_start(rest));
    if (rest.size() < kHeaderBytes) return std::nullopt;

    const std::uint64_t json_bytes = get_number(rest.substr(4, 4));
    const std::uint64_t attachment_bytes = get_number(rest.substr(8, 8));
    if (json_bytes > limits_.json_bytes || attachment_bytes > limits_.attachment_bytes)
        throw ProtocolError("a message of " + format_bytes(json_bytes) + " with an attachment of " +
                            format_bytes(attachment_bytes) + " exceeds the limits");
    if (rest.size() - kHeaderBytes < json_bytes + attachment_bytes) return std::nullopt;
    return Sizes{json_bytes, attachment_bytes};
}

bool FrameDecoder::has_frame() const {
    try {
        return next_sizes().has_value();
    } catch (const ProtocolError&) {
        return true;
    }
}

std::optional<Frame> FrameDecoder::next() {
    const std::optional<Sizes> sizes = next_sizes();
    if (!sizes) return std::nullopt;
    const std::string_view rest = std::string_view(buffer_).substr(read_ + kHeaderBytes);
    Frame frame{std::string(rest.substr(0, sizes->json_bytes)),
                std::string(rest.substr(sizes->json_bytes, sizes->attachment_bytes))};
    read_ += kHeaderBytes + sizes->json_bytes + sizes->attachment_bytes;
    if (read_ == buffer_.size() || read_ > (1u << 20)) {
        buffer_.erase(0, read_);
        read_ = 0;
    }
    return frame;
}

Json make_hello(const std::string& program) {
    return write_json(Hello{program, kProtocolVersion, kwb_version()});
}

std::string find_hello_fault(const Message& message, const std::string& program) {
    if (message.type != "hello") return program + " sent '" + message.type + "' instead of a greeting";
    // Qualified, so that functions of nlohmann/json with the same name are not considered.
    const auto [sender, protocol, version] = kwb::from_json<Hello>(message.json, "hello");
    if (sender != program) return "expected " + program + ", found " + sender;
    if (protocol != kProtocolVersion || version != kwb_version())
        return program + " has version " + version + " (protocol " + std::to_string(protocol) +
               "), but this program has version " + kwb_version() + " (protocol " +
               std::to_string(kProtocolVersion) + ")";
    return "";
}

void require_hello(const Message& message, const std::string& program) {
    if (const std::string fault = find_hello_fault(message, program); !fault.empty())
        throw EnvironmentError(fault + kSameBuildRemedy);
}

}  // namespace kwb
