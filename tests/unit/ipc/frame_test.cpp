// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "ipc/channel.hpp"
#include "support/patience.hpp"

using namespace kwb;

// --- frames ---

namespace {

std::string frame(const std::string& json, const std::string& attachment = "") {
    return frame_header(json.size(), attachment.size()) + json + attachment;
}

std::string every_byte() {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
    return bytes;
}

}  // namespace

TEST_CASE("a frame comes back as it was sent, also empty and with any byte") {
    FrameDecoder decoder;
    decoder.feed(frame("{}", every_byte()) + frame("", "") + frame("{\"a\":1}"));
    auto first = decoder.next();
    REQUIRE(first.has_value());
    CHECK(first->json == "{}");
    CHECK(first->attachment == every_byte());
    auto second = decoder.next();
    REQUIRE(second.has_value());
    CHECK(second->json.empty());
    auto third = decoder.next();
    REQUIRE(third.has_value());
    CHECK(third->json == "{\"a\":1}");
    CHECK(!decoder.next());
    CHECK(!decoder.in_frame());
}

TEST_CASE("a frame may come byte by byte") {
    const std::string bytes = frame("{\"x\":2}", "data");
    FrameDecoder decoder;
    for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
        decoder.feed(bytes.substr(i, 1));
        CHECK(!decoder.next());
        CHECK(decoder.in_frame());
    }
    decoder.feed(bytes.substr(bytes.size() - 1));
    CHECK(decoder.next()->attachment == "data");
    CHECK(!decoder.in_frame());
}

TEST_CASE("junk is refused at its first byte, with what came") {
    FrameDecoder decoder;
    decoder.feed("Segmentation fault");
    CHECK_THROWS_WITH_AS(decoder.next(), "not a message of this protocol: 'Segmentation fault'",
                         ProtocolError);
    FrameDecoder one_byte;
    one_byte.feed("x");
    CHECK_THROWS_AS(one_byte.next(), ProtocolError);
    FrameDecoder binary;
    binary.feed("KWB\x02");  // another version of the frame format
    CHECK_THROWS_AS(binary.next(), ProtocolError);
}

TEST_CASE("junk after a whole frame is refused after that frame") {
    FrameDecoder decoder;
    decoder.feed(frame("{}") + "junk");
    CHECK(decoder.next().has_value());
    CHECK_THROWS_AS(decoder.next(), ProtocolError);
}

TEST_CASE("a frame above the limits is refused by its header alone") {
    const FrameLimits limits{100, 1000};
    const auto refused = [&](std::size_t json_bytes, std::size_t attachment_bytes) {
        FrameDecoder decoder(limits);
        decoder.feed(frame_header(json_bytes, attachment_bytes));
        try {
            return decoder.next().has_value();
        } catch (const ProtocolError&) {
            return true;
        }
    };
    CHECK(!refused(100, 1000));
    CHECK(refused(101, 0));
    CHECK(refused(0, 1001));
    CHECK(refused(UINT32_MAX, SIZE_MAX));
    CHECK(refused(0, SIZE_MAX - 16));  // the sum of the lengths would overflow
}

TEST_CASE("a truncated frame is detected") {
    const std::string bytes = frame("{\"x\":2}", "data");
    for (std::size_t length = 1; length < bytes.size(); ++length) {
        FrameDecoder decoder;
        decoder.feed(bytes.substr(0, length));
        CHECK(!decoder.next());
        CHECK(decoder.in_frame());
    }
}

TEST_CASE("many frames in a row do not pile up") {
    FrameDecoder decoder;
    const std::string bytes = frame("{}", std::string(100'000, 'x'));
    for (int i = 0; i < 200; ++i) {
        decoder.feed(bytes + bytes.substr(0, 3));
        REQUIRE(decoder.next().has_value());
        REQUIRE(!decoder.next());
        decoder.feed(bytes.substr(3));
        REQUIRE(decoder.next().has_value());
    }
    CHECK(!decoder.in_frame());
}

TEST_CASE("damaged streams give whole frames or a protocol error, and nothing beyond the limits") {
    std::mt19937 random(20240607);
    const auto below = [&](std::size_t end) { return random() % end; };
    const FrameLimits limits{64, 64};
    std::size_t frames = 0;
    std::size_t errors = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes;
        for (int i = 0; i < 3; ++i)
            bytes += frame(std::string(below(20), 'j'), every_byte().substr(0, below(20)));
        for (std::size_t damage = below(4); damage > 0; --damage) {
            const std::size_t at = below(bytes.size());
            if (below(3) == 0)
                bytes.erase(at, 1 + below(4));
            else if (below(2) == 0)
                bytes.insert(at, 1, static_cast<char>(below(256)));
            else
                bytes[at] = static_cast<char>(below(256));
        }
        FrameDecoder decoder(limits);
        try {
            while (!bytes.empty()) {
                const std::size_t piece = 1 + below(30);
                decoder.feed(bytes.substr(0, piece));
                bytes.erase(0, piece);
                while (const auto next = decoder.next()) {
                    ++frames;
                    REQUIRE(next->json.size() <= limits.json_bytes);
                    REQUIRE(next->attachment.size() <= limits.attachment_bytes);
                }
            }
        } catch (const ProtocolError&) {
            ++errors;
        }
    }
    CHECK(frames > 20'000);  // both outcomes occurred
    CHECK(errors > 2'000);
}

// --- ipc/channel.hpp ---

namespace {

/// Two connected channels.
struct Conversation {
    Channel here;
    Channel there;
};

Conversation converse(FrameLimits limits = {}) {
    ::signal(SIGPIPE, SIG_IGN);
    Pipe forth = make_pipe();
    Pipe back = make_pipe();
    return {Channel(std::move(back.read), std::move(forth.write), limits),
            Channel(std::move(forth.read), std::move(back.write), limits)};
}

/// Wait for a complete message.
std::optional<Message> receive(Channel& channel) {
    const Deadline deadline = deadline_after_ms(test::kPatienceMs);
    for (;;) {
        if (auto message = channel.take()) return message;
        if (channel.closed()) return std::nullopt;
        pollfd ready{channel.read_fd(), POLLIN, 0};
        if (::poll(&ready, 1, poll_timeout_ms(deadline)) == 0) return std::nullopt;
        channel.read_available();
    }
}

/// A channel and the raw descriptors of its peer, to which a test can write arbitrary bytes.
struct Raw {
    Channel channel;
    Fd write;
    Fd read;

    void send(std::string_view bytes) {
        REQUIRE(::write(write.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
        channel.read_available();
    }
};

Raw raw() {
    ::signal(SIGPIPE, SIG_IGN);
    Pipe in = make_pipe();
    Pipe out = make_pipe();
    return {Channel(std::move(in.read), std::move(out.write)), std::move(in.write), std::move(out.read)};
}

std::string plain_frame(const std::string& json) {
    return frame_header(json.size(), 0) + json;
}

}  // namespace

TEST_CASE("messages arrive in order, with their attachments") {
    auto [here, there] = converse();
    CHECK(here.send({{"type", "one"}, {"n", 1}}, "bytes") == Channel::SendOutcome::Sent);
    CHECK(here.send({{"type", "two"}}) == Channel::SendOutcome::Sent);
    const auto one = receive(there);
    REQUIRE(one.has_value());
    CHECK(one->type == "one");
    CHECK(one->json.at("n") == 1);
    CHECK(one->attachment == "bytes");
    CHECK(receive(there)->type == "two");
    CHECK(!there.take());
}

TEST_CASE("a message far larger than a pipe arrives while the reader reads") {
    auto [here, there] = converse();
    const std::string large(8u << 20, 'z');
    std::thread sender([&, &from = here] {
        from.send({{"type", "large"}}, large, deadline_after_ms(test::kPatienceMs));
    });
    const auto message = receive(there);
    sender.join();
    REQUIRE(message.has_value());
    CHECK(message->attachment == large);
}

TEST_CASE("text that is no UTF-8 arrives as replaced text") {
    auto [here, there] = converse();
    here.send({{"type", "log"}, {"text", "bad \xFF byte"}});
    CHECK(receive(there)->json.at("text") == "bad \xEF\xBF\xBD byte");
}

TEST_CASE("a closed peer is reported without an exception") {
    auto [here, there] = converse();
    there = Channel();
    CHECK(here.send({{"type", "x"}}) == Channel::SendOutcome::PeerGone);
    CHECK(!here.read_available());
    CHECK(here.closed());
    CHECK(!here.cut_off());
}

TEST_CASE("messages sent before the peer closed are still read") {
    auto [here, there] = converse();
    there.send({{"type", "last words"}});
    there = Channel();
    while (here.read_available()) {
    }
    CHECK(here.take()->type == "last words");
    CHECK(here.closed());
}

TEST_CASE("a full pipe times out") {
    auto [here, there] = converse();
    const std::string large(1u << 20, 'z');
    CHECK(here.send({{"type", "large"}}, large, deadline_after_ms(20)) == Channel::SendOutcome::TimedOut);
    CHECK(here.send({{"type", "x"}}, "", Clock::now()) == Channel::SendOutcome::TimedOut);
}

TEST_CASE("a peer that goes while we wait for room ends the waiting") {
    auto [here, there] = converse();
    const std::string large(32u << 20, 'z');
    std::thread leaver([&to = there] {
        pollfd ready{to.read_fd(), POLLIN, 0};
        ::poll(&ready, 1, test::kPatienceMs);
        to.read_available();
        to = Channel();
    });
    CHECK(here.send({{"type", "large"}}, large, deadline_after_ms(test::kPatienceMs)) ==
          Channel::SendOutcome::PeerGone);
    leaver.join();
}

TEST_CASE("a message without a type is a protocol error") {
    for (const char* text :
         {"{}", "{\"type\":7}", "{\"type\":null}", "[]", "3", "\"type\"", "nonsense", ""}) {
        Raw peer = raw();
        peer.send(plain_frame(text));
        CAPTURE(text);
        CHECK_THROWS_AS(peer.channel.take(), ProtocolError);
    }
}

TEST_CASE("end of input within a message is seen as cut off") {
    Raw peer = raw();
    peer.send(plain_frame("{\"type\":\"x\"}").substr(0, 20));
    CHECK(!peer.channel.take());
    CHECK(!peer.channel.cut_off());
    peer.write.reset();
    CHECK(!peer.channel.read_available());
    CHECK(peer.channel.cut_off());
}

TEST_CASE("a peer that writes without pause does not keep the reader") {
    Raw peer = raw();
    ::fcntl(peer.write.get(), F_SETPIPE_SZ, 1 << 20);
    std::thread flood([fd = peer.write.get()] {
        const std::string block(1u << 16, 'x');
        while (::write(fd, block.data(), block.size()) > 0) {
        }
    });
    pollfd ready{peer.channel.read_fd(), POLLIN, 0};
    CHECK(::poll(&ready, 1, test::kPatienceMs) == 1);
    CHECK(peer.channel.read_available());  // must not block or loop for ever
    CHECK_THROWS_AS(peer.channel.take(), ProtocolError);
    peer.channel = Channel();  // the writer gets EPIPE
    flood.join();
}

TEST_CASE("deadlines: past ones are 0, far ones never end") {
    CHECK(poll_timeout_ms(Clock::now() - std::chrono::seconds(1)) == 0);
    CHECK(poll_timeout_ms(Deadline::max()) == -1);
    CHECK(poll_timeout_ms(Clock::now() + std::chrono::microseconds(10)) <= 1);
    const int left = poll_timeout_ms(deadline_after_ms(1e6));
    CHECK(left > 500'000);
    CHECK(left <= 1'000'000);
    CHECK(deadline_after_ms(std::numeric_limits<double>::infinity()) == Deadline::max());
    CHECK(deadline_after_ms(std::numeric_limits<double>::quiet_NaN()) == Deadline::max());
    CHECK(poll_timeout_ms(deadline_after_ms(-5)) == 0);
}

// --- the greeting ---

namespace {

Message message_of(const Json& json) {
    const Json sent = parse_json(dump_json(json));
    return {sent.value("type", ""), sent, ""};
}

/// @return  the error message; empty if the greeting is accepted
std::string complaint(const Json& json) {
    try {
        require_hello(message_of(json), "kwb-runner");
        return "";
    } catch (const EnvironmentError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("a greeting of the same build is accepted") {
    CHECK(complaint(make_hello("kwb-runner")) == "");
}

TEST_CASE("another program, version or protocol is refused with a remedy") {
    Json hello = make_hello("kwb-judge");
    CHECK(complaint(hello).find("expected kwb-runner, found kwb-judge") == 0);
    hello = make_hello("kwb-runner");
    hello["version"] = "99.0";
    CHECK(complaint(hello).find("has version 99.0") != std::string::npos);
    CHECK(complaint(hello).find("Build and install kwb, kwb-judge and kwb-runner together") !=
          std::string::npos);
    hello = make_hello("kwb-runner");
    hello["protocol"] = kProtocolVersion + 1;
    CHECK(complaint(hello).find("protocol") != std::string::npos);
    CHECK(complaint({{"type", "devices"}}).find("sent 'devices' instead of a greeting") != std::string::npos);
}

TEST_CASE("a greeting with wrong fields is a protocol error") {
    Json hello = make_hello("kwb-runner");
    hello["protocol"] = "one";
    CHECK_THROWS_AS(require_hello(message_of(hello), "kwb-runner"), ProtocolError);
    hello = make_hello("kwb-runner");
    hello.erase("version");
    CHECK_THROWS_AS(require_hello(message_of(hello), "kwb-runner"), ProtocolError);
}
