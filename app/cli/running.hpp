// Code that run, sweep and check share.
#pragma once

#include <string>
#include <vector>

#include "base/named.hpp"
#include "model/result.hpp"
#include "options.hpp"
#include "session/experiment.hpp"
#include "session/own_kernel.hpp"

namespace kwb::cli {

/// Read the named kernels, complete those without declarations (and describe that in `notes`), and add
/// cpu:blas if --baseline requires it. Also checks whether the output files can be written, before anything
/// runs.
/// @throws BadInput  if they cannot be written, are the same file, or would replace a file of a kernel
Experiment open_experiment(const Options& options, Notes& notes);

/// Print what was worked out for kernels without declarations, before any other output: to standard output,
/// or to standard error if standard output carries data.
void tell(const Options& options, const Experiment& experiment, const Notes& notes);

/// The files given for --json, --csv and --report, without standard output: option → file.
std::vector<Named<std::string>> output_files(const Options& options);

/// @throws BadInput  if one of output_files() would replace one of the user's source files: see
///          session/kept_files.hpp
void refuse_outputs_over(const Options& options, const KernelFile& kernel);

/// What to output besides the results.
struct Conclusion {
    std::string text;          ///< text for standard output
    std::string page;          ///< HTML page for --report
    std::string save_error;    ///< which outputs could not be saved, and why; empty if none
    std::string error;         ///< why results are missing; empty if none are
    bool interrupted = false;  ///< ended early by Ctrl-C; the results so far are still shown
};

/// Show the results, write the requested files, then determine the exit code.
/// @throws EnvironmentError  if results are missing; BadInput if something could not be written. Both only
///          after everything else was shown and written.
int finish(const Options& options, const Environment& environment, const std::vector<KernelResult>& results,
           Conclusion conclusion);

}  // namespace kwb::cli
