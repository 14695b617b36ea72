// SPDX-License-Identifier: Apache-2.0
// The bare loop as a process that performs a turn on request.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ipc/child.hpp"
#include "model/plan.hpp"
#include "parts.hpp"

namespace kwb::bench {

struct BareTurn {
    double median_ms = 0;  ///< median of the recorded launches, device clock
    double wall_ms = 0;    ///< of the whole turn
    unsigned runs = 0;     ///< number of launches, including discarded ones
};

class BareLoopProcess {
public:
    /// @param plan  has one launch with a square work-group
    /// @param n     edge of the square matrices
    BareLoopProcess(const Setting& setting, const std::filesystem::path& file, const KernelPlan& plan, int n);

    /// @throws EnvironmentError  the process died
    BareTurn take_turn();

private:
    Child child_;
};

}  // namespace kwb::bench
