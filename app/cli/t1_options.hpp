// SPDX-License-Identifier: Apache-2.0
// kwb tune --t1: applies a T1 file of Kernel Tuner as if its content were in the kernel's file and on the
// command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/own_kernel.hpp"
#include "options.hpp"
#include "tune/t1_file.hpp"

namespace kwb::cli {

/// Read the --t1 file, and take from it what the options leave open: the kernel's file, strategy, budget.
/// @param notes receives the parts of the file that have no effect here
/// @throws BadInput  the file is invalid, names no usable kernel, or is one of the outputs
T1File open_t1(Options& options, Notes& notes);

/// Give a kernel the parameters and conditions of the file. Parameters that only the kernel's file has keep
/// only their first value. If neither the kernel's file nor the options set the launch or the size, the
/// options get these, too.
/// @throws BadInput  the source redefines a parameter, or the launch cannot be inferred
void apply_t1(const T1File& t1, KernelFile& kernel, Options& options, Notes& notes);

/// The problem's size as the T1 file writes it, so that Kernel Tuner can open the cache with the same file;
/// empty if the file has other sizes.
std::vector<std::int64_t> cached_size(const std::optional<T1File>& t1, const Problem& problem,
                                      const Sizes& sizes);

/// Options that give a kernel these parameters without the T1 file: " --param TILE=8 -D PAD=1".
/// @param declared  the parameters in the kernel's own file
std::string param_words(const ParamChoice& params, const ParamSpace& declared);

}  // namespace kwb::cli
