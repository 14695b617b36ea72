// A real kwb-runner at the other end of two pipes, and the words to talk to it.
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

/// Guard zones of every buffer in these tests; a multiple of any device's base alignment.
inline constexpr std::uint64_t kGuardBytes = 4096;
/// What the guard zones hold when uploaded.
inline constexpr std::byte kGuardByte{0xA5};

/// Where buffers lie.
enum class Placement {
    Guarded,       ///< memory of the driver's, between guard zones
    RightAligned,  ///< in whole pages, ending with the last of them
    LeftAligned    ///< in whole pages, starting with the first of them
};

/// `bytes` as buffer `id`. Guarded: kGuardBytes on either side; else slack that fills the page.
BuffersRequest::Buffer place(std::uint32_t id, std::uint64_t bytes, Placement placement);

/// Whether the runner closes itself off first.
enum class Confined { No, Yes };

/// What came from a runner that died.
struct Death {
    std::vector<std::string> stages;
    std::vector<FaultNote> faults;
    bool fault_is_last = false;  ///< of all messages
    std::string status;          ///< "SIGSEGV"
};

class RunnerProcess {
public:
    /// @param environment  added to ours
    explicit RunnerProcess(NamedList<std::string> environment = {}, Confined confined = Confined::No);

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

    /// Make buffers 0, 1, … of these sizes and fill them from `contents`, and what lies beside them with
    /// kGuardByte.
    void fill_buffers(const std::vector<std::vector<std::byte>>& contents,
                      Placement placement = Placement::Guarded, bool trace = false);

    /// Add every buffer to the request's downloads, run it, and cut the allocations out of the arena.
    ExecutedReply execute(ExecuteRequest request);

    /// Send it and do not wait.
    void start(ExecuteRequest request);

    /// Everything until the runner is dead.
    /// @throws std::runtime_error  it lives on, or answers
    Death wait_for_death();

    /// start(), wait_for_death()
    Death die(ExecuteRequest request);

    /// The next message of any kind, or nothing once the runner is gone or the patience at its end.
    std::optional<Message> next_message();

    /// Payload of a buffer after execute().
    template <class T>
    std::vector<T> payload(std::size_t buffer) {
        const auto bytes = whole(buffer).subspan(shapes[buffer].front_bytes, shapes[buffer].bytes);
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
        return values;
    }
    /// Front, payload, back after execute().
    std::span<std::byte> whole(std::size_t buffer);

    /// Everything printed so far, once `until` has come.
    std::string output(const std::string& until);

    RunnerReply wait_for_reply();

    Arena arena = Arena::create();
    Child child;
    std::vector<std::string> stages;  ///< entered since the last request's reply began
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

/// The bytes of `number`, to be repeated over a buffer.
template <class T>
std::vector<std::uint8_t> pattern(T number) {
    return value(number).bytes;
}

bool is_untouched(std::span<const std::byte> guard);

/// One launch of `kernel`.
ExecuteRequest one_launch(const std::string& kernel, std::vector<std::uint64_t> global,
                          std::vector<std::uint64_t> local, std::vector<Argument> arguments);

}  // namespace kwb::test
