// What run, sweep and check have in common.
#pragma once

#include <string>
#include <vector>

#include "base/named.hpp"
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

/// What --json, --csv and --report name, standard output aside: option → file.
std::vector<Named<std::string>> output_files(const Options& options);

/// @throws BadInput  one of output_files() would replace what a person wrote: see session/kept_files.hpp
void refuse_outputs_over(const Options& options, const KernelFile& kernel);

/// What there is to tell besides results.
struct Conclusion {
    std::string text;          ///< for people
    std::string page;          ///< for --report
    std::string save_error;    ///< what could not be saved before; empty if nothing
    std::string error;         ///< why results are missing; empty if none are
    bool interrupted = false;  ///< Ctrl-C ended it early; what there is, is shown all the same
};

/// Show what there is, write the files that were asked for, then choose the exit code.
/// @throws EnvironmentError  results are missing; BadInput: something could not be written. Both only after
///                           everything else was shown and written.
int finish(const Options& options, const Environment& environment, const std::vector<KernelResult>& results,
           Conclusion conclusion);

}  // namespace kwb::cli
