// SPDX-License-Identifier: Apache-2.0
// Problems that the user declares: inputs, and expected outputs from the declared reference kernel or array
// file.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "judge/processes/device_bench.hpp"
#include "judge/reference/reference.hpp"
#include "model/declared_instance.hpp"

namespace kwb {

/// There is no reference output. what() is a sentence that names the reference.
class ReferenceFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Makes a bench only for the reference: the kernel is untrusted and shares no process with others.
using ReferenceBench = std::function<std::unique_ptr<DeviceBench>()>;

class DeclaredSolver final : public ReferenceSolver {
public:
    /// @param declared  must outlive the solver
    DeclaredSolver(const DeclaredInstance& declared, ReferenceBench make_bench);

    /// The solver of the same problem at other sizes.
    /// @param declared  as for the constructor
    std::unique_ptr<const DeclaredSolver> at(const DeclaredInstance& declared) const {
        return std::make_unique<const DeclaredSolver>(declared, make_bench_);
    }

    Contents make_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                         const Checkpoint& checkpoint) const override;
    /// @throws ReferenceFailed  the reference kernel failed or is wrong itself
    void solve(const ProblemInstance& instance, Pass pass, PassData& data, Effort effort,
               const Checkpoint& checkpoint) const override;
    bool has_truth() const override;
    /// With a tolerance, one pass is enough, whatever the inputs are. Where no reference defines what is
    /// correct, both passes have the same inputs: the second run shows what the first did not write.
    bool has_exact_pass() const override;
    std::string_view describe_inputs(Pass) const override { return "the problem's"; }
    /// "no tolerance is given for y …"
    std::vector<std::string> remarks() const override;
    std::string fingerprint() const override;

private:
    const DeclaredInstance& declared_;
    ReferenceBench make_bench_;
};

}  // namespace kwb
