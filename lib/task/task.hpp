// SPDX-License-Identifier: Apache-2.0
// A task for judges: a run, a sweep, a check, an X-ray, a tuning, a lesson, the grading of a class. It only
// says what to ask next and takes the answers; who waits for them is the user interface: the terminal blocks,
// the window polls (scheduler.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "task/session.hpp"

namespace kwb {

class Task {
public:
    using Request = Session::Request;

    virtual ~Task() = default;

    /// What a free judge does next. Without an answer in between, it gives the same again: the first request
    /// was stopped in favour of another task.
    /// @param place  of the judge; tasks for one judge ignore it
    /// @return nullopt: nothing for this place until something else is answered or no longer waits(); if
    ///         nothing is in progress anywhere and it does not wait, the task has ended
    virtual std::optional<Request> next(std::size_t place) = 0;

    /// The answer to the last next() at this place; its `error` may be set, and it may have been stopped.
    virtual void take(std::size_t place, const Snapshot& answer) = 0;

    /// Partial results of the request in progress.
    virtual void look(std::size_t /*place*/, const Snapshot& /*now*/) {}

    /// The task's own threads (a compiler, a program that is checked) are at work, and what is next depends
    /// on them.
    virtual bool waits() const { return false; }

    /// The user stops it: the answer in progress is still taken, nothing more is asked.
    virtual void stop() {}

    /// How far it is, in a few words: "size 2 of 5"; may be empty.
    virtual std::string progress() const { return ""; }

protected:
    Task() = default;
    Task(Task&&) = default;  // only of a whole task
    Task& operator=(Task&&) = default;
};

}  // namespace kwb
