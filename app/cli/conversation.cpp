#include "conversation.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/user_folders.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"
#include "session/experiment.hpp"
#include "session/settings.hpp"
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

JudgePlace judge_place(const Options& options) {
    JudgePlace place;
    if (options.on) {
        const std::filesystem::path settings = config_folder() / "settings.toml";
        place = find_place(*options.on, read_places(settings), settings.string());
    } else {
        place = usual_place();
    }
    if (options.wait_ms) place.greeting_ms = *options.wait_ms;
    if (options.no_sandbox) place.command.push_back("--no-sandbox");
    return place;
}

/// How long a place may be silent before that is shown. A judge sends something every second, in a long
/// timed turn every 10 s.
constexpr std::chrono::seconds kSilence{5};

/// ", no word for 7 s"; empty if the judge has spoken recently.
std::string silence_words(const Snapshot& snapshot) {
    const auto silence = std::chrono::floor<std::chrono::seconds>(Clock::now() - snapshot.link.heard);
    return silence < kSilence ? "" : ", no word for " + std::to_string(silence.count()) + " s";
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

/// "waiting for the judge at lab, no word for 7 s: srun: job 12 queued and waiting for resources"
std::string describe_progress(const Snapshot& snapshot, const JudgePlace& place) {
    if (!place.is_elsewhere()) return describe_progress(snapshot);
    if (snapshot.link.is_up) return describe_progress(snapshot) + silence_words(snapshot);
    const std::string& said = snapshot.link.last_line;
    return "waiting for the judge at " + place.name + silence_words(snapshot) +
           (said.empty() ? "" : ": " + said);
}

/// Shows the progress of a run on standard error, if that is a terminal; erases itself at the end.
class ProgressLine {
public:
    /// @param headline  printed first, e.g. "size 3 of 12"; may be empty
    ProgressLine(const std::string& headline, const JudgePlace& place) : headline_(headline), place_(place) {}
    ~ProgressLine() {
        if (drawn_) show_progress("");
    }

    void show(const Snapshot& snapshot) {
        if (!stderr_is_terminal()) return;
        show_progress((headline_.empty() ? "" : headline_ + ", ") + describe_progress(snapshot, place_));
        drawn_ = true;
    }

    /// Prints a line above the progress.
    void interrupt(const std::string& sentence) {
        if (drawn_) show_progress("");
        print_error("kwb: " + sentence + '\n');
    }

private:
    const std::string& headline_;
    const JudgePlace& place_;
    bool drawn_ = false;
};

}  // namespace

// Signals must be blocked before the session starts its thread, which inherits the signal mask.
Conversation::Conversation(const Options& options)
    : changed_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      signals_(catch_signals()),
      place_(judge_place(options)),
      wants_maps_(options.report.has_value()),
      session_(place_, [fd = changed_.get()] {
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
    request.send_maps = wants_maps_;
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
    ProgressLine line(headline, place_);
    bool told_restart = false;
    for (;;) {
        std::shared_ptr<const Snapshot> snapshot = session_.snapshot();
        const bool is_of_command = snapshot->answered + 1 >= command;
        if (is_of_command && !snapshot->link.restart.empty() && !std::exchange(told_restart, true))
            line.interrupt(snapshot->link.restart);
        if (snapshot->answered >= command) return snapshot;
        line.show(*snapshot);
        if (look) look(*snapshot);
        pollfd fds[] = {{changed_.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}};
        ::poll(fds, 2, place_.is_elsewhere() ? 1000 : -1);  // to show how long it has been silent
        if (fds[1].revents != 0) take_signal();
        std::uint64_t count = 0;
        [[maybe_unused]] const ssize_t n = ::read(changed_.get(), &count, sizeof count);
    }
}

}  // namespace kwb::cli
