// SPDX-License-Identifier: Apache-2.0
// What kwb profile and kwb capture share: a program of the command line, run with the layer.
#pragma once

#include <string>
#include <vector>

#include "base/named.hpp"
#include "capture/profile.hpp"
#include "verb.hpp"

namespace kwb::cli {

struct ProgramOptions {
    CLI::App* verb = nullptr;
    bool preload = false;

    /// Options come first; the first other word is the program, and all behind it is the program's.
    void add(CLI::App& app);
    /// @throws BadInput  there is no program
    std::vector<std::string> command() const;
};

struct RunProgram {
    int exit_code = 0;
    capture::ReadProfiles recorded;
};

/// Run it to its end, and print why nothing was recorded if so.
/// @param environment  for the layer
/// @throws BadInput, EnvironmentError
RunProgram run_program(const ProgramOptions& options, NamedList<std::string> environment);

}  // namespace kwb::cli
