// SPDX-License-Identifier: Apache-2.0
// What the judge does, in the order of its urgency, and at which place it is.
#include <utility>

#include "base/error.hpp"
#include "catalog/catalogue.hpp"
#include "desk/desk.hpp"
#include "task/slurm_allocation.hpp"

namespace kwb {
namespace {

constexpr std::chrono::milliseconds kLook{20};  ///< between two looks at a task that waits

}  // namespace

// ---- Places and devices ----

void Desk::handle(const command::FindDevices&) {
    if (asked_task() != nullptr || listing_) return;  // querying drivers would disturb the measurement
    list_devices();
    refresh_preview();
}

Session* Desk::session_at(const std::string& place) {
    if (const auto known = sessions_.find(place); known != sessions_.end()) return known->second.get();
    try {
        const JudgePlace found = find_place(place, state_.places, options_.settings_file.string());
        if (is_allocation(found))
            throw BadInput(
                place +
                " is an allocation, which only kwb in the terminal can use; give the window one place, "
                "as in \"srun -p gpu --gres=gpu:1 kwb-judge\"");
        return (sessions_[place] = std::make_unique<Session>(found, wake_)).get();
    } catch (const BadInput& error) {
        notify(Notice::Kind::Warning, error.what());
        return nullptr;
    }
}

void Desk::handle(const command::UsePlace& command) {
    if (asked_task() != nullptr || command.name == state_.place) return;
    Session* const session = session_at(command.name);
    if (session == nullptr) return;
    remember_choices();
    is_check_wanted_ = is_check_wanted_ || scheduler_.task(Scheduler::Rank::Lesson) != nullptr;
    for (const Scheduler::Rank rank :
         {Scheduler::Rank::Lesson, Scheduler::Rank::Marks, Scheduler::Rank::Steps, Scheduler::Rank::Panel,
          Scheduler::Rank::Reasons})
        scheduler_.drop(rank, *session_);
    if (listing_) session_->stop();
    listing_.reset();
    requested_.reset();
    devices_error_.clear();
    session_ = session;
    state_.place = command.name;
    state_.session = session_->snapshot();
    state_.choices.device =
        command.name.empty() && command.device.empty() ? state_.settings.experiment.device : command.device;
    find_device();
    if (state_.device == nullptr) list_devices();
    take_news_from_elsewhere();
    refresh_preview();
}

void Desk::handle(const command::ListPlaces&) {
    if (asked_task() != nullptr) return;
    for (const auto& [name, command] : state_.places) {
        if (name == state_.place || command.starts_with(kSlurmScheme)) continue;
        Session* const session = session_at(name);
        if (session == nullptr) continue;
        const auto known = session->snapshot();
        if (!known->devices && known->phase == Snapshot::Phase::Idle) session->list_devices();
    }
    take_news_from_elsewhere();
}

void Desk::take_news_from_elsewhere() {
    state_.elsewhere.erase(state_.place);
    for (const auto& [name, session] : sessions_) {
        if (name == state_.place) continue;
        std::shared_ptr<const Snapshot>& known = state_.elsewhere[name];
        std::shared_ptr<const Snapshot> now = session->snapshot();
        if (known && known->revision == now->revision) continue;
        known = std::move(now);
        ++state_.revision;
    }
}

void Desk::list_devices() {
    scheduler_.interrupt(*session_);
    devices_error_.clear();
    listing_ = session_->list_devices();
}

void Desk::take_devices(const Snapshot& snapshot) {
    devices_error_ = snapshot.error;
    if (!snapshot.error.empty()) {
        notify(Notice::Kind::Error, snapshot.error);
        if (!snapshot.devices) requested_.reset();
    }
    find_device();
    refresh_preview();
    // Finding a device does not count as a change that starts a live run, unless live was switched on
    // meanwhile.
    if (!last_live_key_)
        run_if_live();
    else if (!has_run_)
        last_live_key_ = live_key();
}

// ---- What the user asks for ----

std::optional<Task::Request> Desk::RequestsTask::next(std::size_t /*place*/) {
    if (is_stopped || requests_.empty()) return std::nullopt;
    return requests_.front();
}

void Desk::RequestsTask::take(std::size_t /*place*/, const Snapshot& answer) {
    const RunRequest request = std::move(requests_.front());
    requests_.erase(requests_.begin());
    answered(request, answer);
    ++desk_.state_.revision;
}

void Desk::handle(const command::MeasureCeilings&) {
    state_.ceilings_error.clear();
    request_task({TaskKind::Ceilings, {}});
}

void Desk::handle(const command::Stop&) {
    live_due_.reset();
    requested_.reset();
    leave_check();
    scheduler_.stop(Scheduler::Rank::Asked, *session_);
}

void Desk::request_task(RequestedTask next) {
    requested_ = std::move(next);
    scheduler_.stop(Scheduler::Rank::Asked, *session_);
    start_requested_task();
}

void Desk::start_requested_task() {
    if (!requested_ || asked_task() != nullptr) return;
    if (listing_) {
        // The device is known, so there is no need to wait for drivers that are still starting.
        if (state_.device != nullptr) session_->stop();
        return;
    }
    if (!state_.session->devices && devices_error_.empty()) return;
    // If the judge could not be reached last time, try again.
    if (state_.device == nullptr && !devices_error_.empty()) return handle(command::FindDevices{});
    const RequestedTask next = *std::exchange(requested_, std::nullopt);
    ++state_.revision;
    if (next.kind == TaskKind::Ceilings) return begin_task(make_ceilings());
    read_kernels(true);
    refresh_preview();
    begin_task(next.kind == TaskKind::Run     ? make_run(next)
               : next.kind == TaskKind::Sweep ? make_sweep(next.edges)
               : next.kind == TaskKind::Check ? make_check(next.only)
                                              : make_tuning(next.tune));
}

/// @param task  nullptr: nothing can run
void Desk::begin_task(std::unique_ptr<AskedTask> task) {
    if (task == nullptr) return;
    if (task->kind != TaskKind::Ceilings) remember_choices();
    scheduler_.begin(Scheduler::Rank::Asked, std::move(task), *session_);
}

void Desk::end_task(AskedTask& task) {
    task.end();
    ++state_.revision;
    save_settings_now();
    // Changes during a run have stopped it, but others wait for the end of a sweep.
    if (task.kind != TaskKind::Run && !task.is_stopped) run_if_live();
    const auto& devices = state_.session->devices;
    if (!requested_ && devices && !devices->starting.empty()) handle(command::FindDevices{});
}

// ---- The judge's time ----

void Desk::take_session_news() {
    std::shared_ptr<const Snapshot> now = session_->snapshot();
    if (now->revision == state_.session->revision) return;
    state_.session = std::move(now);
    ++state_.revision;
    const Snapshot& snapshot = *state_.session;
    if (listing_ && snapshot.answered >= *listing_) {
        listing_.reset();
        take_devices(snapshot);
    } else if (snapshot.devices) {
        find_device();  // find the same device in the new list
        if (listing_) refresh_preview();
    }
}

bool Desk::is_idle() const {
    return asked_task() == nullptr && !requested_ && !listing_ && !live_due_ && !xray_due_ &&
           !is_check_wanted_ && state_.device != nullptr;
}

void Desk::advance_tasks() {
    using Rank = Scheduler::Rank;
    const auto begin = [&](bool observes) {
        start_requested_task();
        begin_check();
        if (observes && is_idle()) {
            begin_recording();
            begin_observing();
        }
        begin_explaining();
    };
    const auto may = [&](Rank rank) {
        if (rank == Rank::Asked) return true;
        if (rank == Rank::Lesson) return !requested_ && !listing_;
        return is_idle() && ((rank != Rank::Panel && rank != Rank::Steps) || state_.choices.xray);
    };
    begin(true);
    scheduler_.advance(*session_, *state_.session, may, [&](Rank rank, Task& task) {
        if (rank == Rank::Asked) end_task(static_cast<AskedTask&>(task));
        if (rank == Rank::Lesson) end_check(static_cast<const LessonTask&>(task));
        begin(rank != Rank::Panel &&
              rank != Rank::Steps);  // whatever may have waited for this end; nothing else wakes the desk
    });
    look_due_.reset();
    if (scheduler_.waits()) look_due_ = std::chrono::steady_clock::now() + kLook;
}

}  // namespace kwb
