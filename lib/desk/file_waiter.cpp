#include "desk/file_waiter.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace kwb {
namespace {

constexpr int kPollingMs = 250;

void signal_event(const Fd& fd) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t n = ::write(fd.get(), &one, sizeof one);
}

void clear_event(const Fd& fd) {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t n = ::read(fd.get(), &count, sizeof count);
}

}  // namespace

FileWaiter::FileWaiter(int fd, std::function<void()> wake)
    : resumed_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      ending_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      wake_(std::move(wake)) {
    if (!resumed_ || !ending_) throw_errno("eventfd");
    thread_ = std::thread([this, fd] { wait(fd); });
}

FileWaiter::~FileWaiter() {
    signal_event(ending_);
    thread_.join();
}

void FileWaiter::resume() {
    signal_event(resumed_);
}

void FileWaiter::wait(int fd) {
    for (;;) {
        // poll() passes over a descriptor of -1.
        pollfd changed[] = {{ending_.get(), POLLIN, 0}, {fd, POLLIN, 0}};
        ::poll(changed, 2, fd < 0 ? kPollingMs : -1);
        if (changed[0].revents != 0) return;
        if (fd >= 0 && changed[1].revents == 0) continue;
        wake_();
        pollfd taken[] = {{ending_.get(), POLLIN, 0}, {resumed_.get(), POLLIN, 0}};
        ::poll(taken, 2, -1);
        if (taken[0].revents != 0) return;
        clear_event(resumed_);
    }
}

}  // namespace kwb
