// SPDX-License-Identifier: Apache-2.0
// The functions that the compiled kernel calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kwb::xray {

class Engine;

/// The engine that the hooks notify; null: they do nothing. There is one for a process, since the compiled
/// code finds the hooks by name.
void set_engine(Engine* engine);

/// A variable of the loaded program with the unused bytes that the compiler has put after it.
struct ProgramVariable {
    std::uintptr_t begin = 0;
    std::uint64_t bytes = 0;
    std::uint64_t with_margin = 0;
    std::string name;  ///< "kernel.tile" in a function
};

/// Those of the programs that were loaded since the last call.
std::vector<ProgramVariable> take_program_variables();

}  // namespace kwb::xray
