// Run a program to its end and look at it from outside.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/named.hpp"

namespace kwb::bench {

struct ProcessRun {
    double wall_ms = 0;            ///< from the start of the program to its end
    int exit_code = -1;            ///< -1: killed by a signal
    std::string output;            ///< its standard output
    std::uint64_t peak_bytes = 0;  ///< of this process alone, if that was asked for
};

enum class Watch { Nothing, Memory };

/// @param environment  added to ours, or replacing
/// @param watch        Memory: sample the peak resident size (VmHWM) each millisecond; costs it some time
/// @throws std::system_error  it cannot be started
ProcessRun run_process(const std::vector<std::string>& command, const NamedList<std::string>& environment,
                       Watch watch = Watch::Nothing);

/// The same, and the exit code has to be 0. @throws EnvironmentError
ProcessRun run_well(const std::vector<std::string>& command, const NamedList<std::string>& environment,
                    Watch watch = Watch::Nothing);

}  // namespace kwb::bench
