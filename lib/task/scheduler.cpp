// SPDX-License-Identifier: Apache-2.0
#include "task/scheduler.hpp"

#include <utility>

namespace kwb {

void Scheduler::begin(Rank rank, std::unique_ptr<Task> task, Session& session) {
    if (asked_ && asked_->rank == rank) interrupt(session);
    tasks_[index(rank)] = std::move(task);
}

void Scheduler::interrupt(Session& session) {
    if (!asked_) return;
    session.stop();
    asked_.reset();
}

void Scheduler::stop(Rank rank, Session& session) {
    if (Task* const stopped = task(rank)) stopped->stop();
    if (asked_ && asked_->rank == rank) session.stop();
}

void Scheduler::take_answer(const Snapshot& snapshot) {
    if (!asked_) return;
    Task& task = *tasks_[index(asked_->rank)];
    if (snapshot.answered < asked_->command) {
        if (snapshot.answered + 1 == asked_->command && snapshot.phase != Snapshot::Phase::Idle)
            task.look(0, snapshot);
        return;
    }
    const Asked answered = *std::exchange(asked_, std::nullopt);
    // If the answer to a later command has replaced this one, it is asked again.
    if (snapshot.answered == answered.command) task.take(0, snapshot);
}

bool Scheduler::ask(Session& session, const std::function<bool(Rank)>& may,
                    const std::function<void(Rank, Task&)>& ended) {
    for (std::size_t i = 0; i < kRanks; ++i) {
        const Rank rank{static_cast<Rank>(i)};
        if (asked_ && asked_->rank <= rank) return false;
        if (tasks_[i] == nullptr || !may(rank)) continue;
        if ((waits_ = tasks_[i]->waits())) return false;
        if (auto request = tasks_[i]->next(0)) {
            interrupt(session);
            asked_ = {rank, session.ask(std::move(*request))};
            return true;
        }
        if ((waits_ = tasks_[i]->waits())) return false;
        const std::unique_ptr<Task> done = std::move(tasks_[i]);
        ended(rank, *done);
        return true;
    }
    return false;
}

void Scheduler::advance(Session& session, const Snapshot& snapshot, const std::function<bool(Rank)>& may,
                        const std::function<void(Rank, Task&)>& ended) {
    take_answer(snapshot);
    waits_ = false;
    while (ask(session, may, ended) && !asked_) {
    }
}

}  // namespace kwb
