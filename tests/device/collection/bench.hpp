// SPDX-License-Identifier: Apache-2.0
// The judge shared by all tests of a program, the shipped kernels, and combinations of their parameters.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalogue.hpp"
#include "catalog/kernel_file.hpp"
#include "experiment/opened_experiment.hpp"
#include "support/judge_client.hpp"

namespace kwb::test {

struct CollectionBench {
    CollectionBench();

    /// Check a kernel at one size.
    KernelResult check(const KernelFile& file, const Sizes& sizes, const ParamChoice& params = {});

    JudgeClient judge;
    DeviceInfo device;
    Catalogue catalogue{{KWB_SHIPPED_KERNELS}};
};

CollectionBench& bench();

/// Combinations of a kernel's parameter values to test.
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
