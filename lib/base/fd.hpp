// SPDX-License-Identifier: Apache-2.0
// RAII wrapper for file descriptors.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace kwb {

/// Owns one file descriptor and closes it; -1 is "none".
class Fd {
public:
    Fd() = default;
    explicit Fd(int fd) : fd_(fd) {}
    Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Fd& operator=(Fd&& other) noexcept {
        if (this != &other) {
            reset();
            fd_ = other.release();
        }
        return *this;
    }
    Fd(const Fd&) = delete;
    Fd& operator=(const Fd&) = delete;
    ~Fd() { reset(); }

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    int release() { return std::exchange(fd_, -1); }
    void reset() {
        if (fd_ >= 0) ::close(release());
    }

private:
    int fd_ = -1;
};

/// @param call  name of the failed system call, for the message
/// @throws std::system_error  from errno
[[noreturn]] inline void throw_errno(std::string_view call) {
    const int error = errno;
    throw std::system_error(error, std::generic_category(), std::string(call));
}

struct Pipe {
    Fd read;
    Fd write;
};

/// Create a pipe. Both ends are close-on-exec.
/// @throws std::system_error
inline Pipe make_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw_errno("pipe2");
    return {Fd(ends[0]), Fd(ends[1])};
}

}  // namespace kwb
