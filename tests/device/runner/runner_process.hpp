// SPDX-License-Identifier: Apache-2.0
// A real kwb-runner connected by two pipes, with helpers for its protocol.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ipc/arena.hpp"
#include "ipc/child.hpp"
#include "ipc/runner_messages.hpp"

namespace kwb::test {

/// Size of each guard zone in these tests, bytes; a multiple of any device's base address alignment.
inline constexpr std::uint64_t kGuardBytes = 4096;
/// Initial content of the guard zones.
inline constexpr std::byte kGuardByte{0xA5};

/// Placement of buffers in memory.
enum class Placement {
    Guarded,       ///< allocated by the driver, between guard zones
    RightAligned,  ///< in whole pages; the payload ends with the last page
    LeftAligned    ///< in whole pages; the payload starts with the first page
};

/// Buffer `id` with a payload of `bytes`. Guarded: kGuardBytes on either side; otherwise slack that fills the
/// last page.
BuffersRequest::Buffer place(std::uint32_t id, std::uint64_t bytes, Placement placement);

/// Does the runner enter its sandbox first?
enum class Confined { No, Yes };

/// Everything received from a runner that died.
struct Death {
    std::vector<std::string> stages;
    std::vector<FaultNote> faults;
    bool fault_is_last = false;  ///< is the fault note the last message?
    std::string status;          ///< "SIGSEGV"
};

class RunnerProcess {
public:
    /// @param environment  variables added to this process's environment
    explicit RunnerProcess(NamedList<std::string> environment = {}, Confined confined = Confined::No);

    /// Send `request` and wait for its reply; stage notes received before it are collected.
    /// @throws std::runtime_error  the runner died or timed out
    template <class Request>
    RunnerReply ask(const Request& request) {
        child.channel().send(to_json(request));
        return wait_for_reply();
    }

    /// As ask(), but require a reply of type `Reply`.
    template <class Reply, class Request>
    Reply get(const Request& request) {
        const RunnerReply reply = ask(request);
        if (const auto* failed = std::get_if<FailedReply>(&reply)) FAIL(failed->describe());
        return std::get<Reply>(reply);
    }

    /// Open the first device and build `source` as program 1.
    BuiltReply build(const std::string& source, NamedList<std::string> includes = {},
                     const std::string& options = "");

    /// Create buffers 0, 1, … with the payloads `contents`; fill guard zones and slack with kGuardByte.
    void fill_buffers(const std::vector<std::vector<std::byte>>& contents,
                      Placement placement = Placement::Guarded, bool trace = false);

    /// Execute the request with all buffers added to its downloads, then copy their allocations out of the
    /// arena.
    ExecutedReply execute(ExecuteRequest request);

    /// Copy all allocations out of the arena again.
    void read_back();

    /// Send the request without waiting for the reply.
    void start(ExecuteRequest request);

    /// Receive everything until the runner is dead.
    /// @throws std::runtime_error  it stays alive or replies
    Death wait_for_death();

    /// start() followed by wait_for_death().
    Death die(ExecuteRequest request);

    /// The next message of any kind; nullopt if the runner is gone or the wait timed out.
    std::optional<Message> next_message();

    /// Payload of a buffer after execute().
    template <class T>
    std::vector<T> payload(std::size_t buffer) {
        const auto bytes = whole(buffer).subspan(shapes[buffer].front_bytes, shapes[buffer].bytes);
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
        return values;
    }
    /// Front guard zone, payload and back guard zone after execute().
    std::span<std::byte> whole(std::size_t buffer);

    /// Wait until the output contains `until`, then return all output so far.
    std::string output(const std::string& until);

    RunnerReply wait_for_reply();

    Arena arena = Arena::create();
    Child child;
    std::vector<std::string> stages;  ///< stages entered since the last request
    std::vector<BuffersRequest::Buffer> shapes;

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

/// The bytes of `number`, as a fill pattern.
template <class T>
std::vector<std::uint8_t> pattern(T number) {
    return value(number).bytes;
}

bool is_untouched(std::span<const std::byte> guard);

/// One launch of `kernel`.
ExecuteRequest one_launch(const std::string& kernel, std::vector<std::uint64_t> global,
                          std::vector<std::uint64_t> local, std::vector<Argument> arguments);

}  // namespace kwb::test
