#include "ipc/protocol_pipes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "ipc/child.hpp"

namespace kwb {
namespace {

/// Moves a descriptor far from the numbers that drivers use; the new one is closed on exec.
Fd move_away(int fd) {
    constexpr int kFirst = 200;
    Fd moved(::fcntl(fd, F_DUPFD_CLOEXEC, kFirst));
    if (!moved) moved = Fd(::fcntl(fd, F_DUPFD_CLOEXEC, kKeptFd + 1));  // the descriptor limit is low
    if (!moved) throw_errno("fcntl(F_DUPFD_CLOEXEC)");
    ::close(fd);
    return moved;
}

void replace(int fd, const Fd& by) {
    if (::dup2(by.get(), fd) < 0) throw_errno("dup2");
}

/// The data of emergency_send(); set once, before any handler is installed.
struct EmergencyExit {
    std::atomic<int> fd = -1;
    std::atomic<std::uint64_t> secret = 0;
};
EmergencyExit emergency_exit;

/// Never 0, because unused arguments often are.
std::uint64_t draw_secret() {
    std::uint64_t secret = 0;
    while (secret == 0)
        if (::getrandom(&secret, sizeof secret, 0) != sizeof secret && errno != EINTR)
            throw_errno("getrandom");
    return secret;
}

}  // namespace

ProtocolPipes take_protocol_pipes(bool has_arena) {
    ProtocolPipes pipes;
    // The arena first: a number that becomes free is reused by the next descriptor that is opened.
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
    pipes.channel.use_secret(draw_secret());
    emergency_exit.secret = pipes.channel.secret();
    emergency_exit.fd = pipes.channel.write_fd();
    return pipes;
}

void emergency_send(const char* bytes, std::size_t n) noexcept {
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "a handler must not wait for a lock");
    const int fd = emergency_exit.fd;
    const int error = errno;
    while (fd >= 0 && n > 0) {
        iovec part{const_cast<char*>(bytes), n};
        const long written = ::syscall(SYS_writev, fd, &part, 1UL, emergency_exit.secret.load(), 0, 0);
        if (written < 0 && errno == EAGAIN) {
            pollfd ready{fd, POLLOUT, 0};
            if (::poll(&ready, 1, kEmergencySendMs) == 1) continue;
        }
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) break;
        bytes += written;
        n -= static_cast<std::size_t>(written);
    }
    errno = error;
}

}  // namespace kwb
