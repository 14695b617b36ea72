// What a machine offers, asked of the system itself.
#pragma once

#include <string>
#include <vector>

namespace kwb::cli {

struct Finding {
    enum class State { Good, Note, Aside, Bad };  ///< Aside: nobody has to care
    State state = State::Good;
    std::string subject;
    std::string sentence;  ///< what was found; for Bad also what to do
};

/// The compiler cache: where it is, whether it can be written and executed from.
Finding check_cache();

/// PoCL ends the process if it finds no linker.
Finding check_linker();

/// What the machine's own kernel offers to close a process off with. What is in force, a device tells.
std::vector<Finding> kernel_isolation();

}  // namespace kwb::cli
