// SPDX-License-Identifier: Apache-2.0
#include "sandbox/confined_program.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <future>

#include "base/error.hpp"
#include "sandbox/privileges.hpp"

namespace kwb {
namespace {

constexpr int kStopCheckMs = 20;

void limit(pid_t pid, const ConfinedProgram& program) {
    const auto set = [&](auto resource, rlim_t most) {
        const rlimit both{most, most};
        ::prlimit(pid, resource, &both, nullptr);
    };
    if (program.memory_bytes) set(RLIMIT_AS, *program.memory_bytes);
    set(RLIMIT_FSIZE, program.file_bytes);
    set(RLIMIT_CORE, 0);
}

/// @return  false at the end of the stream
bool read_some(int fd, std::string& into) {
    std::array<char, 1 << 16> buffer;
    while (true) {
        const ssize_t got = ::read(fd, buffer.data(), buffer.size());
        if (got > 0) into.append(buffer.data(), static_cast<std::size_t>(got));
        if (got == 0) return false;
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno == EAGAIN;
        if (static_cast<std::size_t>(got) < buffer.size()) return true;
    }
}

/// Reads both streams to their ends, then waits for the program's.
ProgramEnd::How collect(Child& child, const ConfinedProgram& program, const std::stop_token& stop,
                        ProgramEnd& end) {
    using enum ProgramEnd::How;
    const Deadline deadline = deadline_after_ms(program.milliseconds);
    bool open = true, talks = true;
    while (open || talks) {
        std::array<pollfd, 2> ready{pollfd{open ? child.channel().read_fd() : -1, POLLIN, 0},
                                    pollfd{talks ? child.output_fd() : -1, POLLIN, 0}};
        int wait_ms = poll_timeout_ms(deadline);
        if (stop.stop_possible()) wait_ms = std::min(wait_ms, kStopCheckMs);
        const int polled = ::poll(ready.data(), ready.size(), wait_ms);
        if (polled < 0 && errno != EINTR) throw_errno("poll");
        if (stop.stop_requested()) return Stopped;
        if (polled == 0 && Clock::now() < deadline) continue;
        if (polled == 0) return TooSlow;
        if (ready[0].revents != 0) open = read_some(ready[0].fd, end.output);
        if (ready[1].revents != 0) talks = read_some(ready[1].fd, end.messages);
        if (end.output.size() > program.output_bytes) return TooMuchOutput;
        if (end.messages.size() > program.message_bytes) return TooManyMessages;
    }
    const auto status = child.wait(deadline);
    if (!status) return TooSlow;
    end.status = *status;
    return Exited;
}

}  // namespace

ProgramEnd run_confined(const ConfinedProgram& program, const std::stop_token& stop) {
    // In a separate thread, because that can only be confined for good.
    return std::async(std::launch::async,
                      [&] {
                          ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
                          drop_capabilities(program.policy);
                          close_files(program.policy);
                          ChildOptions options;
                          options.command = program.command;
                          options.environment = program.environment;
                          options.inherit_environment = false;
                          options.capture_stderr = true;
                          Child child = Child::spawn(options);
                          limit(child.pid(), program);
                          ProgramEnd end;
                          end.how = collect(child, program, stop, end);
                          return end;
                      })
        .get();
}

}  // namespace kwb
