#include "session/session.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "ipc/channel.hpp"

namespace kwb {
namespace {

/// Split at blanks, except for blanks inside quotes ("…").
JudgeCommand split_words(std::string_view text) {
    JudgeCommand words;
    bool quoted = false;
    bool in_word = false;
    for (const char c : text) {
        if (c == '"') {
            quoted = !quoted;
            if (!in_word) words.emplace_back();
            in_word = true;
        } else if (c == ' ' && !quoted) {
            in_word = false;
        } else {
            if (!in_word) words.emplace_back();
            words.back() += c;
            in_word = true;
        }
    }
    return words;
}

constexpr double kGreetingTimeoutMs = 10000;

/// How long to wait for the end of the command after a stop. A working judge answers at once. Progress
/// messages do not extend this time.
constexpr double kStopTimeoutMs = 5000;

/// Advice for the user after the judge ended unexpectedly.
/// @param status  none if the judge has closed its pipes but not ended
std::string advise_after_end(const std::optional<ExitStatus>& status, bool greeted) {
    const int signal = status && !status->code ? status->signal : 0;
    if (signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP)
        return "something outside ended it, or memory ran out; try again, with a smaller size if it happens "
               "again";
    return greeted ? "try again; 'kwb doctor' looks into it"
                   : "'kwb doctor' looks into it, building and installing kwb again may mend it";
}

void drain(const Fd& event) {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t n = ::read(event.get(), &count, sizeof count);
}

/// Thrown to unwind the thread when the session ends.
struct Ending {};

KernelResult skipped_result(const RunRequest& request, const Contestant& contestant,
                            const std::string& reason) {
    KernelResult result = unmeasured_result(request, contestant);
    result.reason = reason;
    return result;
}

}  // namespace

JudgeCommand default_judge_command() {
    if (const char* chosen = std::getenv("KWB_JUDGE"); chosen != nullptr && !trim(chosen).empty())
        return split_words(chosen);
    return {(std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kwb-judge").string()};
}

Session::Session(JudgeCommand judge, std::function<void()> on_change)
    : judge_command_(std::move(judge)),
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
    const bool is_listing = std::holds_alternative<ListDevices>(request);
    state_.phase = is_listing       ? Snapshot::Phase::Listing
                   : run != nullptr ? Snapshot::Phase::Running
                                    : Snapshot::Phase::Observing;
    if (!is_listing) state_.xray.reset();
    state_.error.clear();
    state_.progress.reset();
    if (run != nullptr) {
        begin_results(*run);
        state_.outputs.clear();
        state_.stopped = false;
    }
    stop_deadline_.reset();
    publish();
    try {
        talk(request);
    } catch (const std::exception& error) {
        state_.error = error.what();
        end_judge();
    }
    if (!state_.error.empty())
        for (std::size_t i = 0; run != nullptr && i < state_.results.size(); ++i)
            if (!state_.results[i].judged)
                state_.results[i] = skipped_result(*run, run->contestants[i], state_.error);
    state_.phase = Snapshot::Phase::Idle;
    state_.progress.reset();
    ++state_.answered;
    publish();
}

void Session::talk(const JudgeRequest& request) {
    if (!judge_) start_judge();
    const Json message = to_json(request);
    const std::string contents = contents_of(request);
    if (judge_->channel().send(message, contents) != Channel::SendOutcome::Sent) {
        // The judge has died since the last command. Send the request to a new one.
        end_judge();
        start_judge();
        judge_->channel().send(message, contents);
    }
    while (!take_event(judge_event_from(wait_for_message(Deadline::max())))) {
    }
}

bool Session::take_event(const JudgeEvent& event) {
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
    if (const auto* xray = std::get_if<XrayEvent>(&event)) {
        state_.xray = std::make_shared<const XrayReport>(xray->report);
        return true;
    }
    state_.error = std::get<ErrorEvent>(event).message;
    return true;
}

void Session::begin_results(const RunRequest& run) {
    final_results_ = 0;
    state_.results.clear();
    for (const Contestant& contestant : run.contestants)
        state_.results.emplace_back(unmeasured_result(run, contestant)).judged = false;
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
}

void Session::start_judge() {
    ChildOptions options;
    options.command = judge_command_;
    greeted_ = false;
    try {
        judge_ = Child::spawn(options);
    } catch (const std::system_error& error) {
        throw EnvironmentError(std::string(error.what()) + "; build and install kwb-judge beside kwb");
    }
    try {
        require_hello(wait_for_message(deadline_after_ms(kGreetingTimeoutMs)), "kwb-judge");
        greeted_ = true;
    } catch (const ProtocolError& error) {
        throw EnvironmentError("the judge (" + judge_command_.front() + ") does not speak our protocol: " +
                               error.what() + "; build and install kwb, kwb-judge and kwb-runner together");
    }
}

void Session::end_judge() {
    if (!judge_) return;
    // At end of file the judge ends its runners and itself; the destructor kills it if it does not.
    judge_->channel().close_write();
    judge_->wait(deadline_after_ms(500));
    judge_.reset();
}

void Session::send_stop_if_wanted() {
    const std::uint64_t at_hand = state_.answered + 1;
    if (at_hand > stop_up_to_ || stop_deadline_) return;
    judge_->channel().send(to_json(JudgeRequest(StopRun{})));
    stop_deadline_ = deadline_after_ms(kStopTimeoutMs);
    state_.phase = Snapshot::Phase::Stopping;
    publish();
}

Message Session::wait_for_message(Deadline deadline) {
    Channel& channel = judge_->channel();
    for (;;) {
        if (ending_) throw Ending();
        send_stop_if_wanted();
        if (stop_deadline_) deadline = std::min(deadline, *stop_deadline_);
        // Checked here because poll() never times out if the judge keeps sending messages.
        if (Clock::now() >= deadline)
            throw EnvironmentError("the judge (" + judge_command_.front() + ") does not answer");
        if (std::optional<Message> message = channel.take()) return std::move(*message);
        if (channel.closed()) {
            const auto status = judge_->wait(deadline_after_ms(1000));
            throw EnvironmentError("the judge (" + judge_command_.front() + ") ended unexpectedly" +
                                   (status ? ": " + status->describe() : "") +
                                   (channel.cut_off() ? ", in the middle of a message" : "") + "; " +
                                   advise_after_end(status, greeted_));
        }
        pollfd fds[] = {{channel.read_fd(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
        ::poll(fds, 2, poll_timeout_ms(deadline));
        if (fds[1].revents != 0) drain(wake_);
        if (fds[0].revents != 0) channel.read_available();
    }
}

std::vector<KernelResult> skipped_results(const RunRequest& request, const std::string& reason) {
    std::vector<KernelResult> results;
    for (const Contestant& contestant : request.contestants)
        results.push_back(skipped_result(request, contestant, reason));
    return results;
}

}  // namespace kwb
