// SPDX-License-Identifier: Apache-2.0
// Runs a program in a disposable, confined process.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "ipc/child.hpp"
#include "model/sandbox.hpp"

namespace kwb {

struct ConfinedProgram {
    std::vector<std::string> command;
    NamedList<std::string> environment;  ///< the complete environment
    SandboxPolicy policy;
    double milliseconds = 5'000;  ///< until it is killed
    std::size_t output_bytes = std::size_t{24} << 20;
    std::size_t message_bytes = std::size_t{64} << 10;
    std::size_t file_bytes = 0;  ///< of each file that it writes
    std::optional<std::size_t> memory_bytes = {};
};

struct ProgramEnd {
    enum class How { Exited, TooSlow, TooMuchOutput, TooManyMessages, Stopped };
    How how = How::Exited;
    ExitStatus status;     ///< if it exited
    std::string output;    ///< of standard output
    std::string messages;  ///< of standard error
};

/// Runs the program until it exits, exceeds a limit or is stopped, then kills it and all processes it
/// started. Without Landlock in the machine's kernel, its access to files is not restricted.
/// @throws std::system_error  the program does not exist, or no permission
ProgramEnd run_confined(const ConfinedProgram& program, const std::stop_token& stop = {});

}  // namespace kwb
