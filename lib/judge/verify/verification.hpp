// Run a contestant and judge everything that it touched.
#pragma once

#include "judge/entrant.hpp"
#include "judge/processes/device_bench.hpp"
#include "judge/verify/verify.hpp"

namespace kwb {

/// Judges outputs, inputs and guard zones for one problem instance.
class Verification {
public:
    /// Each entrant's bench must have a layout and inputs in use.
    /// @param checkpoint  called every few milliseconds of work on large arrays
    Verification(const ProblemInstance& instance, const ReferenceSolver& solver, Checkpoint checkpoint);

    /// One checked run: poisoned outputs, then everything compared. On the way it fills the result's
    /// first_run_ms, upload_ms, download_ms, wrong_elements, error map …
    /// @return  true if all was right; else the entrant has its verdict
    bool check(Entrant& entrant, Pass pass, const PassData& data);

    /// The same for a kernel, but a launch that came to nothing is not yet judged.
    /// @return  what became of it instead of an answer
    std::optional<Loss> check_on_device(Entrant& entrant, Pass pass, const PassData& data);

    /// A checked run: poison, launches, everything downloaded.
    ExecuteRequest make_request(const Entrant& entrant, Pass pass, bool download_all) const;

    /// One turn of a round with its last outputs verified; adds a sample to the result. The first one is the
    /// check of Pass::Real as well. Of outputs that take longer to read back than to compute, some turns'
    /// are verified, chosen by chance after the turn.
    /// @param data  of Pass::Real
    /// @return  false: the entrant has its verdict
    bool take_turn(Entrant& entrant, const PassData& data);

    /// One more turn, untimed, of which the outputs are judged, if those of the last turn were not.
    /// @return  false: the entrant has its verdict
    bool take_last_look(Entrant& entrant, const PassData& data);

    /// Run an entrant's launches once, for what they do to the device's memory; nothing is judged.
    void run_again(const Entrant& entrant);

    /// Compare the device's read-only inputs and their guard zones with what they should be.
    /// @param entrant  any that runs on the device; not changed
    /// @return  a sentence on the first difference
    std::optional<std::string> find_changed_input(const Entrant& entrant, const PassData& data);

private:
    bool check_on_host(Entrant& entrant, Pass pass, const PassData& data);
    bool turn_on_device(Entrant& entrant, const PassData& data);
    bool turn_on_host(Entrant& entrant, const PassData& data);
    bool is_costly_to_read(const Entrant& entrant) const;
    bool wants_to_look(const Entrant& entrant);
    /// Download what the last turn has left in the outputs.
    bool read_outputs(Entrant& entrant);
    std::vector<Variation> vary_inputs(const Entrant& entrant, const PassData& data);

    /// Everything that a run downloaded.
    void judge_run(Entrant& entrant, Pass pass, const PassData& data);
    bool judge_guards(Entrant& entrant, const Slot& slot, std::span<const std::byte> allocation);
    bool judge_input(Entrant& entrant, const Slot& slot, std::span<const std::byte> payload,
                     const PassData& data);
    /// @param number  of the output in the instance
    bool judge_output(Entrant& entrant, const BufferSpec& spec, std::size_t number,
                      std::span<const std::byte> payload, Pass pass, const PassData& data);
    /// @param outputs  in the order of the instance's outputs
    void keep(Entrant& entrant, const std::vector<std::vector<std::byte>>& outputs) const;
    std::vector<std::vector<std::byte>> make_host_outputs(Pass pass) const;
    void judge_host_outputs(Entrant& entrant, Pass pass, const PassData& data,
                            const std::vector<std::vector<std::byte>>& outputs);
    /// The outputs of a later turn.
    /// @param own_inputs  of its last run; else the answer must be another
    bool judge_timed_outputs(Entrant& entrant, const PassData& data, bool own_inputs);

    const ProblemInstance& instance_;
    const ReferenceSolver& solver_;
    Checkpoint checkpoint_;
    std::uint64_t most_read_bytes_ = std::uint64_t{32} << 20;  ///< outputs that are read back in every turn
    std::uint64_t picks_ = 1u << 20;  ///< random numbers drawn so far; the guards have the first
};

}  // namespace kwb
