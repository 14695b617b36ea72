// SPDX-License-Identifier: Apache-2.0
// The version of the workbench.
#pragma once

#include <string>

namespace kwb {

/// For example "1.0.0". kwb, kwb-judge and kwb-runner of one build share it.
std::string kwb_version();

}  // namespace kwb
