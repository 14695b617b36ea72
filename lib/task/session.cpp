// SPDX-License-Identifier: Apache-2.0
#include "task/session.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "ipc/channel.hpp"
#include "task/judge_words.hpp"

namespace kwb {
namespace {

/// How long to wait for the end of the command after a stop. A working judge answers at once. Progress
/// messages do not extend this time.
constexpr double kStopTimeoutMs = 5000;

/// For a message that has no answer and fits into a pipe.
constexpr double kExpectTimeoutMs = 1000;

/// Longest time for a judge to end after its input has ended. Elsewhere there is the network's delay, and
/// Slurm cleans up after the job.
constexpr double kEndTimeoutMs = 500;
constexpr double kEndElsewhereTimeoutMs = 5000;
/// How long the launch command may take to end after SIGTERM.
constexpr double kTerminationTimeoutMs = 3000;

void drain(const Fd& event) {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t n = ::read(event.get(), &count, sizeof count);
}

/// Thrown to unwind the thread when the session ends.
struct Ending {};

/// The judge closed its pipes.
struct JudgeEnded : EnvironmentError {
    JudgeEnded(const JudgePlace& place, JudgeEnd how)
        : EnvironmentError(explain_end(place, how)), end(std::move(how)) {}
    JudgeEnd end;
};

/// "the step 'time' of matmul/tiled"
std::string step_words(const std::optional<Progress>& progress) {
    return progress ? "the step '" + progress->stage + "' of " + progress->kernel : "";
}

KernelResult skipped_result(const RunRequest& request, const Contestant& contestant,
                            const std::string& reason) {
    KernelResult result = unmeasured_result(request, contestant);
    result.reason = reason;
    return result;
}

}  // namespace

Session::Session(JudgePlace place, std::function<void()> on_change)
    : place_(std::move(place)),
      on_change_(std::move(on_change)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      published_(std::make_shared<const Snapshot>()) {
    if (!wake_) throw_errno("eventfd");
    thread_ = std::thread([this] { work(); });
}

Session::~Session() {
    ending_ = true;
    wake();
    thread_.join();
}

void Session::wake() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t n = ::write(wake_.get(), &one, sizeof one);
}

std::shared_ptr<const Snapshot> Session::snapshot() const {
    const std::lock_guard lock(mutex_);
    return published_;
}

std::uint64_t Session::ask(Request request) {
    return std::visit([this](auto& one) { return submit(std::move(one)); }, request);
}

std::uint64_t Session::submit(JudgeRequest request) {
    std::uint64_t number = 0;
    {
        const std::lock_guard lock(mutex_);
        commands_.push_back(std::move(request));
        number = ++submitted_;
    }
    wake();
    return number;
}

void Session::expect_runs(const std::string& device) {
    {
        const std::lock_guard lock(mutex_);
        if (expected_ == device) return;
        expected_ = device;
        is_expected_told_ = false;
    }
    wake();
}

/// If the judge does not take it, the next command finds out why.
void Session::tell_expected() {
    ExpectRuns expected;
    {
        const std::lock_guard lock(mutex_);
        if (!judge_ || expected_.empty() || std::exchange(is_expected_told_, true)) return;
        expected.device = expected_;
    }
    judge_->channel().send(to_json(JudgeRequest(expected)), {}, deadline_after_ms(kExpectTimeoutMs));
}

void Session::stop() {
    {
        const std::lock_guard lock(mutex_);
        stop_up_to_ = submitted_;
    }
    wake();
}

void Session::publish() {
    ++state_.revision;
    auto snapshot = std::make_shared<const Snapshot>(state_);
    {
        const std::lock_guard lock(mutex_);
        published_ = std::move(snapshot);
    }
    if (on_change_) on_change_();
}

std::optional<JudgeRequest> Session::next_command() {
    for (;;) {
        if (ending_) return std::nullopt;
        tell_expected();
        {
            const std::lock_guard lock(mutex_);
            if (!commands_.empty()) {
                JudgeRequest command = std::move(commands_.front());
                commands_.pop_front();
                return command;
            }
        }
        pollfd woken{wake_.get(), POLLIN, 0};
        ::poll(&woken, 1, -1);
        drain(wake_);
    }
}

void Session::work() {
    // The judge must be forked by this thread: its parent-death signal is sent when the forking thread ends,
    // and this one lives as long as the session.
    while (const std::optional<JudgeRequest> command = next_command()) {
        try {
            perform(*command);
        } catch (const Ending&) {
            break;
        }
    }
    end_judge();
}

void Session::perform(const JudgeRequest& request) {
    const auto* run = std::get_if<RunRequest>(&request);
    state_.error.clear();
    state_.link.restart.clear();
    begin(request);
    publish();
    try {
        talk_twice(request);
    } catch (const std::exception& error) {
        state_.error = error.what();
        end_judge();
    }
    stop_deadline_.reset();
    const bool is_listing = std::holds_alternative<ListDevices>(request);
    if (!state_.error.empty() && !is_listing) state_.stopped = is_stop_wanted();
    for (std::size_t i = 0; run != nullptr && !state_.error.empty() && i < state_.results.size(); ++i) {
        if (state_.results[i].judged) continue;
        state_.results[i] = skipped_result(*run, run->contestants[i], state_.error);
        state_.results[i].place = place_.name;
    }
    state_.phase = Snapshot::Phase::Idle;
    state_.progress.reset();
    ++state_.answered;
    publish();
}

/// Discards the results of an earlier command or attempt.
void Session::begin(const JudgeRequest& request) {
    const auto* run = std::get_if<RunRequest>(&request);
    const bool is_listing = std::holds_alternative<ListDevices>(request);
    const bool is_run = run != nullptr && run->mode != RunRequest::Mode::Explain;
    state_.phase = is_listing ? Snapshot::Phase::Listing
                   : is_run   ? Snapshot::Phase::Running
                              : Snapshot::Phase::Observing;
    if (!is_listing) {
        state_.xray.reset();
        state_.machine_code.reset();
        state_.stopped = false;
    }
    state_.progress.reset();
    state_.link.heard = Clock::now();
    if (run != nullptr) {
        begin_results(*run);
        state_.outputs.clear();
    }
}

/// If the judge is elsewhere and the link to it is lost, starts it again and repeats the request, once.
void Session::talk_twice(const JudgeRequest& request) {
    std::string restart;
    try {
        return talk(request);
    } catch (const JudgeEnded& lost) {
        if (!place_.is_elsewhere() || !lost.end.was_up || stop_deadline_) throw;
        restart = explain_loss(place_, lost.end, step_words(state_.progress));
    }
    end_judge();
    try {
        start_judge();
    } catch (const EnvironmentError& error) {
        throw EnvironmentError(restart + ", and the judge could not be restarted: " + error.what());
    }
    state_.link.restart = restart + "; the judge was restarted, and the run in progress starts over";
    begin(request);
    publish();
    talk(request);
}

void Session::talk(const JudgeRequest& request) {
    if (!judge_) start_judge();
    const Json message = to_json(request);
    const std::string contents = contents_of(request);
    const auto send = [&] {
        return judge_->channel().send(message, contents, Deadline::max(), [this] {
            if (ending_) throw Ending();
            if (is_stop_wanted()) {
                stop_deadline_ = Clock::now();
                throw EnvironmentError(explain_no_answer(place_));
            }
            read_stderr();  // if that pipe is full, the launch command may block and not read its input
        });
    };
    if (send() != Channel::SendOutcome::Sent) {
        // The judge has died since the last command. Send the request to a new one.
        end_judge();
        start_judge();
        send();
    }
    while (!take_event(judge_event_from(wait_for_message(Deadline::max())))) {
    }
}

bool Session::take_event(JudgeEvent event) {
    if (const auto* devices = std::get_if<DeviceList>(&event)) {
        state_.devices = *devices;
        if (!devices->is_whole) publish();
        return devices->is_whole;
    }
    if (const auto* progress = std::get_if<Progress>(&event)) {
        state_.progress = *progress;
        publish();
        return false;
    }
    if (const auto* output = std::get_if<OutputEvent>(&event)) {
        if (output->index >= state_.results.size())
            throw ProtocolError("outputs of more kernels than there are");
        state_.outputs.push_back({output->index, output->buffer, output->content});
        return false;
    }
    if (const auto* found = std::get_if<ResultEvent>(&event)) {
        take_result(*found);  // published with the next progress message
        return false;
    }
    if (const auto* done = std::get_if<DoneEvent>(&event)) {
        if (final_results_ != state_.results.size()) throw ProtocolError("fewer results than kernels");
        state_.environment = done->environment;
        state_.stopped = done->stopped;
        return true;
    }
    if (auto* xray = std::get_if<XrayEvent>(&event)) {
        state_.xray = std::make_shared<const XrayReport>(std::move(xray->report));
        state_.machine_code = std::move(xray->machine_code);
        state_.wrong = std::move(xray->wrong);
        state_.recording.reset();
        if (xray->recording)
            state_.recording = std::make_shared<const Recording>(std::move(*xray->recording));
        return true;
    }
    state_.error = std::get<ErrorEvent>(event).message;
    return true;
}

void Session::begin_results(const RunRequest& run) {
    final_results_ = 0;
    state_.results.clear();
    for (const Contestant& contestant : run.contestants) {
        KernelResult& result = state_.results.emplace_back(unmeasured_result(run, contestant));
        result.judged = false;
        result.place = place_.name;
    }
}

void Session::take_result(const ResultEvent& event) {
    if (event.is_final && event.index != final_results_) throw ProtocolError("results out of order");
    if (event.index >= state_.results.size()) throw ProtocolError("more results than kernels");
    final_results_ += event.is_final ? 1 : 0;
    KernelResult& known = state_.results[event.index];
    if (event.samples_before > known.samples_ms.size()) throw ProtocolError("samples are missing");
    std::vector<double> samples_ms = std::move(known.samples_ms);
    samples_ms.resize(event.samples_before);
    samples_ms.insert(samples_ms.end(), event.result.samples_ms.begin(), event.result.samples_ms.end());
    known = event.result;
    known.samples_ms = std::move(samples_ms);
    known.place = place_.name;
}

void Session::start_judge() {
    ChildOptions options;
    options.command = place_.command;
    if (place_.is_elsewhere()) {
        options.capture_stderr = true;
        options.death_signal = SIGTERM;
        // Otherwise srun buffers output by lines, and our messages do not end with a line break.
        options.environment.push_back({"SLURM_UNBUFFEREDIO", "1"});
        // ssh is not in the terminal's foreground process group, so it would be stopped when it asked for a
        // password there. Let it fail, or ask in its own window. Source: OpenSSH 8.4, ssh(1).
        options.environment.push_back({"SSH_ASKPASS_REQUIRE", "force"});
    }
    state_.link.is_up = false;
    state_.link.last_line.clear();
    stderr_ = {};
    try {
        judge_ = Child::spawn(options);
    } catch (const std::system_error& error) {
        throw EnvironmentError(explain_no_start(place_, error.what()));
    }
    std::string fault;
    try {
        fault = find_hello_fault(wait_for_message(deadline_after_ms(place_.greeting_ms)), "kwb-judge");
    } catch (const ProtocolError& error) {
        throw EnvironmentError(explain_no_protocol(place_, error.what()));
    }
    if (!fault.empty()) throw EnvironmentError(explain_wrong_greeting(place_, fault));
    state_.link.is_up = true;
    {
        const std::lock_guard lock(mutex_);
        is_expected_told_ = false;
    }
    if (place_.is_elsewhere()) publish();
}

void Session::end_judge() {
    if (!judge_) return;
    // A launch command that is still starting the judge, e.g. waiting in a queue, does not notice the end of
    // its input.
    const bool is_deaf = !state_.link.is_up || (stop_deadline_ && Clock::now() >= *stop_deadline_);
    state_.link.is_up = false;
    // At end of file the judge ends its runners and itself; the destructor kills it if it does not.
    judge_->channel().close_write();
    if (!place_.is_elsewhere()) {
        judge_->wait(deadline_after_ms(kEndTimeoutMs));
    } else if (is_deaf || !judge_->wait(deadline_after_ms(kEndElsewhereTimeoutMs))) {
        judge_->signal(SIGTERM);
        judge_->wait(deadline_after_ms(kTerminationTimeoutMs));
    }
    judge_.reset();
}

bool Session::is_stop_wanted() const {
    const std::uint64_t at_hand = state_.answered + 1;
    return at_hand <= stop_up_to_;
}

void Session::send_stop_if_wanted() {
    if (stop_deadline_ || !is_stop_wanted()) return;
    // A judge elsewhere may take minutes to start, and reads nothing until then.
    if (place_.is_elsewhere() && !state_.link.is_up) throw EnvironmentError("stopped");
    stop_deadline_ = deadline_after_ms(kStopTimeoutMs);
    state_.phase = Snapshot::Phase::Stopping;
    publish();
    judge_->channel().send(to_json(JudgeRequest(StopRun{})), {}, *stop_deadline_);
}

Message Session::wait_for_message(Deadline deadline) {
    Channel& channel = judge_->channel();
    for (;;) {
        if (ending_) throw Ending();
        send_stop_if_wanted();
        if (stop_deadline_) deadline = std::min(deadline, *stop_deadline_);
        // Checked here because poll() never times out if the judge keeps sending messages.
        if (Clock::now() >= deadline)
            throw EnvironmentError(state_.link.is_up ? explain_no_answer(place_)
                                                     : explain_no_greeting(place_, state_.link.last_line));
        if (std::optional<Message> message = channel.take()) {
            state_.link.heard = Clock::now();
            return std::move(*message);
        }
        if (channel.closed()) report_end();
        pollfd fds[] = {
            {channel.read_fd(), POLLIN, 0}, {wake_.get(), POLLIN, 0}, {judge_->output_fd(), POLLIN, 0}};
        ::poll(fds, 3, poll_timeout_ms(deadline));
        if (fds[1].revents != 0) drain(wake_);
        if (fds[2].revents != 0) read_stderr();
        if (fds[0].revents != 0) channel.read_available();
    }
}

void Session::report_end() {
    JudgeEnd end;
    end.status = judge_->wait(deadline_after_ms(1000));
    read_stderr();
    end.was_up = state_.link.is_up;
    end.cut_off = judge_->channel().cut_off();
    // Two, because srun's own message may follow the one from the node.
    end.last_lines = stderr_.last_lines(2);
    throw JudgeEnded(place_, std::move(end));
}

void Session::read_stderr() {
    if (judge_->output_fd() < 0) return;
    if (!stderr_.drain(judge_->output_fd())) judge_->close_output();
    std::string line = stderr_.last_lines(1);
    if (line == state_.link.last_line) return;
    state_.link.last_line = std::move(line);
    if (!state_.link.is_up) publish();  // "job 12 is queued" is worth showing
}

std::vector<KernelResult> skipped_results(const RunRequest& request, const std::string& reason) {
    std::vector<KernelResult> results;
    for (const Contestant& contestant : request.contestants)
        results.push_back(skipped_result(request, contestant, reason));
    return results;
}

}  // namespace kwb
