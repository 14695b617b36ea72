// SPDX-License-Identifier: Apache-2.0
// Running a program to its end and measuring it from outside.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/named.hpp"

namespace kwb::bench {

struct ProcessRun {
    double wall_ms = 0;            ///< from start to exit of the program
    int exit_code = -1;            ///< -1: killed by a signal
    std::string output;            ///< its standard output
    std::uint64_t peak_bytes = 0;  ///< of this process only, if requested
};

enum class Watch { Nothing, Memory };

/// @param environment  added to the inherited environment, overriding it
/// @param watch        Memory: sample the peak resident size (VmHWM) every millisecond, which slows the
///     program down a little
/// @throws std::system_error  it cannot be started
ProcessRun run_process(const std::vector<std::string>& command, const NamedList<std::string>& environment,
                       Watch watch = Watch::Nothing);

/// As run_process(), but the exit code must be 0. @throws EnvironmentError
ProcessRun run_well(const std::vector<std::string>& command, const NamedList<std::string>& environment,
                    Watch watch = Watch::Nothing);

}  // namespace kwb::bench
