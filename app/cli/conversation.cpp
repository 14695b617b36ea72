#include "conversation.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.hpp"
#include "progress_line.hpp"

namespace kwb::cli {
namespace {

/// The shell's code for a program ended by SIGINT.
constexpr int kInterrupted = 130;

Fd catch_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return Fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

}  // namespace

// The signals are blocked before the session starts its thread, which inherits that.
Conversation::Conversation()
    : changed_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      signals_(catch_signals()),
      session_(default_judge_command(), [fd = changed_.get()] {
          const std::uint64_t one = 1;
          [[maybe_unused]] const ssize_t n = ::write(fd, &one, sizeof one);
      }) {}

DeviceList Conversation::list_devices() {
    const auto snapshot = wait_for(session_.list_devices(), "");
    if (interrupted_ || !snapshot->devices) throw Interrupted();
    return *snapshot->devices;
}

std::shared_ptr<const Snapshot> Conversation::run(RunRequest request, const std::string& headline) {
    return wait_for(session_.run(std::move(request)), headline);
}

void Conversation::take_signal() {
    signalfd_siginfo info{};
    if (::read(signals_.get(), &info, sizeof info) != sizeof info) return;
    // A second Ctrl-C does not wait for anything; the judge sees end of file and takes its runners along.
    if (interrupted_) ::_exit(kInterrupted);
    interrupted_ = true;
    session_.stop();
}

std::shared_ptr<const Snapshot> Conversation::wait_for(std::uint64_t command, const std::string& headline) {
    ProgressLine line(headline);
    for (;;) {
        std::shared_ptr<const Snapshot> snapshot = session_.snapshot();
        if (snapshot->answered >= command) {
            line.clear();
            if (!snapshot->error.empty() && !interrupted_) throw EnvironmentError(snapshot->error);
            return snapshot;
        }
        line.show(*snapshot);
        pollfd fds[] = {{changed_.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}};
        ::poll(fds, 2, -1);
        if (fds[1].revents != 0) take_signal();
        std::uint64_t count = 0;
        [[maybe_unused]] const ssize_t n = ::read(changed_.get(), &count, sizeof count);
    }
}

}  // namespace kwb::cli
