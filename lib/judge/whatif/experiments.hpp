// SPDX-License-Identifier: Apache-2.0
// What-if experiments (model/effect.hpp): a kernel, changed in one thing, is timed in turns with the kernel
// as it is. Each change that could do harm has a process of its own. Its outputs are never judged.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "judge/contestant_state.hpp"
#include "judge/reference/reference.hpp"
#include "judge/verify/verification.hpp"
#include "judge/whatif/planned.hpp"
#include "model/request.hpp"

namespace kwb {

class Experiments {
public:
    /// Called before each turn. @param rounds  completed ones
    using Report = std::function<void(const ContestantState&, std::uint32_t rounds)>;

    /// All references must outlive it.
    /// @param data  the inputs
    Experiments(const RunRequest& request, const ProblemInstance& instance, const Verification& verification,
                const PassData& data, Report report);

    /// Sets KernelResult::effects. A failure of an experiment costs only its own effect.
    /// @param contestant  on a device, and correct
    void perform(ContestantState& contestant);

private:
    /// A planned experiment and its process.
    struct Subject : PlannedExperiment {
        PassData inputs = {};                          ///< if they differ from the kernel's
        std::shared_ptr<DeviceBench> bench = nullptr;  ///< of an empty kernel, that of the kernel as it is
        ContestantState state = {};
        ExecuteRequest request = {};
        double last_ms = 0;  ///< of its last run
        std::uint32_t first_round = 0;
        double least_saving = 0;  ///< in the trial rounds, as a share
        bool is_dropped = false;  ///< it would show nothing
        std::vector<double> samples_ms = {};
    };

    /// What keeps all experiments from being measured; empty: nothing.
    static std::string find_obstacle(const ContestantState& contestant, std::size_t processes);
    /// Chooses its process, with its inputs.
    void start(Subject& subject, const ContestantState& contestant) const;
    /// Starts its process unless it shares one, or sets its obstacle.
    void begin(Subject& subject, const ContestantState& contestant) const;
    /// @return  why it cannot be measured; empty if it can
    std::string prepare(Subject& subject, const ContestantState& contestant) const;
    std::string take_turn(Subject& subject) const;
    /// Where its threads are during further runs.
    static std::vector<CodePlace> sample(Subject& subject);
    /// Ends the experiments that have shown nothing, after the trial rounds.
    static void end_idle(std::vector<Subject>& subjects);
    /// Then begins the details if there is enough that they divide, else drops them: each input alone can
    /// save no more than all of them.
    void begin_details(std::vector<Subject>& subjects, const ContestantState& contestant) const;
    /// Each experiment ends alone, as soon as its own effect is known.
    bool has_all_rounds(const Subject& subject, const Subject& as_it_is) const;
    void time(std::vector<Subject>& subjects, const ContestantState& contestant) const;

    const RunRequest& request_;
    const ProblemInstance& instance_;
    const Verification& verification_;
    const PassData& data_;
    Report report_;
};

}  // namespace kwb
