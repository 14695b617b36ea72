// The whole of kwb-judge behind its main().
#pragma once

#include "judge/processes/device_pool.hpp"

namespace kwb {

/// Serve the face at the other end of stdin and stdout until it closes them.
/// @throws ProtocolError  a face that cannot be understood; std::system_error  no usable descriptors
void run_judge(const PoolOptions& options);

}  // namespace kwb
