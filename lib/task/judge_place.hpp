// SPDX-License-Identifier: Apache-2.0
// Where a judge runs: next to the program, or elsewhere, started by a launch command such as ssh or srun.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"

namespace kwb {

/// The program and its arguments: the local kwb-judge, or e.g. {"ssh", "gpubox", "kwb-judge"}.
using JudgeCommand = std::vector<std::string>;

struct JudgePlace {
    JudgeCommand command;
    /// For messages: a name of the settings, or the start of the launch command. Empty: next to the program.
    std::string name;
    double greeting_ms = 10'000;  ///< how long the judge may take to start

    /// True if the judge is reached over a link that can be lost.
    bool is_elsewhere() const { return !name.empty(); }
};

/// The name that --on uses for the judge next to the program, regardless of $KWB_JUDGE.
inline constexpr const char* kHere = "here";

/// kwb-judge in the folder of the running program.
std::string local_judge();

/// Begins a place that stands for the tasks of an allocation, see SlurmAllocation.
inline constexpr std::string_view kSlurmScheme = "slurm:";

/// Words separated by blanks, with quotes ("…" or '…') around words that contain blanks.
/// @throws BadInput  no word, or a quote that is not closed
JudgeCommand split_command(std::string_view text);

/// kwb-judge in the folder of the running program, or $KWB_JUDGE if set, which may be one elsewhere.
/// @throws BadInput  $KWB_JUDGE is no command
JudgePlace usual_place();

/// The places that the user has named in a settings file: name → launch command, at most 64. The file is only
/// ever read; its other keys are ignored. A missing file has none.
/// @throws BadInput  the file cannot be read or is not valid TOML, or a place is not a text; names the line
NamedList<std::string> read_places(const std::filesystem::path& path);

/// @param on     kHere, a name of `known`, or a launch command, which has a blank or a slash, or kSlurmScheme
/// @param known  name → launch command, from the settings
/// @param file   where `known` is from, for messages
/// @throws BadInput the place does not exist; lists the places
JudgePlace find_place(std::string_view on, const NamedList<std::string>& known, const std::string& file);

}  // namespace kwb
