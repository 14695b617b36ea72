// What a machine offers, asked of the system itself.
#pragma once

#include <string>
#include <vector>

namespace kwb::cli {

struct Finding {
    enum class State { Good, Note, Bad };
    State state = State::Good;
    std::string subject;
    std::string sentence;  ///< what was found; for Bad also what to do
};

/// The compiler cache: where it is, whether it can be written and executed from.
Finding check_cache();

/// PoCL ends the process if it finds no linker.
Finding check_linker();

/// Which isolation the kernel of this machine allows, and which is in force.
std::vector<Finding> check_isolation();

}  // namespace kwb::cli
