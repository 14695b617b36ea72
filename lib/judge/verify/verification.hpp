// SPDX-License-Identifier: Apache-2.0
// Runs a contestant and checks everything that it may have changed.
#pragma once

#include <map>
#include <vector>

#include "judge/contestant_state.hpp"
#include "judge/processes/device_bench.hpp"
#include "judge/verify/output_check.hpp"

namespace kwb {

/// Private copies of allocations by the numbers of their slots.
using Allocations = std::map<std::uint32_t, std::vector<std::byte>>;
Allocations fetch_all(DeviceBench& bench, const std::vector<Transfer>& transfers);

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

    /// Checks everything that a run changed.
    /// @param data         inputs and correct outputs of that run
    /// @param allocations  all that make_request() downloads
    void judge_run(ContestantState& contestant, Pass pass, const PassData& data,
                   const Allocations& allocations);

    /// Whether a run without the driver's optimisations gives the expected outputs; changes no verdict.
    /// @param data  whose inputs the contestant's bench has
    bool is_right_unoptimised(const ContestantState& contestant, Pass pass, const PassData& data) const;

    /// Converts a failed launch to a verdict.
    void judge_failure(ContestantState& contestant, const Failure& failure);

    /// Outputs for cpu:blas, filled with poison.
    std::vector<std::vector<std::byte>> make_host_outputs(Pass pass) const;

private:
    void check_on_host(ContestantState& contestant, Pass pass, const PassData& data);
    bool judge_guards(ContestantState& contestant, const Slot& slot, std::span<const std::byte> allocation);
    bool judge_input(ContestantState& contestant, const Slot& slot, std::span<const std::byte> payload,
                     const PassData& data);
    OutputCheck compare(const BufferSpec& spec, std::span<const std::byte> payload, Pass pass,
                        const PassData& data) const;
    /// @param number  index of the output among the instance's outputs
    bool judge_output(ContestantState& contestant, const BufferSpec& spec, std::size_t number,
                      std::span<const std::byte> payload, Pass pass, const PassData& data);
    /// For an output without a reference, after a timed run.
    bool judge_written(ContestantState& contestant, const BufferSpec& spec,
                       std::span<const std::byte> payload, Pass pass);
    void judge_host_outputs(ContestantState& contestant, Pass pass, const PassData& data,
                            const std::vector<std::vector<std::byte>>& outputs);

    const ProblemInstance& instance_;
    const ReferenceSolver& solver_;
    Checkpoint checkpoint_;
};

}  // namespace kwb
