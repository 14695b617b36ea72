// SPDX-License-Identifier: Apache-2.0
// Executions and accesses of the lines in which basic blocks begin or memory is accessed: for the margin of
// the source.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/machine_code.hpp"
#include "model/xray.hpp"

namespace kwb {

/// Of a line of the source, in the observed groups.
struct LineHeat {
    std::uint64_t executions = 0;        ///< by work-items
    std::uint64_t bytes = 0;             ///< requested by its accesses, of any memory
    double share = 0;                    ///< of the line that is executed most, on a logarithmic scale
    std::vector<std::string> sentences;  ///< about the line, then about each of its accesses
    bool has_code = false;               ///< the GPU machine code on display has instructions of it
};

/// By line, from 0.
using LineHeats = std::map<std::uint32_t, LineHeat>;

/// By file, relative to the kernel's folder; empty: the kernel's own.
using SourceHeat = std::map<std::string, LineHeats>;

/// @param targets  whose machine code is shown
SourceHeat source_heat(const XrayReport& report, const std::vector<TargetReport>& targets = {});

}  // namespace kwb
