#include "base/fd.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace kwb {

Fd& Fd::operator=(Fd&& other) noexcept {
    if (this != &other) {
        reset();
        fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
}

void Fd::reset() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

Pipe make_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw_errno("pipe2");
    return {Fd(ends[0]), Fd(ends[1])};
}

void throw_errno(std::string_view call) {
    throw std::system_error(errno, std::generic_category(), std::string(call));
}

}  // namespace kwb
