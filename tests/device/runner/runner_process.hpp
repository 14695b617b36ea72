// A real kwb-runner at the other end of two pipes, and the words to talk to it.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "ipc/arena.hpp"
#include "ipc/child.hpp"
#include "ipc/runner_messages.hpp"

namespace kwb::test {

/// Guard zones of every buffer in these tests; a multiple of any device's base alignment.
inline constexpr std::uint64_t kGuardBytes = 4096;
/// What the guard zones hold when uploaded.
inline constexpr std::byte kGuardByte{0xA5};

class RunnerProcess {
public:
    /// @param environment  added to ours
    explicit RunnerProcess(NamedList<std::string> environment = {});

    /// Send `request` and wait for its reply; stage notes on the way are collected.
    /// @throws std::runtime_error  the runner died or said nothing for too long
    template <class Request>
    RunnerReply ask(const Request& request) {
        child.channel().send(to_json(request));
        return wait_for_reply();
    }

    /// Likewise, and insist on one kind of reply.
    template <class Reply, class Request>
    Reply get(const Request& request) {
        const RunnerReply reply = ask(request);
        if (const auto* failed = std::get_if<FailedReply>(&reply)) FAIL(failed->describe());
        return std::get<Reply>(reply);
    }

    /// Open the first device and build `source` as program 1.
    BuiltReply build(const std::string& source, NamedList<std::string> includes = {},
                     const std::string& options = "");

    /// Make buffers 0, 1, … of these sizes and fill them, guard zones included, from `contents`.
    void fill_buffers(const std::vector<std::vector<std::byte>>& contents);

    /// Add every buffer to the request's downloads, run it, and cut the allocations out of the arena.
    ExecutedReply execute(ExecuteRequest request);

    /// Payload of a buffer after execute().
    template <class T>
    std::vector<T> payload(std::size_t buffer) {
        const auto bytes = whole(buffer).subspan(kGuardBytes, sizes[buffer]);
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
        return values;
    }
    /// Guard, payload, guard after execute().
    std::span<std::byte> whole(std::size_t buffer);

    /// Everything printed so far, once `until` has come.
    std::string output(const std::string& until);

    RunnerReply wait_for_reply();

    Arena arena = Arena::create();
    Child child;
    std::vector<std::string> stages;   ///< entered since the last request's reply began
    std::vector<std::uint64_t> sizes;  ///< payloads in the device's buffers

private:
    std::vector<Transfer> all_transfers() const;
    bool is_open_ = false;
    std::string output_;
};

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

template <class T>
ValueArgument value(T number) {
    ValueArgument argument;
    argument.bytes.resize(sizeof(T));
    std::memcpy(argument.bytes.data(), &number, sizeof(T));
    return argument;
}

/// The bytes of `number`, to be repeated over a buffer.
template <class T>
std::vector<std::uint8_t> pattern(T number) {
    return value(number).bytes;
}

/// One launch of `kernel`.
ExecuteRequest one_launch(const std::string& kernel, std::vector<std::uint64_t> global,
                          std::vector<std::uint64_t> local, std::vector<Argument> arguments);

}  // namespace kwb::test
