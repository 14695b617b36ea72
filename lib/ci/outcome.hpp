// SPDX-License-Identifier: Apache-2.0
// The outcome of the tests of a suite, and the files that CI systems read it from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "model/result.hpp"

namespace kwb {

enum class CiState {
    Passed,
    Failed,
    CannotTell,  ///< the times are too noisy to say whether the kernel became slower
    Skipped,     ///< there is no such device
};

template <>
inline constexpr auto kEnumNames<CiState> = std::to_array<std::string_view>({"passed", "failed",
                                                                             "cannot_tell", "skipped"});

/// The outcome of one test: a kernel with one choice of parameters on one device.
struct CiOutcome {
    std::string about;   ///< the case's name
    std::string kernel;  ///< a name, or the path from the folder of kwb.toml
    std::string params;  ///< "TILE=16"; empty: the kernel has none, or their defaults
    std::string device;  ///< as the case names it; empty: the best one
    CiState state = CiState::Skipped;
    std::string reason = {};  ///< why it did not pass, or was not compared; a clause, often empty
    double seconds = 0;
    /// Its time by that of its earlier text, both measured in turns: above 1, it became slower.
    std::optional<Speedup> time_ratio = {};
    std::vector<KernelResult> results = {};  ///< one for each size
    std::optional<KernelResult> timed = {};  ///< where its time was measured
    Environment where = {};                  ///< of `timed`

    std::string name() const;  ///< of the test, unique in its suite: "gemm/src/gemm.cl TILE=16 on gpu"
};

/// One <testsuite> for each case.
std::string outcomes_to_junit(const std::vector<CiOutcome>& outcomes);
/// What is wrong with the kernels at their places.
/// Source: Static Analysis Results Interchange Format (SARIF) 2.1.0, OASIS.
std::string outcomes_to_sarif(const std::vector<CiOutcome>& outcomes);
/// {schema_version, tests[]}
std::string outcomes_to_json(const std::vector<CiOutcome>& outcomes);
/// GitHub's workflow commands, which annotate lines of a change.
std::string outcome_annotations(const CiOutcome& outcome);

}  // namespace kwb
