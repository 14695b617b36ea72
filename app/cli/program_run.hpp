// SPDX-License-Identifier: Apache-2.0
// What kwb profile and kwb capture share: a program of the command line, run with the layer.
#pragma once

#include <string>
#include <vector>

#include "base/named.hpp"
#include "capture/profile.hpp"
#include "verb.hpp"

namespace kwb::cli {

/// Options come first; the first other word is the program, and all behind it is the program's.
void take_program(CLI::App& verb);
/// @throws BadInput  there is none
std::vector<std::string> program_of(const CLI::App& verb);

struct RunProgram {
    int exit_code = 0;
    capture::ReadProfiles recorded;
};

/// Run it to its end, and print why nothing was recorded if so.
/// @param environment  for the layer
/// @throws BadInput, EnvironmentError
RunProgram run_program(const std::vector<std::string>& command, NamedList<std::string> environment);

}  // namespace kwb::cli
