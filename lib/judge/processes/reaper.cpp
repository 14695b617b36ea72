#include "judge/processes/reaper.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kwb {

Reaper::~Reaper() {
    reap();
    // Never destroyed, because ~Child waits for its process and these do not end. The static pointer keeps
    // the memory reachable for leak checkers.
    static auto* const kept = new std::vector<Killed>;
    for (Killed& killed : killed_) kept->push_back(std::move(killed));
}

void Reaper::take(Child child) {
    reap();
    if (!child.wait(Clock::now())) killed_.push_back({std::move(child), Clock::now()});
}

void Reaper::reap(Deadline deadline) {
    std::vector<Killed> left;
    for (Killed& killed : killed_)
        if (!killed.child.wait(deadline)) left.push_back(std::move(killed));
    killed_ = std::move(left);
}

std::vector<std::string> Reaper::take_warnings(Deadline now) {
    reap();
    std::vector<std::string> warnings;
    for (Killed& killed : killed_) {
        if (killed.reported || now - killed.since < std::chrono::duration<double, std::milli>(kPatienceMs))
            continue;
        killed.reported = true;
        warnings.push_back(fmt::format(
            "process {} does not end although it was killed: it is stuck in the driver and still holds its "
            "memory on the device; if the next runs fail or are slow, restart the machine",
            killed.child.pid()));
    }
    return warnings;
}

}  // namespace kwb
