// SPDX-License-Identifier: Apache-2.0
// Shared by the verbs that examine kernels: the kernels of a command line, and the headline of an answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/gpus.hpp"
#include "experiment/opened_experiment.hpp"
#include "experiment/own_kernel.hpp"
#include "model/device_info.hpp"
#include "model/result.hpp"
#include "options.hpp"
#include "report/tables.hpp"

namespace kwb::cli {

/// Read the named kernels, and those of named folders.
/// @throws BadInput  one is unknown
std::vector<std::optional<KernelFile>> open_kernels(const std::vector<std::string>& names,
                                                    const Folders& folders);

/// Complete those without declarations (and describe that in `notes`), and add cpu:blas if --baseline
/// requires it. Also checks whether the output files can be written, before anything runs.
/// @throws BadInput  if they cannot be written, or would replace a file of a kernel
OpenedExperiment complete_experiment(const ExperimentOptions& options,
                                     std::vector<std::optional<KernelFile>> kernels,
                                     const OutputOptions& outputs, Notes& notes);

/// OutputOptions::refuse_equal(), open_kernels() and complete_experiment().
OpenedExperiment open_experiment(const ExperimentOptions& options, const Folders& folders,
                                 const OutputOptions& outputs, Notes& notes);

/// Print what was inferred for kernels without declarations, before any other output: to standard output, or
/// to standard error if standard output carries data.
/// @param own  the options that `kwb adopt` is to keep; null: a file keeps them already
void print_notes(const Notes& notes, const OpenedExperiment& experiment, const OwnOptions* own,
                 const OutputOptions& outputs);

/// The targets of --target, among the built-in GPUs and the user's own. An invalid entry in the user's
/// gpus.toml stops only what needs that file.
/// @throws BadInput  a name that is none
Targets chosen_targets(const std::vector<std::string>& names);

/// "Matrix multiplication, size 512, on … (pocl:0), at lab"
/// @param places  empty: on this machine
std::string headline(const Problem& problem, const std::string& sizes, const DeviceInfo& device,
                     const std::string& places, const TableOptions& options);

/// Only if the user disabled the sandbox: what these kernels can do.
std::string isolation_note(const JudgeOptions& judge, const Environment& environment);

}  // namespace kwb::cli
