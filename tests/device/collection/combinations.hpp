// Which parameter values of a kernel are tried together.
#pragma once

#include <vector>

#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "model/problem.hpp"

namespace kwb::test {

struct Combinations {
    /// The defaults first; then, for each value that none before has, the first allowed combination that has
    /// it.
    std::vector<ParamChoice> covering;
    std::vector<ParamChoice> others;   ///< all other allowed ones
    std::vector<std::string> missing;  ///< "TILE=64": values that no allowed combination has
};

/// @param file  allowed are combinations of its parameters' values whose requirements hold
Combinations combine_params(const KernelFile& file, const ProblemInstance& problem, const DeviceInfo& device);

/// "TILE=8 EACH=2"; empty without parameters
std::string words_of(const ParamChoice& params);

}  // namespace kwb::test
