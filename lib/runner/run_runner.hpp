// The whole of kwb-runner behind its main().
#pragma once

namespace kwb {

/// Serve the judge at the other end of stdin and stdout until it closes them. See ipc/protocol_pipes.hpp
/// for what becomes of the standard descriptors, ipc/runner_messages.hpp for the conversation.
/// @param has_arena  the judge hands down shared memory
/// @throws ProtocolError  a message that is no request; std::system_error  no usable descriptors
void run_runner(bool has_arena);

}  // namespace kwb
