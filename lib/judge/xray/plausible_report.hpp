// SPDX-License-Identifier: Apache-2.0
// Whether an answer of kwb-xray can be true: a kernel runs in its process, and may have written it.
#pragma once

#include "ipc/runner_messages.hpp"

namespace kwb {

/// Places, indices and sizes must exist in what was asked. Shortens long lists of findings, and makes places
/// in the kernel's own file "line:column".
/// @throws ProtocolError  names what is impossible
void require_plausible(XrayReport& report, const ObserveRequest& asked);

}  // namespace kwb
