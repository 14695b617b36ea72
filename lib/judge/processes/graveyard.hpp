// Processes that were killed and do not end.
#pragma once

#include <string>
#include <vector>

#include "ipc/child.hpp"

namespace kwb {

/// A process may be stuck in a driver's system call that not even SIGKILL ends. Nobody waits for it: it is
/// kept here, reaped when it ends after all, and reported once if it takes long.
class Graveyard {
public:
    /// From then on a process is reported.
    static constexpr double kPatienceMs = 2000;

    Graveyard() = default;
    /// Leaves those that still live to the system: their parent ends.
    ~Graveyard();
    Graveyard(const Graveyard&) = delete;
    Graveyard& operator=(const Graveyard&) = delete;

    /// @param child  killed by now, not yet reaped
    void take(Child child);

    /// Reap those that have ended, waiting for the others until `deadline`.
    void reap(Deadline deadline = Clock::now());

    std::size_t size() const { return graves_.size(); }

    /// A sentence on each process that has not ended for kPatienceMs and was not yet reported.
    std::vector<std::string> take_warnings(Deadline now = Clock::now());

private:
    struct Grave {
        Child child;
        Deadline since;
        bool reported = false;
    };
    std::vector<Grave> graves_;
};

}  // namespace kwb
