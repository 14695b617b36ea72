// SPDX-License-Identifier: Apache-2.0
// All of kwb-runner except main(): sends one reply to each request of the judge.
#pragma once

namespace kwb {

/// Serves the judge at the other end of stdin and stdout until it closes them. See ipc/child.hpp for
/// what happens to the standard descriptors, and ipc/runner_messages.hpp for the messages.
/// @param has_arena  the judge passes shared memory
/// @throws ProtocolError  a message is not a request; std::system_error  stdin and stdout are unusable
void run_runner(bool has_arena);

}  // namespace kwb
