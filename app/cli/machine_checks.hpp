// Checks of the machine that need no judge.
#pragma once

#include <string>
#include <vector>

namespace kwb::cli {

struct Finding {
    enum class State { Good, Note, Aside, Bad };  ///< Aside: not important
    State state = State::Good;
    std::string subject;
    std::string sentence;  ///< what was found; for Bad, also the remedy
};

/// Checks where the compiler cache is, and whether files in it can be written and executed.
Finding check_cache();

/// Checks for a linker: PoCL ends the process if it finds none.
Finding check_linker();

/// Reports the sandbox features of the machine's own kernel. Which of them are in force is reported for each
/// device.
std::vector<Finding> kernel_isolation();

}  // namespace kwb::cli
