// SPDX-License-Identifier: Apache-2.0
// All of kwb-judge except main(): serves one face until it closes its end.
#pragma once

#include "judge/processes/device_pool.hpp"

namespace kwb {

/// Serves the face at the other end of stdin and stdout until it closes them.
/// @throws ProtocolError  the face does not speak the protocol
/// @throws std::system_error  stdin and stdout are unusable
void run_judge(const PoolOptions& options);

}  // namespace kwb
