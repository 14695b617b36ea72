// What run, sweep and check have in common.
#pragma once

#include <vector>

#include "model/result.hpp"
#include "options.hpp"
#include "session/experiment.hpp"
#include "session/own_kernel.hpp"

namespace kwb::cli {

/// Read the kernels that were named, completed where they say nothing about themselves (said in `said`), and
/// add cpu:blas where --baseline asks for it.
/// Also finds out whether the output files can be written, before anything runs.
/// @throws BadInput  they cannot, are one file, or would replace a file of a kernel
Experiment open_experiment(const Options& options, Said& said);

/// What was worked out for a kernel that says nothing about itself, before anything else is shown: to
/// standard output, or to standard error where that carries data.
void tell(const Options& options, const Experiment& experiment, const Said& said);

/// Write the files that were asked for, and what `text` makes for people, then choose the exit code.
/// @param interrupted  Ctrl-C ended it early; what there is, is shown all the same
int finish(const Options& options, const Environment& environment, const std::vector<KernelResult>& results,
           const std::string& text, bool interrupted);

}  // namespace kwb::cli
