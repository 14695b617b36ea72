// SPDX-License-Identifier: Apache-2.0
// Shared by the sources of `kwb tune`: its output, and the T1 file of Kernel Tuner that --t1 names, which is
// applied as if its content were in the kernel's file and on the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/own_kernel.hpp"
#include "options.hpp"
#include "report/tables.hpp"
#include "tune/space.hpp"
#include "tune/t1_file.hpp"
#include "tune/tuning.hpp"

namespace kwb::cli {

/// The number of combinations of values, the number of valid configurations, and what removes the others.
std::string space_text(const Space& space, const TableOptions& options);

/// The best configurations, the effect of each parameter, and the number of each verdict with the first
/// reason. Requires at least one trial.
std::string tuning_text(const Tuning& tuning, const Space& space, const TableOptions& options);

/// @throws BadInput  the file is invalid, or is one of the outputs
T1File open_t1(const std::string& file, const OutputOptions& outputs);

/// The path of the kernel that the file names. @throws BadInput  there is none in OpenCL C
std::string kernel_of(const T1File& t1);

/// The strategy of the file. One that kwb does not have is added to T1File::unused.
std::optional<StrategyKind> strategy_of(T1File& t1);

/// Give a kernel the parameters and conditions of the file. Parameters that only the kernel's file has keep
/// only their first value. If neither the kernel's file nor the options set the launch or the size, the
/// options get these, too.
/// @throws BadInput  the source redefines a parameter, or the launch cannot be inferred
void apply_t1(const T1File& t1, KernelFile& kernel, ExperimentOptions& options, Notes& notes);

/// The problem's size as the T1 file writes it, so that Kernel Tuner can open the cache with the same file;
/// empty if the file has other sizes.
std::vector<std::int64_t> cached_size(const std::optional<T1File>& t1, const Problem& problem,
                                      const Sizes& sizes);

/// Options that give a kernel these parameters without the T1 file: " --param TILE=8 -D PAD=1".
/// @param declared  the parameters in the kernel's own file
std::string param_words(const ParamChoice& params, const ParamSpace& declared);

}  // namespace kwb::cli
