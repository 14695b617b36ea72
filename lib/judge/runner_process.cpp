#include "judge/runner_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <system_error>

#include "base/error.hpp"
#include "base/program_path.hpp"
#include "base/text.hpp"
#include "ipc/hello.hpp"

namespace kwb {
namespace {

constexpr double kGreetingTimeoutMs = 10000;
constexpr double kReapTimeoutMs = 2000;

constexpr const char* kReinstall = "; build and install kwb, kwb-judge and kwb-runner together";

/// A runner's messages are small; bulk data lies in the arena.
constexpr FrameLimits kRunnerLimits{8u << 20, 0};

Child start(const RunnerOptions& options, int arena_fd) {
    ChildOptions child;
    child.command = {options.program, "--arena"};
    child.environment = options.environment;
    child.capture_stderr = true;
    child.keep_fd = arena_fd;
    child.limits = kRunnerLimits;
    try {
        return Child::spawn(child);
    } catch (const std::system_error& error) {
        throw EnvironmentError(std::string(error.what()) + "; build and install kwb-runner beside kwb-judge");
    }
}

/// Each stage note has a whole timeout, so there must be an end to them. A turn of TurnRule::most_runs long
/// runs of either kind sends some 400.
constexpr std::uint32_t kMostStageNotes = 10'000;

/// The last words of a dying program, short enough for a sentence.
std::string last_line(const std::string& output) {
    const std::vector<std::string> lines = split_lines(trim(output));
    return lines.empty() || lines.back().empty() ? "" : ", its last words: \"" + lines.back() + "\"";
}

bool is_compile(const std::string& stage) {
    return stage == "compile";
}

}  // namespace

RunnerProcess::RunnerProcess(const RunnerOptions& options, FaceLink& face)
    : face_(face), program_(options.program), arena_(Arena::create()), child_(start(options, arena_.fd())) {}

void RunnerProcess::post(const Json& request, double timeout_ms) {
    if (!alive_) return;
    stage_.clear();
    child_.channel().send(request, {}, deadline_after_ms(timeout_ms));
}

bool RunnerProcess::wait_for_news(Deadline deadline) {
    pollfd fds[] = {
        {child_.channel().read_fd(), POLLIN, 0}, {child_.output_fd(), POLLIN, 0}, {face_.fd(), POLLIN, 0}};
    const int ready = ::poll(fds, std::size(fds), poll_timeout_ms(deadline));
    if (fds[2].revents != 0) face_.checkpoint();
    output_.drain(child_.output_fd());
    // The captured pipe may be at its end while the runner lives on: do not spin on it.
    if (ready > 0 && fds[0].revents == 0 && (fds[1].revents & POLLHUP) != 0) child_.close_output();
    child_.channel().read_available();
    return ready != 0;
}

void RunnerProcess::greet(Deadline deadline) {
    while (!greeted_) {
        std::optional<Message> message;
        try {
            message = child_.channel().take();
            if (message) require_hello(*message, "kwb-runner");
        } catch (const ProtocolError& error) {
            end();
            throw EnvironmentError(std::string("kwb-runner does not speak our protocol: ") + error.what() +
                                   kReinstall);
        }
        if (message) {
            greeted_ = true;
        } else if (child_.channel().closed()) {
            const auto status = child_.wait(deadline_after_ms(kReapTimeoutMs));
            end();
            throw EnvironmentError(program_ + " ended at its start" +
                                   (status ? " (" + status->describe() + ")" : "") +
                                   last_line(output_.take()) + kReinstall);
        } else if (!wait_for_news(deadline)) {
            end();
            throw EnvironmentError(program_ + " did not greet within " +
                                   fmt::format("{:g} s", kGreetingTimeoutMs / 1000) + kReinstall);
        }
    }
}

Answer<RunnerReply> RunnerProcess::receive(double timeout_ms) {
    if (!alive_) return died();
    greet(deadline_after_ms(kGreetingTimeoutMs));
    Deadline deadline = deadline_after_ms(timeout_ms);
    std::uint32_t notes = 0;
    for (;;) {
        try {
            while (const std::optional<Message> message = child_.channel().take()) {
                RunnerReply reply = runner_reply_from_json(message->json);
                if (const auto* note = std::get_if<StageNote>(&reply)) {
                    if (++notes > kMostStageNotes) return lied("stage notes without end");
                    stage_ = note->stage;
                    deadline = deadline_after_ms(timeout_ms);
                    continue;
                }
                if (const auto* fault = std::get_if<FaultNote>(&reply)) {
                    fault_ = *fault;
                    continue;
                }
                output_.drain(child_.output_fd());
                return reply;
            }
        } catch (const ProtocolError& error) {
            return lied(error.what());
        }
        if (child_.channel().closed()) return died();
        // A runner that babbles is not silent, but it is late all the same.
        if (!wait_for_news(deadline) || Clock::now() >= deadline) return timed_out(timeout_ms);
    }
}

Evidence RunnerProcess::evidence() const {
    Evidence evidence;
    if (!stage_.empty()) evidence.stage = stage_;
    return evidence;
}

void RunnerProcess::end() {
    alive_ = false;
    child_.kill();
    child_.wait(deadline_after_ms(kReapTimeoutMs));
    output_.drain(child_.output_fd());
}

Loss RunnerProcess::refused(const FailedReply& failed) const {
    return {Verdict::LaunchError, failed.describe(), evidence(), std::nullopt};
}

Loss RunnerProcess::died() {
    const auto status = child_.wait(deadline_after_ms(kReapTimeoutMs));
    end();
    Loss loss{Verdict::LaunchError, "", evidence(), fault_};
    const std::string how = status ? status->describe() : "without a trace";
    if (status && !status->code) loss.evidence.signal = signal_name(status->signal);
    if (status && status->signal == SIGKILL) {
        loss.verdict = Verdict::Skipped;
        loss.reason =
            "the process that ran the kernel was killed from outside (SIGKILL), most likely because this "
            "machine's "
            "memory ran out: the kernel could not be judged; try again, or choose a smaller --size";
    } else if (!stage_.empty() && status && status->signal == SIGABRT && find_in_path("ld").empty()) {
        loss.verdict = Verdict::CompilerCrashed;
        loss.reason =
            "the driver's compiler gave up (" + how +
            "), and there is no linker: ld is not in PATH, which PoCL needs; apt-get install binutils";
    } else if (is_compile(stage_)) {
        loss.verdict = Verdict::CompilerCrashed;
        loss.reason =
            "the driver's compiler crashed on this source (" + how +
            "): a fault of the compiler, usually met by unusual source; make the kernel simpler step by "
            "step to find what it stumbles over";
    } else if (stage_ == "launch") {
        loss.verdict = Verdict::KernelCrashed;
        loss.reason =
            "the kernel crashed (" + how +
            ") while it ran: an index far outside its buffers, a barrier that only some work-items reach, "
            "or a very large private array are the usual causes";
    } else {
        loss.reason = "the driver ended the runner (" + how + ") outside of compiling and launching";
    }
    return loss;
}

Loss RunnerProcess::timed_out(double timeout_ms) {
    end();
    Loss loss{Verdict::Timeout, "", evidence(), std::nullopt};
    const std::string limit = fmt::format("{:g} s", timeout_ms / 1000);
    if (is_compile(stage_))
        loss.reason = "the compiler did not finish within " + limit + "; --timeout allows more";
    else if (stage_ == "launch")
        loss.reason =
            "one launch did not finish within " + limit +
            ": a loop that never ends, or too much work for this device; try a smaller --size, or allow "
            "more with --timeout";
    else
        loss.reason = "the driver did not answer within " + limit;
    return loss;
}

Loss RunnerProcess::lied(const std::string& finding) {
    end();
    Loss loss{is_compile(stage_) ? Verdict::CompilerCrashed : Verdict::KernelCrashed, "", evidence(),
              std::nullopt};
    loss.reason = "the process that ran the kernel sent garbage (" + finding +
                  ") and was ended: the kernel has probably overwritten memory that is not its own";
    return loss;
}

}  // namespace kwb
