// Runs a contestant and checks everything that it may have changed.
#pragma once

#include "judge/contestant_state.hpp"
#include "judge/processes/device_bench.hpp"
#include "judge/verify/output_check.hpp"

namespace kwb {

/// Checks outputs, inputs and guard zones for one problem instance.
class Verification {
public:
    /// Each contestant's bench must have a layout and inputs.
    /// @param checkpoint  called every few milliseconds during work on large arrays
    Verification(const ProblemInstance& instance, const ReferenceSolver& solver, Checkpoint checkpoint);

    /// One checked run: fills outputs with poison, runs, compares everything. Sets the result's first_run_ms,
    /// upload_ms, download_ms, wrong_elements, error map …
    void check(ContestantState& contestant, Pass pass, const PassData& data);

    /// The same for a kernel, but returns a failed launch instead of giving a verdict.
    /// @return  the failure, if any
    std::optional<Failure> check_on_device(ContestantState& contestant, Pass pass, const PassData& data);

    /// The request of a checked run: poison, launches, download.
    ExecuteRequest make_request(const ContestantState& contestant, Pass pass, bool download_all) const;

    /// One timed turn; adds a sample to the result and verifies the outputs of the last run. The first turn
    /// is also the check of Pass::Real. Outputs that take longer to read back than to compute are verified
    /// only in some turns, chosen at random after the turn.
    /// @param data  of Pass::Real
    void take_turn(ContestantState& contestant, const PassData& data);

    /// If the outputs of the last turn were not verified: performs one more turn, untimed, and verifies its
    /// outputs.
    void check_last_outputs(ContestantState& contestant, const PassData& data);

    /// Runs a contestant's launches once, only for their effect on the device's memory.
    void run_again(const ContestantState& contestant);

    /// Checks the read-only inputs on the device and their guard zones.
    /// @param contestant  any contestant of this device; not changed
    /// @return  a sentence about the first difference
    std::optional<std::string> find_changed_input(const ContestantState& contestant, const PassData& data);

private:
    void check_on_host(ContestantState& contestant, Pass pass, const PassData& data);
    void turn_on_device(ContestantState& contestant, const PassData& data);
    void turn_on_host(ContestantState& contestant, const PassData& data);
    bool is_costly_to_read(const ContestantState& contestant) const;
    bool wants_to_verify(const ContestantState& contestant);
    /// Downloads the outputs of the last turn.
    bool read_outputs(ContestantState& contestant);
    std::vector<Variation> vary_inputs(const ContestantState& contestant, const PassData& data);

    /// Checks everything that a run downloaded.
    void judge_run(ContestantState& contestant, Pass pass, const PassData& data);
    bool judge_guards(ContestantState& contestant, const Slot& slot, std::span<const std::byte> allocation);
    bool judge_input(ContestantState& contestant, const Slot& slot, std::span<const std::byte> payload,
                     const PassData& data);
    /// @param number  index of the output among the instance's outputs
    bool judge_output(ContestantState& contestant, const BufferSpec& spec, std::size_t number,
                      std::span<const std::byte> payload, Pass pass, const PassData& data);
    std::vector<std::vector<std::byte>> make_host_outputs(Pass pass) const;
    void judge_host_outputs(ContestantState& contestant, Pass pass, const PassData& data,
                            const std::vector<std::vector<std::byte>>& outputs);
    /// Checks the outputs of a later turn.
    /// @param original_inputs  its last run used the original inputs; otherwise the outputs must differ
    void judge_timed_outputs(ContestantState& contestant, const PassData& data, bool original_inputs);

    const ProblemInstance& instance_;
    const ReferenceSolver& solver_;
    Checkpoint checkpoint_;
    std::uint64_t most_read_bytes_ = std::uint64_t{32}
                                     << 20;  ///< outputs up to this size are read back in every turn
    std::uint64_t picks_ = 1u << 20;         ///< index of the last random number; the guards use lower ones
};

}  // namespace kwb
