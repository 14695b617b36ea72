// Processes that were killed and do not end.
#pragma once

#include <string>
#include <vector>

#include "ipc/child.hpp"

namespace kwb {

/// A process may be stuck in a driver's system call that even SIGKILL does not end. Nobody waits for such a
/// process: it is kept here, reaped when it ends after all, and reported once if that takes long.
class Reaper {
public:
    /// A process that takes longer is reported.
    static constexpr double kPatienceMs = 2000;

    Reaper() = default;
    /// Leaves processes that still live to the system, because their parent ends.
    ~Reaper();
    Reaper(const Reaper&) = delete;
    Reaper& operator=(const Reaper&) = delete;

    /// @param child  already killed, not yet reaped
    void take(Child child);

    /// Reap processes that have ended, waiting for the others until `deadline`.
    void reap(Deadline deadline = Clock::now());

    std::size_t size() const { return killed_.size(); }

    /// A sentence on each process that has not ended for kPatienceMs and was not yet reported.
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
