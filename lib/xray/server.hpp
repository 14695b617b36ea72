// SPDX-License-Identifier: Apache-2.0
// Serves the judge's requests: confines this process, then observes a kernel.
#pragma once

namespace kwb::xray {

/// Serves until the judge closes its end.
/// @param has_arena  the descriptor kKeptFd is the shared memory
/// @throws ProtocolError  a message is not a request
void run_server(bool has_arena);

}  // namespace kwb::xray
