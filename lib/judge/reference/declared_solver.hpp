// What the judge knows of a person's own problem: what came with the request.
#pragma once

#include <functional>
#include <memory>

#include "judge/processes/device_bench.hpp"
#include "judge/reference/reference.hpp"
#include "model/declared_instance.hpp"

namespace kwb {

/// Makes a bench for the reference alone: it is not to be believed, and meets nobody else's memory.
using ReferenceBench = std::function<std::unique_ptr<DeviceBench>()>;

class DeclaredSolver final : public ReferenceSolver {
public:
    /// @param declared  must outlive the solver
    DeclaredSolver(const DeclaredInstance& declared, ReferenceBench make_bench);

    /// @throws ReferenceFailed  see run_reference()
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override;
    /// Whatever its inputs are, what is right within a tolerance is right in one pass.
    bool has_exact_pass() const override;
    bool may_vary(std::string_view input) const override;
    std::string_view describe_inputs(Pass) const override { return "the problem's"; }
    /// "no tolerance is given for y …"
    std::vector<std::string> remarks() const override;
    std::string fingerprint() const override;

private:
    const DeclaredInstance& declared_;
    ReferenceBench make_bench_;
};

}  // namespace kwb
