// SPDX-License-Identifier: Apache-2.0
// Timed turns: every recorded run gets inputs that no kernel has seen, and the outputs of one of them are
// verified.
#pragma once

#include <vector>

#include "judge/contestant_state.hpp"
#include "judge/verify/verification.hpp"
#include "model/turn.hpp"

namespace kwb {

/// Takes turns for the contestants of one run.
///
/// Each recorded run of a kernel has new random inputs, so it cannot reuse an earlier answer, and so a run
/// that will be verified looks like any other. The judge draws it secretly: the process that
/// runs the kernel learns of one run at a time.
class Turns {
public:
    /// Each contestant must have passed its checks.
    Turns(const ProblemInstance& instance, const ReferenceSolver& solver, Verification& verification,
          Checkpoint checkpoint, std::size_t contestants, bool short_turns);

    /// Adds a sample to the contestant's result. Verifies the outputs of one recorded run if that takes at
    /// most a quarter of the turn's time; otherwise only in some turns, at random.
    /// @param data  inputs for cpu:blas, which is trusted
    void take(ContestantState& contestant, const PassData& data);

    /// False: the last turn was not verified, and needs finish().
    bool is_finished(const ContestantState& contestant) const;
    /// Takes one more turn, which does not count, and verifies it.
    void finish(ContestantState& contestant);

private:
    /// The costs of a contestant's verification.
    struct Cost {
        double verification_ms = 0;  ///< the last one
        double turn_ms = 0;          ///< the last one, by the wall clock, without verification
        bool is_last_verified = true;
    };

    void take_on_device(ContestantState& contestant, const TurnRule& rule, bool verifies, bool is_sample);
    void take_on_host(ContestantState& contestant, const PassData& data);
    bool wants_to_verify(const Cost& cost) const;

    const ProblemInstance& instance_;
    const ReferenceSolver& solver_;
    Verification& verification_;
    Checkpoint checkpoint_;
    bool short_turns_;         ///< see turn_rule_after()
    std::vector<Cost> costs_;  ///< one for each contestant
};

}  // namespace kwb
