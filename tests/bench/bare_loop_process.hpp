// The bare loop as a process that takes a turn when asked.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ipc/child.hpp"
#include "model/plan.hpp"
#include "parts.hpp"

namespace kwb::bench {

struct BareTurn {
    double median_ms = 0;  ///< of the recorded launches, by the device's clock
    double wall_ms = 0;    ///< of the whole turn
    unsigned runs = 0;     ///< launches, discarded ones included
};

class BareLoopProcess {
public:
    /// @param plan  one launch with a square work-group
    /// @param n     extents of the matrices
    BareLoopProcess(const Setting& setting, const std::filesystem::path& file, const KernelPlan& plan, int n);

    /// @throws EnvironmentError  it died
    BareTurn take_turn();

private:
    Child child_;
};

}  // namespace kwb::bench
