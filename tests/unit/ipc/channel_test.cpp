#include "ipc/channel.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <limits>
#include <thread>

#include "base/error.hpp"

using namespace kwb;

namespace {

/// Two channels that talk to each other.
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

/// Waits for a whole message, at most ten seconds.
std::optional<Message> receive(Channel& channel) {
    const Deadline deadline = deadline_after_ms(10'000);
    for (;;) {
        if (auto message = channel.take()) return message;
        if (channel.closed()) return std::nullopt;
        pollfd ready{channel.read_fd(), POLLIN, 0};
        if (::poll(&ready, 1, poll_timeout_ms(deadline)) == 0) return std::nullopt;
        channel.read_available();
    }
}

/// One end of a channel, and the bare descriptor at which a test writes what it likes.
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
        from.send({{"type", "large"}}, large, deadline_after_ms(10'000));
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

TEST_CASE("a peer that is gone is told, not thrown") {
    auto [here, there] = converse();
    there = Channel();
    CHECK(here.send({{"type", "x"}}) == Channel::SendOutcome::PeerGone);
    CHECK(!here.read_available());
    CHECK(here.closed());
    CHECK(!here.cut_off());
}

TEST_CASE("what a peer said before it went is still read") {
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
        ::poll(&ready, 1, 10'000);
        to.read_available();
        to = Channel();
    });
    CHECK(here.send({{"type", "large"}}, large, deadline_after_ms(10'000)) == Channel::SendOutcome::PeerGone);
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
    CHECK(::poll(&ready, 1, 10'000) == 1);
    CHECK(peer.channel.read_available());  // returns
    CHECK_THROWS_AS(peer.channel.take(), ProtocolError);
    peer.channel = Channel();  // the flood meets a closed pipe
    flood.join();
}

TEST_CASE("deadlines: past ones are 0, far ones never end") {
    CHECK(poll_timeout_ms(Clock::now() - std::chrono::seconds(1)) == 0);
    CHECK(poll_timeout_ms(Deadline::max()) == -1);
    CHECK(poll_timeout_ms(Clock::now() + std::chrono::microseconds(10)) <= 1);
    const int left = poll_timeout_ms(deadline_after_ms(1000));
    CHECK(left > 500);
    CHECK(left <= 1000);
    CHECK(deadline_after_ms(std::numeric_limits<double>::infinity()) == Deadline::max());
    CHECK(deadline_after_ms(std::numeric_limits<double>::quiet_NaN()) == Deadline::max());
    CHECK(poll_timeout_ms(deadline_after_ms(-5)) == 0);
}
