// The whole of kwb-judge behind its main().
#pragma once

#include <string>

namespace kwb {

/// Serve the face at the other end of stdin and stdout until it closes them.
/// @param runner_program  path of kwb-runner
/// @throws ProtocolError  a face that cannot be understood; std::system_error  no usable descriptors
void run_judge(const std::string& runner_program);

}  // namespace kwb
