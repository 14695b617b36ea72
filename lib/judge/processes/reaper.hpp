// Processes that were killed but have not ended.
#pragma once

#include <string>
#include <vector>

#include "ipc/child.hpp"

namespace kwb {

/// A process may be stuck in a driver's system call that even SIGKILL does not end. The judge does not wait
/// for such a process: the reaper keeps it, reaps it when it ends, and reports it once if that takes long.
class Reaper {
public:
    /// A process that takes longer than this is reported.
    static constexpr double kPatienceMs = 2000;

    Reaper() = default;
    /// Leaves processes that are still alive to the system; init adopts them when the judge ends.
    ~Reaper();
    Reaper(const Reaper&) = delete;
    Reaper& operator=(const Reaper&) = delete;

    /// @param child  already killed, not yet reaped
    void take(Child child);

    /// Reaps processes that have ended; waits for the others until `deadline`.
    void reap(Deadline deadline = Clock::now());

    std::size_t size() const { return killed_.size(); }

    /// One sentence for each process that has been killed for kPatienceMs, has not ended and was not yet
    /// reported.
    std::vector<std::string> take_warnings(Deadline now = Clock::now());

private:
    struct Killed {
        Child child;
        Deadline since;
        bool reported = false;
    };
    std::vector<Killed> killed_;
};

}  // namespace kwb
