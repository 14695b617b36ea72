// SPDX-License-Identifier: Apache-2.0
// Several contestants of one kernel, which differ in parameters or in the work-group size.
#pragma once

#include "experiment/opened_experiment.hpp"

namespace kwb {

/// If a parameter was given several values, TILE=8,16, make one contestant per configuration.
/// @throws BadInput  a value is empty, or there are too many
void expand_param_lists(OpenedExperiment& experiment);

/// Make one contestant per configuration that each kernel's file lists, apart from parameters that are
/// chosen.
/// @throws BadInput  there are too many
void expand_all_params(OpenedExperiment& experiment);

/// The experiment with one of its contestants.
OpenedExperiment alone(const OpenedExperiment& experiment, std::size_t contestant);

/// Make one contestant of each kernel for each work-group size.
/// @param locals  as --local: "16x16"; or "all" alone: powers of two that each kernel and the device allow at
///                these sizes, of 16 to 1024 work-items
/// @throws BadInput  a size is malformed, or does not fit a kernel; there are none, or too many
void expand_locals(OpenedExperiment& experiment, const std::vector<std::string>& locals,
                   const Problem& problem, const Sizes& sizes, const DeviceInfo& device);

}  // namespace kwb
