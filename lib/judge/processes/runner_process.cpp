// SPDX-License-Identifier: Apache-2.0
#include "judge/processes/runner_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "ipc/channel.hpp"
#include "ipc/runner_messages.hpp"
#include "judge/processes/family.hpp"
#include "judge/processes/machine.hpp"

namespace kwb {
namespace {

constexpr double kGreetingTimeoutMs = 10000;
/// Wait after SIGKILL. With PoCL an idle or busy runner ends within 10 to 50 ms.
constexpr double kReapTimeoutMs = 2000;
/// A short wait where the end of the process is not needed, so that Stop is answered at once.
constexpr double kMomentMs = 20;
/// A process closes its descriptors after it has freed its memory, so it ends soon after that.
constexpr double kClosedTimeoutMs = 1000;

/// Exit code of the dynamic linker if a library is missing (and of a shell if the program is missing).
constexpr int kMissingLibrary = 127;
constexpr const char* kInstallLoader =
    ". Install what is missing (libOpenCL.so.1: apt-get install ocl-icd-libopencl1)";

/// A runner's messages are small, because bulk data is in the arena. Compilers write long logs.
constexpr FrameLimits kRunnerLimits{8u << 20, 0, 200'000};
/// Reports of X-ray contain maps and traces, and recordings as attachments.
constexpr FrameLimits kXrayLimits{128u << 20, kMostAttachmentBytes, kMostJsonValues};

std::vector<std::filesystem::path> folders_of(const RunnerFolder* temporary,
                                              const std::filesystem::path& own_cache) {
    std::vector<std::filesystem::path> folders;
    if (temporary != nullptr) folders.push_back(temporary->path());
    if (!own_cache.empty()) folders.push_back(own_cache);
    return folders;
}

Child start(const RunnerOptions& options, int arena_fd) {
    ChildOptions child;
    child.command = {options.program, "--arena"};
    child.environment = options.environment;
    child.inherit_environment = false;
    child.over_sockets = true;
    child.capture_stderr = true;
    child.keep_fd = arena_fd;
    child.limits = options.name == kXrayProgram ? kXrayLimits : kRunnerLimits;
    try {
        return Child::spawn(child);
    } catch (const std::system_error& error) {
        throw EnvironmentError(std::string(error.what()) + ". Build and install " + options.name +
                               " next to kwb-judge");
    }
}

/// The last line that a program printed before it ended, as part of a sentence.
std::string last_line(const std::string& output) {
    const std::vector<std::string> lines = split_lines(trim(output));
    return lines.empty() || lines.back().empty() ? "" : ", it last printed \"" + lines.back() + "\"";
}

/// Times of processes that the runner has started are in steps of 10 ms.
constexpr double kMostWorkInPausesMs = 50;

}  // namespace

RunnerProcess::RunnerProcess(RunnerOptions options, FaceLink& face, Reaper& reaper)
    : face_(face),
      reaper_(reaper),
      program_(options.program),
      name_(options.name),
      folder_(std::move(options.folder)),
      arena_(Arena::create()),
      child_(start(options, arena_.fd())),
      limits_(child_->pid(), folders_of(folder_.get(), options.own_cache)) {}

RunnerProcess::~RunnerProcess() {
    if (!child_) return;
    child_->kill();
    if (!child_->wait(deadline_after_ms(kMomentMs))) reaper_.take(std::move(*child_));
}

void RunnerProcess::send(const Json& request, AllowedReplies allowed, double timeout_ms) {
    if (!alive_) return;
    add_work_in_pause();
    if (std::exchange(is_paused_, false)) child_->signal(SIGCONT);
    if (pending_.empty()) {
        stage_ = allowed.stage;
        fault_.reset();
        if (greeted_ && !is_idle() && !is_gone()) violation_ = "a reply without a request";
    }
    if (!allowed.is_timed) memory_kills_ = count_memory_kills();
    if (allowed.stages.contains(kCompileStage)) before_.reset();
    if (allowed.is_execution && !before_) {
        const std::vector<pid_t> others = descendants_of(child_->pid());
        before_.emplace(others.begin(), others.end());
    }
    allowed.buffers = buffers_;
    pending_.push_back(std::move(allowed));
    const auto outcome = child_->channel().send(request, {}, deadline_after_ms(timeout_ms), [this] {
        face_.checkpoint();
        output_.drain(child_->output_fd());
    });
    is_deaf_ = outcome == Channel::SendOutcome::TimedOut;
}

void RunnerProcess::expect_buffers(const BuffersRequest& request) {
    buffers_.clear();
    for (const BuffersRequest::Buffer& buffer : request.buffers) buffers_.insert(buffer.id);
}

/// Called before reading: if the process has ended by now, the socket buffer holds everything it sent. A
/// closed pipe is not a reliable sign, because processes that the kernel started may hold it open.
void RunnerProcess::look_for_end() {
    pollfd end{child_->pidfd(), POLLIN, 0};
    ended_ = ::poll(&end, 1, 0) == 1;
}

bool RunnerProcess::is_gone() {
    return ended_ || child_->channel().closed();
}

bool RunnerProcess::is_idle() {
    if (!alive_) return false;
    output_.drain(child_->output_fd());
    look_for_end();
    try {
        return child_->channel().read_available() && !ended_ && (!greeted_ || !child_->channel().take());
    } catch (const ProtocolError&) {
        return false;
    }
}

void RunnerProcess::wait_for_news(Deadline deadline) {
    pollfd fds[] = {{child_->channel().read_fd(), POLLIN, 0},
                    {child_->output_fd(), POLLIN, 0},
                    {face_.fd(), POLLIN, 0},
                    {child_->pidfd(), POLLIN, 0},
                    {affinity_.fd(), POLLIN, 0}};
    const int ready = ::poll(fds, std::size(fds), poll_timeout_ms(deadline));
    if (fds[2].revents != 0) face_.checkpoint();
    if (fds[4].revents != 0) affinity_.answer();
    output_.drain(child_->output_fd());
    // The captured pipe may be closed while the runner is still running: do not spin on it.
    if (ready > 0 && fds[0].revents == 0 && (fds[1].revents & POLLHUP) != 0) child_->close_output();
    look_for_end();
    child_->channel().read_available();
}

void RunnerProcess::greet(Deadline deadline) {
    while (!greeted_) {
        std::optional<Message> message;
        try {
            message = child_->channel().take();
            if (message) require_hello(*message, name_);
        } catch (const ProtocolError& error) {
            end();
            throw EnvironmentError(name_ + " sent a message that kwb-judge cannot read: " + error.what() +
                                   kSameBuildRemedy);
        }
        if (message) {
            greeted_ = true;
        } else if (is_gone()) {
            const auto status = await_end(kClosedTimeoutMs);
            end();
            throw EnvironmentError(
                program_ + " ended at its start" + (status ? " (" + status->describe() + ")" : "") +
                last_line(output_.take()) +
                (status && status->code == kMissingLibrary ? kInstallLoader : kSameBuildRemedy));
        } else if (Clock::now() >= deadline) {
            end();
            throw EnvironmentError(program_ + " did not greet within " +
                                   fmt::format("{:g} s", kGreetingTimeoutMs / 1000) + kSameBuildRemedy);
        } else {
            wait_for_news(deadline);
        }
    }
}

std::optional<Answer<RunnerReply>> RunnerProcess::take_reply(double timeout_ms, Deadline& deadline) {
    try {
        while (const std::optional<Message> message = child_->channel().take()) {
            RunnerReply reply = runner_reply_from_json(message->json, message->attachment);
            require_plausible(reply, pending_.front());
            if (const auto* note = std::get_if<StageNote>(&reply)) {
                stage_ = note->stage;
                limits_.enter_stage(timeout_ms);
                deadline = deadline_after_ms(timeout_ms);
            } else if (const auto* fault = std::get_if<FaultNote>(&reply)) {
                if (fault_) return broke_protocol("a second fault");
                if (stage_.empty()) return broke_protocol("a fault before any launch");
                fault_ = *fault;
            } else {
                if (fault_) return broke_protocol("a reply after a fault");
                output_.drain(child_->output_fd());
                if (const std::size_t left = pending_.front().leaves_nothing ? count_left_behind() : 0;
                    left > 0) {
                    end();
                    return explain_left_behind(death(), left);
                }
                pending_.erase(pending_.begin());
                if (const auto* confined = std::get_if<ConfinedReply>(&reply))
                    affinity_ = AffinitySupervisor(child_->pidfd(), confined->report.question_fd);
                return reply;
            }
        }
    } catch (const ProtocolError& error) {
        return broke_protocol(error.what());
    }
    return std::nullopt;
}

std::optional<Answer<RunnerReply>> RunnerProcess::receive_if_there(double timeout_ms) {
    if (!alive_) return Failure{Verdict::LaunchError, "the runner has ended", {}};
    expects(!pending_.empty(), "RunnerProcess: nothing was asked");
    wait_for_news(Clock::now());
    if (!greeted_ && !child_->channel().has_message() && !is_gone()) return std::nullopt;
    greet(Clock::now());
    Deadline deadline;  // receive() checks it
    std::optional<Answer<RunnerReply>> answer = take_reply(timeout_ms, deadline);
    if (!answer && is_gone()) return died();
    return answer;
}

Answer<RunnerReply> RunnerProcess::receive(double timeout_ms) {
    if (!alive_) return Failure{Verdict::LaunchError, "the runner has ended", {}};
    expects(!pending_.empty(), "RunnerProcess: nothing was asked");
    go_on();
    greet(deadline_after_ms(kGreetingTimeoutMs));
    Deadline deadline = deadline_after_ms(timeout_ms);
    const double whole_ms = timeout_ms * pending_.front().timeouts;
    const Deadline whole = std::max(deadline, deadline_after_ms(whole_ms));
    const Deadline first_look =
        pending_.front().is_timed ? deadline_after_ms(RunnerLimits::kLookMs) : Deadline::min();
    limits_.enter_stage(timeout_ms);
    for (;;) {
        if (worked_in_pauses_ms_ > kMostWorkInPausesMs) return went_on();
        if (is_deaf_) return timed_out(timeout_ms);
        if (!violation_.empty()) return broke_protocol(std::exchange(violation_, {}));
        if (auto answer = take_reply(timeout_ms, deadline)) return std::move(*answer);
        if (is_gone()) return died();
        // Checked after each message, so that a runner that keeps sending also times out.
        if (Clock::now() >= std::min(deadline, whole))
            return deadline <= whole ? timed_out(timeout_ms) : took_too_long(whole_ms);
        if (Clock::now() >= first_look)
            if (const auto excess = limits_.find_excess()) return took_too_much(*excess);
        face_.remind();
        wait_for_news(std::min({deadline, whole, deadline_after_ms(RunnerLimits::kLookMs)}));
    }
}

bool RunnerProcess::has_answer_by(Deadline deadline) {
    if (alive_) greet(deadline_after_ms(kGreetingTimeoutMs));
    for (bool is_late = false;;) {
        if (!alive_ || is_deaf_ || !violation_.empty()) return true;
        if (child_->channel().has_message() || is_gone()) return true;
        if (is_late) return false;
        // Check once even if no time is left: the answer may already be in the pipe.
        is_late = Clock::now() >= deadline;
        wait_for_news(deadline);
    }
}

std::optional<ExitStatus> RunnerProcess::await_end(double ms) {
    const Deadline deadline = deadline_after_ms(ms);
    for (;;) {
        const auto status = child_->wait(std::min(deadline, deadline_after_ms(kMomentMs)));
        output_.drain(child_->output_fd());
        if (status || Clock::now() >= deadline) return status;
        face_.checkpoint();
    }
}

void RunnerProcess::end() {
    alive_ = false;
    pending_.clear();
    if (!child_) return;
    child_->kill();
    const bool ended = await_end(kReapTimeoutMs).has_value();
    if (!ended) reaper_.take(std::move(*child_));
    child_.reset();
    if (ended) folder_.reset();
}

Death RunnerProcess::death() const {
    return {stage_, {}, fault_, output_.kept()};
}

Failure RunnerProcess::refused(const FailedReply& failed) {
    // A launch may have broken the process permanently: with some drivers (NVIDIA's) every later call fails.
    if (has_launched_ || failed.code_name == kBrokenProcess) end();
    if (has_launched_ && failed.code_name == kBrokenProcess) return explain_damage(death(), failed.cause);
    if (failed.is_of_launch) return explain_broken_launch(death(), failed.describe());
    Failure failure{Verdict::LaunchError, failed.describe(), {}, std::nullopt};
    failure.is_refusal = true;
    if (!stage_.empty()) failure.evidence.stage = stage_;
    return failure;
}

Failure RunnerProcess::died() {
    Death death = this->death();
    death.status = await_end(kClosedTimeoutMs);
    death.last_words = output_.kept();
    death.ran_out_of_memory = count_memory_kills() > memory_kills_;
    end();
    return explain_death(death);
}

Failure RunnerProcess::timed_out(double timeout_ms) {
    end();
    return explain_timeout(death(), timeout_ms);
}

Failure RunnerProcess::took_too_long(double whole_ms) {
    end();
    return explain_endless(death(), whole_ms);
}

Failure RunnerProcess::took_too_much(const Excess& excess) {
    end();
    return explain_excess(death(), excess);
}

Failure RunnerProcess::went_on() {
    end();
    return explain_restless(death());
}

std::size_t RunnerProcess::count_left_behind() const {
    if (!before_) return 0;
    return static_cast<std::size_t>(std::ranges::count_if(descendants_of(child_->pid()), [&](pid_t pid) {
        const auto stat = before_->contains(pid) ? std::nullopt : read_process_stat(pid);
        return stat && stat->state != 'Z' && stat->state != 'X';
    }));
}

Failure RunnerProcess::broke_protocol(const std::string& finding) {
    end();
    return explain_garbage(death(), finding);
}

void RunnerProcess::spread_workers() {
    if (alive_ && child_) spread_worker_threads(child_->pid());
}

std::optional<double> RunnerProcess::cpu_ms() const {
    return alive_ && child_ ? family_cpu_ms(child_->pid()) : std::nullopt;
}

void RunnerProcess::pause() {
    if (!alive_ || !pending_.empty()) return;
    child_->signal(SIGSTOP);  // each time, because a timer of the kernel may have continued it
    if (!std::exchange(is_paused_, true)) cpu_at_pause_ms_ = cpu_ms();
}

void RunnerProcess::hold() {
    if (alive_ && !pending_.empty() && !std::exchange(is_held_, true)) child_->signal(SIGSTOP);
}

bool RunnerProcess::go_on() {
    if (!std::exchange(is_held_, false)) return false;
    if (child_) child_->signal(SIGCONT);
    return true;
}

void RunnerProcess::add_work_in_pause() {
    constexpr double kStopMs = 1;  // until all threads have stopped
    if (!is_paused_ || !cpu_at_pause_ms_) return;
    if (const auto now_ms = cpu_ms())
        worked_in_pauses_ms_ += std::max(0.0, *now_ms - *cpu_at_pause_ms_ - kStopMs);
}

Reaper::~Reaper() {
    reap();
    // Never destroyed, because ~Child waits for its process and these do not end. The static pointer keeps
    // the memory reachable for leak checkers.
    static auto* const kept = new std::vector<Killed>;
    for (Killed& killed : killed_) kept->push_back(std::move(killed));
}

void Reaper::take(Child child) {
    reap();
    if (!child.wait(Clock::now())) killed_.push_back({std::move(child), Clock::now()});
}

void Reaper::reap(Deadline deadline) {
    std::vector<Killed> left;
    for (Killed& killed : killed_)
        if (!killed.child.wait(deadline)) left.push_back(std::move(killed));
    killed_ = std::move(left);
}

std::vector<std::string> Reaper::take_warnings(Deadline now) {
    reap();
    std::vector<std::string> warnings;
    for (Killed& killed : killed_) {
        if (killed.reported || now - killed.since < std::chrono::duration<double, std::milli>(kPatienceMs))
            continue;
        killed.reported = true;
        warnings.push_back(fmt::format(
            "process {} was killed but does not end, because it is stuck in the driver and still holds its "
            "memory on the device. If the next runs fail or are slow, restart the machine",
            killed.child.pid()));
    }
    return warnings;
}

}  // namespace kwb
