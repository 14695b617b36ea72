#include "ipc/protocol_pipes.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "ipc/child.hpp"

namespace kwb {
namespace {

/// A copy far from the numbers that drivers use, closed in started programs; the original is closed.
Fd move_away(int fd) {
    constexpr int kFirst = 200;
    Fd moved(::fcntl(fd, F_DUPFD_CLOEXEC, kFirst));
    if (!moved) moved = Fd(::fcntl(fd, F_DUPFD_CLOEXEC, kKeptFd + 1));  // few descriptors are allowed here
    if (!moved) throw_errno("fcntl(F_DUPFD_CLOEXEC)");
    ::close(fd);
    return moved;
}

void replace(int fd, const Fd& by) {
    if (::dup2(by.get(), fd) < 0) throw_errno("dup2");
}

}  // namespace

ProtocolPipes take_protocol_pipes(bool has_arena) {
    ProtocolPipes pipes;
    // The arena first: a number that becomes free here is taken by the next descriptor to be opened.
    if (has_arena) pipes.arena = Arena::adopt(move_away(kKeptFd));
    Fd in = move_away(STDIN_FILENO);
    Fd out = move_away(STDOUT_FILENO);
    const Fd nothing(
        ::fcntl(Fd(::open("/dev/null", O_RDWR | O_CLOEXEC)).get(), F_DUPFD_CLOEXEC, kKeptFd + 1));
    if (!nothing) throw_errno("open(/dev/null)");
    replace(STDIN_FILENO, nothing);
    if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {  // started without stderr
        replace(STDOUT_FILENO, nothing);
        replace(STDERR_FILENO, nothing);
    }
    ::setvbuf(stdout, nullptr, _IOLBF, 0);
    pipes.channel = Channel(std::move(in), std::move(out));
    return pipes;
}

}  // namespace kwb
