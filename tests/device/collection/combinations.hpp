// SPDX-License-Identifier: Apache-2.0
// Combinations of a kernel's parameter values to test.
#pragma once

#include <vector>

#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "model/problem.hpp"

namespace kwb::test {

struct Combinations {
    /// The defaults first; then, for each value not covered yet, the first allowed combination with that
    /// value.
    std::vector<ParamChoice> covering;
    std::vector<ParamChoice> others;   ///< all other allowed combinations
    std::vector<std::string> missing;  ///< "TILE=64": values without an allowed combination
};

/// @param file  a combination of its parameters' values is allowed if its requirements hold
Combinations combine_params(const KernelFile& file, const ProblemInstance& problem, const DeviceInfo& device);

/// "TILE=8 EACH=2"; empty if there are no parameters
std::string words_of(const ParamChoice& params);

}  // namespace kwb::test
