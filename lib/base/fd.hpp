// RAII wrapper for file descriptors.
#pragma once

#include <string_view>
#include <utility>

namespace kwb {

/// Owns one file descriptor and closes it; -1 is "none".
class Fd {
public:
    Fd() = default;
    explicit Fd(int fd) : fd_(fd) {}
    Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Fd& operator=(Fd&& other) noexcept;
    Fd(const Fd&) = delete;
    Fd& operator=(const Fd&) = delete;
    ~Fd() { reset(); }

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    int release() { return std::exchange(fd_, -1); }
    void reset();

private:
    int fd_ = -1;
};

struct Pipe {
    Fd read;
    Fd write;
};

/// Create a pipe. Both ends are close-on-exec.
/// @throws std::system_error
Pipe make_pipe();

/// @param call  name of the failed system call, for the message
/// @throws std::system_error  from errno
[[noreturn]] void throw_errno(std::string_view call);

}  // namespace kwb
