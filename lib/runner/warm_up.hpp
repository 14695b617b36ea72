// SPDX-License-Identifier: Apache-2.0
// Triggers a driver's one-time work for its first kernel in advance.
#pragma once

#include "ocl/cl.hpp"

namespace kwb {

/// Compiles a tiny kernel and runs it once. Compilers that live in this process load and set up most of what
/// they need for the first kernel: PoCL 3.1 takes 900 ms to build the first one and 180 ms for each later
/// one. The kernel has a barrier, a loop and local memory, so that PoCL's passes for work-groups run, too;
/// its text is new each time, so that no cache skips the work. Later programs cannot observe it, but it may
/// leave a program in the driver's cache.
/// @throws ClError, cl::Error  the driver cannot compile or run it
void warm_up(const cl::Context& context, const cl::Device& device, const cl::CommandQueue& queue);

}  // namespace kwb
