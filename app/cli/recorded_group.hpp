// SPDX-License-Identifier: Apache-2.0
// The work-group that `kwb debug` follows: what is asked for, and its recording.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "debug/difference.hpp"
#include "debug/player.hpp"
#include "experiments.hpp"
#include "model/plan.hpp"
#include "model/request.hpp"
#include "options.hpp"

namespace kwb::cli {

class Conversation;

/// Options of the group to record.
struct RecordOptions {
    ExperimentOptions chosen;
    JudgeOptions judge;
    std::vector<std::uint64_t> group{0};
    std::optional<std::vector<std::uint64_t>> lane;
    std::optional<std::string> at;  ///< "25 if k == 14": where to begin
    std::uint64_t launch = 1;
    bool wrong = false;
    std::optional<std::string> against;  ///< the kernel to compare with
    XrayOptions observed;

    /// @return  the option KERNEL
    CLI::Option* add(CLI::App& verb);
};

struct RecordedGroup {
    std::shared_ptr<debug::Player> player;  ///< null: there is nothing to follow
    KernelPlan plan;
    debug::Moment begin;
    std::string text;      ///< lines for the person, each with its line break
    bool is_good = false;  ///< without a player: nothing is wrong

    std::shared_ptr<const debug::Comparison> comparison;  ///< nullptr: with nothing

    RunRequest run;
    JudgeOptions judge;
    XrayOptions observed;              ///< of the recording
    std::vector<std::string> buffers;  ///< of the recording's first regions: their names in the problem

    /// Who has stored to an address in a buffer before the recorded launch: asks a judge again.
    /// @return  empty: there was no earlier launch
    std::string explain_earlier(std::uint64_t address) const;

    /// Records a part of the group, and shows it in the player: see debug::TurnTo.
    std::string turn_to(const debug::WantedPart& wanted) const;

    /// Of `comparison`, the first in the group or in the work-item of --lane; it is added to the text.
    void begin_at_difference(const std::optional<std::vector<std::uint64_t>>& lane);

private:
    /// Asks a judge again, with Ctrl-C as before and after.
    std::shared_ptr<const Snapshot> ask_again(XrayRequest request) const;
    mutable std::shared_ptr<Conversation> conversation_;  ///< of ask_again(): a judge that is ready is fast
};

/// @param outputs  where the notes about a kernel without declarations go
/// @throws BadInput, EnvironmentError, Interrupted
RecordedGroup record_group(const RecordOptions& options, const Folders& folders,
                           const OutputOptions& outputs);

/// Answers the Debug Adapter Protocol on standard input and output, until the client ends it.
int serve_editor(const Folders& folders);

}  // namespace kwb::cli
