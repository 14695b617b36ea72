// How a judge is started.
#pragma once

#include <string>
#include <vector>

namespace kwb {

/// The program and its arguments: the local kwb-judge, or e.g. {"ssh", "gpu-box", "kwb-judge"}.
using JudgeCommand = std::vector<std::string>;

/// kwb-judge beside the running program, or $KWB_JUDGE: words separated by blanks, "…" around words with
/// blanks.
JudgeCommand default_judge_command();

}  // namespace kwb
