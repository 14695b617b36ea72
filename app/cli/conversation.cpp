// SPDX-License-Identifier: Apache-2.0
#include "conversation.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/user_folders.hpp"
#include "experiment/opened_experiment.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace {

/// A second Ctrl-C within this time counts as a repetition of the first (a key held down, a shell that
/// forwards it), not as a request to exit at once.
constexpr std::chrono::seconds kPatience{1};

/// Interval between checks whether the threads of a task have ended.
constexpr std::chrono::milliseconds kLookAtThreads{20};

sigset_t stopping_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

Fd catch_signals() {
    Conversation::block_signals();
    const sigset_t signals = stopping_signals();
    return Fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

std::string name_of(const JudgePlace& place) {
    return place.is_elsewhere() ? place.name : "this machine";
}

/// The places that --on names, or the usual place `judges` times.
/// @throws BadInput
std::vector<JudgePlace> judge_places(const JudgeOptions& options, std::size_t judges) {
    std::vector<JudgePlace> places;
    const std::filesystem::path settings = options.on.empty() ? "" : config_folder() / "settings.toml";
    for (const std::string& on : options.on) {
        JudgePlace place = find_place(on, read_places(settings), settings.string());
        const auto same = std::ranges::count(places, place.command, &JudgePlace::command);
        if (same > 0) {
            // Slurm gives each its own node or part of one; elsewhere, two would time on one device at once.
            if (std::filesystem::path(place.command.front()).filename() != "srun")
                throw BadInput("--on " + on + " is given twice; each place can be used only once at a time");
            place.name += " #" + std::to_string(same + 1);
        }
        places.push_back(std::move(place));
    }
    if (places.empty()) places.assign(judges, usual_place());
    for (JudgePlace& place : places)
        if (options.wait_ms) place.greeting_ms = *options.wait_ms;
    return places;
}

/// How long a place may be silent before the silence is shown. A judge sends something every second, in a
/// long timed turn every 10 s.
constexpr std::chrono::seconds kSilence{5};

constexpr std::size_t kManyPlaces = 50;

/// Places whose progress is shown.
constexpr std::size_t kMostShown = 3;

/// How often to check whether an allocation was granted.
constexpr int kAllocationPollMs = 100;

/// Each place takes several file descriptors, of which a process has 1,024 unless it asks for more.
void allow_many_descriptors() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

/// ", silent for 7 s"; empty if the judge has sent something recently.
std::string silence_words(const Snapshot& snapshot) {
    const auto silence = std::chrono::floor<std::chrono::seconds>(Clock::now() - snapshot.link.heard);
    return silence < kSilence ? "" : ", silent for " + std::to_string(silence.count()) + " s";
}

/// "time: matmul/tiled, round 7, 63 runs, 12.3 ms (12.1 – 12.6)"
std::string describe_progress(const Snapshot& snapshot) {
    if (snapshot.phase == Snapshot::Phase::Stopping) return "stopping …";
    if (snapshot.phase == Snapshot::Phase::Listing) {
        if (!snapshot.devices || snapshot.devices->starting.empty()) return "asking the OpenCL drivers …";
        std::string text = starting_words(*snapshot.devices);
        if (!snapshot.devices->devices.empty())
            text += "; --device " + snapshot.devices->devices.front().id + " avoids the wait";
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

/// "waiting for the judge at lab, silent for 7 s: srun: job 12 queued and waiting for resources"
std::string describe_progress(const Snapshot& snapshot, const JudgePlace& place) {
    if (!place.is_elsewhere()) return describe_progress(snapshot);
    if (snapshot.link.is_up) return describe_progress(snapshot) + silence_words(snapshot);
    const std::string& said = snapshot.link.last_line;
    return "waiting for the judge at " + place.name + silence_words(snapshot) +
           (said.empty() ? "" : ": " + said);
}

/// Shows the progress on standard error, if that is a terminal; erases itself at the end.
class ProgressLine {
public:
    ~ProgressLine() {
        if (drawn_) show_progress("");
    }

    void show(const std::string& text) {
        if (!stderr_is_terminal()) return;
        show_progress(text);
        drawn_ = true;
    }

    /// Prints a line above the progress.
    void interrupt(const std::string& sentence) {
        if (drawn_) show_progress("");
        print_error("kwb: " + sentence + '\n');
    }

private:
    bool drawn_ = false;
};

/// Why the second device cannot share work with the first; empty if it can.
std::string difference(const DeviceInfo& first, const DeviceInfo& second) {
    if (first.name != second.name) return second.name + " instead of " + first.name;
    if (first.driver_version != second.driver_version)
        return "driver " + second.driver_version + " instead of " + first.driver_version;
    return "";
}

}  // namespace

std::size_t judges_here() {
    return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
}

// Signals must be blocked before the sessions start their threads, which inherit the signal mask.
void Conversation::block_signals() {
    const sigset_t signals = stopping_signals();
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

Conversation::Conversation(const JudgeOptions& options, std::size_t judges)
    : changed_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), signals_(catch_signals()) {
    std::vector<JudgePlace> places = with_allocations(judge_places(options, judges));
    if (places.size() > kManyPlaces) allow_many_descriptors();
    for (JudgePlace& place : places) {
        if (options.no_sandbox) place.command.push_back("--no-sandbox");
        const auto on_change = [fd = changed_.get()] {
            const std::uint64_t one = 1;
            [[maybe_unused]] const ssize_t n = ::write(fd, &one, sizeof one);
        };
        places_.push_back({place, std::make_unique<Session>(place, on_change)});
    }
}

std::vector<JudgePlace> Conversation::with_allocations(const std::vector<JudgePlace>& wanted) {
    std::vector<JudgePlace> places;
    for (const JudgePlace& place : wanted) {
        if (!is_allocation(place)) {
            places.push_back(place);
            continue;
        }
        SlurmAllocation& allocation = *allocations_.emplace_back(std::make_unique<SlurmAllocation>(place));
        ProgressLine line;
        const Deadline deadline = deadline_after_ms(place.greeting_ms);
        std::optional<std::vector<JudgePlace>> tasks;
        while (!(tasks = allocation.tasks())) {
            if (interrupted_) throw Interrupted{};
            if (Clock::now() >= deadline)
                throw EnvironmentError(
                    fmt::format("{} was not granted within {} s: {}. If it is still in the queue, allow a "
                                "longer time, as in --wait 10min",
                                place.name, place.greeting_ms / 1000, allocation.last_line()));
            line.show("waiting for " + place.name + ": " + allocation.last_line());
            pollfd signal = {signals_.get(), POLLIN, 0};
            ::poll(&signal, 1, kAllocationPollMs);
            if (signal.revents != 0) take_signal();
        }
        places.insert(places.end(), tasks->begin(), tasks->end());
    }
    return places;
}

std::string Conversation::place_name(std::size_t i) const {
    return name_of(places_[i].judge);
}

std::string Conversation::at_place(std::size_t i, const std::string& error) const {
    const bool is_named = error.find(place_name(i)) != std::string::npos;
    return is_named ? error : place_name(i) + ": " + error;
}

std::string Conversation::place_names() const {
    if (places_.size() == 1) return places_.front().judge.name;
    std::vector<std::string> names;
    for (const Place& place : places_) names.push_back(name_of(place.judge));
    return enumerate(names);
}

std::vector<PlacedEnvironment> Conversation::placed(std::vector<Environment> environments) const {
    std::vector<PlacedEnvironment> placed;
    for (std::size_t i = 0; i < environments.size(); ++i)
        placed.push_back({places_[i].judge.name, std::move(environments[i])});
    return placed;
}

Conversation::Look Conversation::stop_at_device(const std::optional<std::string>& wanted) {
    return [&wanted](Place& at, const Snapshot& now) {
        if (wanted && now.devices && has_device(*now.devices, *wanted)) at.session->stop();
    };
}

DeviceList Conversation::list_devices(const std::optional<std::string>& wanted) {
    Place& place = places_.front();
    const auto snapshot = wait_for(place, place.session->list_devices(), "", stop_at_device(wanted));
    if (interrupted_) throw Interrupted();
    if (!snapshot->error.empty()) throw EnvironmentError(snapshot->error);
    return *snapshot->devices;
}

std::vector<DeviceInfo> Conversation::choose_devices(const std::optional<std::string>& wanted,
                                                     bool is_spread) {
    if (places_.size() == 1) return {choose_device(list_devices(wanted), wanted)};
    for (Place& place : places_) place.command = place.session->list_devices();
    const auto is_waiting = [](const Place& place) { return place.command != 0; };
    while (std::ranges::any_of(places_, is_waiting))
        wait_for_any([] { return "looking for devices"; }, stop_at_device(wanted));
    if (interrupted_) throw Interrupted();
    std::vector<DeviceInfo> devices;
    std::vector<Place> usable;
    std::string trouble;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const auto snapshot = places_[i].session->snapshot();
        try {
            if (!snapshot->error.empty()) throw EnvironmentError(snapshot->error);
            devices.push_back(choose_device(*snapshot->devices, wanted));
        } catch (const std::runtime_error& error) {  // of the place, or it has no such device
            trouble = at_place(i, error.what());
            if (!is_spread) throw EnvironmentError(trouble);
            print_error("kwb: " + trouble + "; this place is left out\n");
            continue;
        }
        usable.push_back({places_[i].judge, std::move(places_[i].session)});
    }
    if (usable.empty()) throw EnvironmentError(trouble);
    places_ = std::move(usable);
    for (std::size_t i = 1; is_spread && i < devices.size(); ++i)
        if (const std::string differs = difference(devices.front(), devices[i]); !differs.empty())
            throw BadInput(
                fmt::format("{} has {}, but devices that share the work must be of one kind; choose other "
                            "devices, or give one --on",
                            name_of(places_[i].judge), differs));
    return devices;
}

std::uint64_t Conversation::start(Place& place, Task::Request request) {
    if (auto* const run = std::get_if<RunRequest>(&request)) run->send_maps = receives_maps_;
    return place.session->ask(std::move(request));
}

std::shared_ptr<const Snapshot> Conversation::ask(Task::Request request) {
    return wait_for(places_.front(), start(places_.front(), std::move(request)), "");
}

void Conversation::perform(Task& task, const std::function<void(std::size_t place)>& taken) {
    const auto ask_all = [&] {
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (places_[i].command == 0 && !interrupted_ && !task.waits())
                if (std::optional<Task::Request> request = task.next(i))
                    places_[i].command = start(places_[i], std::move(*request));
        return std::ranges::any_of(places_, [](const Place& place) { return place.command != 0; });
    };
    for (;;) {
        // The last place that is asked may bring the task to a stage in which the first has something to do.
        if (ask_all() || ask_all()) {
            for (const std::size_t i : wait_for_any([&] { return task.progress(); })) {
                task.take(i, *places_[i].session->snapshot());
                if (taken) taken(i);
            }
        } else if (interrupted_ || !task.waits()) {
            return;
        } else {
            pause(kLookAtThreads);
        }
    }
}

void Conversation::pause(std::chrono::milliseconds time) {
    pollfd signal{signals_.get(), POLLIN, 0};
    if (::poll(&signal, 1, static_cast<int>(time.count())) > 0) take_signal();
}

void Conversation::take_signal() {
    signalfd_siginfo info{};
    if (::read(signals_.get(), &info, sizeof info) != sizeof info) return;
    const auto now = std::chrono::steady_clock::now();
    if (interrupted_) {
        if (now - interrupted_at_ < kPatience) return;
        // Exit without waiting for anything. The judge detects the end of file and terminates its runners.
        print_error(
            "\n"
            "kwb: stopped at once after the second Ctrl-C; all measurements are lost\n");
        ::_exit(kExitInterrupted);
    }
    interrupted_ = true;
    interrupted_at_ = now;
    for (Place& place : places_) place.session->stop();
}

std::shared_ptr<const Snapshot> Conversation::wait_for(Place& place, std::uint64_t command,
                                                       const std::string& headline, const Look& look) {
    place.command = command;
    wait_for_any([&] { return headline; }, look);
    return place.session->snapshot();
}

std::vector<std::size_t> Conversation::wait_for_any(const std::function<std::string()>& headline,
                                                    const Look& look) {
    ProgressLine line;
    const bool any_elsewhere =
        std::ranges::any_of(places_, [](const Place& place) { return place.judge.is_elsewhere(); });
    for (;;) {
        std::vector<std::size_t> answered;
        std::string text = headline();
        std::size_t running = 0;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            Place& place = places_[i];
            if (place.command == 0) continue;
            const std::shared_ptr<const Snapshot> snapshot = place.session->snapshot();
            const bool is_of_command = snapshot->answered + 1 >= place.command;
            if (is_of_command && !snapshot->link.restart.empty() && !std::exchange(place.told_restart, true))
                line.interrupt(snapshot->link.restart);
            if (snapshot->answered >= place.command) {
                place.command = 0;
                place.told_restart = false;
                answered.push_back(i);
                continue;
            }
            if (look) look(place, *snapshot);
            if (++running > kMostShown) continue;
            if (!text.empty()) text += places_.size() > 1 ? "; " : ", ";
            if (places_.size() > 1) text += name_of(place.judge) + ": ";
            text += describe_progress(*snapshot, place.judge);
        }
        if (!answered.empty()) return answered;
        if (running > kMostShown) text += fmt::format("; and at {} more", running - kMostShown);
        line.show(text);
        pollfd fds[] = {{changed_.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}};
        ::poll(fds, 2, any_elsewhere ? 1000 : -1);  // to show how long it has been silent
        if (fds[1].revents != 0) take_signal();
        std::uint64_t count = 0;
        [[maybe_unused]] const ssize_t n = ::read(changed_.get(), &count, sizeof count);
    }
}

}  // namespace kwb::cli
