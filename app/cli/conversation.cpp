#include "conversation.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "base/error.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"
#include "session/experiment.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace {

/// A second Ctrl-C within this time counts as a repetition of the first (a key held down, a shell that
/// forwards it), not as a request to exit at once.
constexpr std::chrono::seconds kPatience{1};

Fd catch_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return Fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

JudgeCommand judge_command(const Options& options) {
    JudgeCommand command = default_judge_command();
    if (options.no_sandbox) command.push_back("--no-sandbox");
    return command;
}

/// "time: matmul/tiled, round 7, 63 runs, 12.3 ms (12.1 – 12.6)"
std::string describe_progress(const Snapshot& snapshot) {
    if (snapshot.phase == Snapshot::Phase::Stopping) return "stopping …";
    if (snapshot.phase == Snapshot::Phase::Listing) {
        if (!snapshot.devices || snapshot.devices->starting.empty()) return "asking the OpenCL drivers …";
        std::string text = starting_words(*snapshot.devices);
        if (!snapshot.devices->devices.empty())
            text += "; --device " + snapshot.devices->devices.front().id + " would not wait";
        return text;
    }
    if (!snapshot.progress) return "starting …";
    const Progress& progress = *snapshot.progress;
    std::string text = progress.stage + ": " + progress.kernel;
    if (progress.runs > 0)
        text +=
            ", round " + std::to_string(progress.rounds + 1) + ", " + std::to_string(progress.runs) + " runs";
    if (const std::string waiting = waiting_words(progress); !waiting.empty()) text += ", " + waiting;
    if (progress.median_ms) text += ", " + format_time_ms(*progress.median_ms, progress.ci95_ms);
    return text;
}

/// Shows the progress of a run on standard error, if that is a terminal; erases itself at the end.
class ProgressLine {
public:
    /// @param headline  printed first, e.g. "size 3 of 12"; may be empty
    explicit ProgressLine(const std::string& headline) : headline_(headline) {}
    ~ProgressLine() {
        if (drawn_) show_progress("");
    }

    void show(const Snapshot& snapshot) {
        if (!stderr_is_terminal()) return;
        show_progress((headline_.empty() ? "" : headline_ + ", ") + describe_progress(snapshot));
        drawn_ = true;
    }

private:
    const std::string& headline_;
    bool drawn_ = false;
};

}  // namespace

// Signals must be blocked before the session starts its thread, which inherits the signal mask.
Conversation::Conversation(const Options& options)
    : changed_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      signals_(catch_signals()),
      session_(judge_command(options), [fd = changed_.get()] {
          const std::uint64_t one = 1;
          [[maybe_unused]] const ssize_t n = ::write(fd, &one, sizeof one);
      }) {}

DeviceList Conversation::list_devices(const std::optional<std::string>& wanted) {
    const auto snapshot = wait_for(session_.list_devices(), "", [&](const Snapshot& now) {
        if (wanted && now.devices && has_device(*now.devices, *wanted)) session_.stop();
    });
    if (interrupted_) throw Interrupted();
    if (!snapshot->error.empty()) throw EnvironmentError(snapshot->error);
    return *snapshot->devices;
}

std::shared_ptr<const Snapshot> Conversation::run(RunRequest request, const std::string& headline) {
    return wait_for(session_.run(std::move(request)), headline);
}

std::shared_ptr<const Snapshot> Conversation::xray(XrayRequest request) {
    return wait_for(session_.xray(std::move(request)), "");
}

void Conversation::take_signal() {
    signalfd_siginfo info{};
    if (::read(signals_.get(), &info, sizeof info) != sizeof info) return;
    const auto now = std::chrono::steady_clock::now();
    if (interrupted_) {
        if (now - interrupted_at_ < kPatience) return;
        // Exit without waiting for anything. The judge detects the end of file and terminates its runners.
        print_error("\nkwb: ended at once, as asked twice; what was measured is lost\n");
        ::_exit(kExitInterrupted);
    }
    interrupted_ = true;
    interrupted_at_ = now;
    session_.stop();
}

std::shared_ptr<const Snapshot> Conversation::wait_for(std::uint64_t command, const std::string& headline,
                                                       const Look& look) {
    ProgressLine line(headline);
    for (;;) {
        std::shared_ptr<const Snapshot> snapshot = session_.snapshot();
        if (snapshot->answered >= command) return snapshot;
        line.show(*snapshot);
        if (look) look(*snapshot);
        pollfd fds[] = {{changed_.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}};
        ::poll(fds, 2, -1);
        if (fds[1].revents != 0) take_signal();
        std::uint64_t count = 0;
        [[maybe_unused]] const ssize_t n = ::read(changed_.get(), &count, sizeof count);
    }
}

}  // namespace kwb::cli
