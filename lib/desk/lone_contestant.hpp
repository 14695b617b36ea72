// SPDX-License-Identifier: Apache-2.0
// A contestant of the window alone, for requests at sizes other than the chosen ones.
#pragma once

#include "desk/preview.hpp"
#include "experiment/opened_experiment.hpp"

namespace kwb {

struct LoneContestant {
    OpenedExperiment experiment;
    DeviceInfo device;
};
/// @param contestant  index of Experiment::contestants; not kHostBlasName
/// @throws BadInput  it cannot run
LoneContestant lone_contestant(const Experiment& choices, std::size_t contestant,
                               const OpenedKernels& kernels, const DeviceInfo& device,
                               const DeviceList& known);

}  // namespace kwb
