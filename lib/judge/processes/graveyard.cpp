#include "judge/processes/graveyard.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kwb {

Graveyard::~Graveyard() {
    reap();
    // Never destroyed: a Child waits for its process, and these do not end, or not yet. Held by a static, so
    // that a leak checker sees that they are kept.
    static auto* const kept = new std::vector<Grave>;
    for (Grave& grave : graves_) kept->push_back(std::move(grave));
}

void Graveyard::take(Child child) {
    reap();
    if (!child.wait(Clock::now())) graves_.push_back({std::move(child), Clock::now()});
}

void Graveyard::reap(Deadline deadline) {
    std::vector<Grave> left;
    for (Grave& grave : graves_)
        if (!grave.child.wait(deadline)) left.push_back(std::move(grave));
    graves_ = std::move(left);
}

std::vector<std::string> Graveyard::take_warnings(Deadline now) {
    reap();
    std::vector<std::string> warnings;
    for (Grave& grave : graves_) {
        if (grave.reported || now - grave.since < std::chrono::duration<double, std::milli>(kPatienceMs))
            continue;
        grave.reported = true;
        warnings.push_back(fmt::format(
            "process {} does not end although it was killed: it is stuck in the driver, and what it holds "
            "of the device stays taken; if the next runs fail or are slow, restart the machine",
            grave.child.pid()));
    }
    return warnings;
}

}  // namespace kwb
