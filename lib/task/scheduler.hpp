// SPDX-License-Identifier: Apache-2.0
// Shares one judge between tasks of different urgency.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "task/task.hpp"

namespace kwb {

/// Holds at most one task of each rank. The most urgent one that is allowed gets the judge; what a less
/// urgent one had asked is stopped, and asked again when the judge is free. After advance(), either a request
/// is in progress, whose answer is news of the session, or waits(), or no task is left that may ask.
class Scheduler {
public:
    /// The most urgent first.
    enum class Rank {
        Asked,   ///< a run, sweep or tuning that the user asked for
        Lesson,  ///< an attempt at an exercise
        Marks,   ///< X-ray of an edited text
        Steps,   ///< a recording of what is stepped through
        Panel,   ///< X-ray of what is shown
        Reasons  ///< what-if experiments with the kernels of a run
    };
    static constexpr std::size_t kRanks = 6;

    /// Replaces a task of this rank; what that one had asked is stopped.
    void begin(Rank rank, std::unique_ptr<Task> task, Session& session);
    void drop(Rank rank, Session& session) { begin(rank, nullptr, session); }
    /// nullptr: none of this rank is under way.
    Task* task(Rank rank) const { return tasks_[index(rank)].get(); }
    /// Its request is in progress.
    bool is_asked(Rank rank) const { return asked_ && asked_->rank == rank; }
    /// The last advance() came to a task that waits for its own threads. These wake nobody, so call advance()
    /// again soon.
    bool waits() const { return waits_; }

    /// Stop the request in progress; unless it is dropped, its task asks it again.
    void interrupt(Session& session);

    /// The user stops the task of this rank; its results so far are taken.
    void stop(Rank rank, Session& session);

    /// Take the answer, and give the judge its next request.
    /// @param snapshot  the newest of the session
    /// @param may       whether tasks of a rank may ask something now
    /// @param ended     gets a task that has ended, which is no longer held; may begin another one
    void advance(Session& session, const Snapshot& snapshot, const std::function<bool(Rank)>& may,
                 const std::function<void(Rank, Task&)>& ended);

private:
    struct Asked {
        Rank rank;
        std::uint64_t command = 0;  ///< its number in the session
    };
    static constexpr std::size_t index(Rank rank) { return static_cast<std::size_t>(rank); }
    void take_answer(const Snapshot& snapshot);
    /// @return true if a task was asked or has ended
    bool ask(Session& session, const std::function<bool(Rank)>& may,
             const std::function<void(Rank, Task&)>& ended);

    std::array<std::unique_ptr<Task>, kRanks> tasks_;
    std::optional<Asked> asked_;
    bool waits_ = false;
};

}  // namespace kwb
