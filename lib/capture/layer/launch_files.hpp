// SPDX-License-Identifier: Apache-2.0
// Captures launches for kwb capture: writes a launch's source, arguments and buffers, before and after it, to
// files. Here, and only here, the layer waits for commands.
#pragma once

#include "capture/layer/objects.hpp"

namespace kwb::capture {

/// A launch as the program enqueues it.
struct EnqueuedLaunch {
    cl_command_queue queue = nullptr;
    cl_kernel kernel = nullptr;
    cl_uint dimensions = 0;
    const size_t* offset = nullptr;
    const size_t* global = nullptr;
    const size_t* local = nullptr;
    cl_uint waits = 0;
    const cl_event* wait_list = nullptr;
};

// Without the lock:

/// What kwb asks for; nullptr: nothing is captured.
const char* output_folder();
/// From the free store; nullptr: the driver has none.
char* source_of(cl_program program);

/// Writes what the launch begins with, if it is the one that is wanted.
void capture_before(const EnqueuedLaunch& launch);
/// Writes its result, if capture_before() of this thread has begun it.
/// @param is_accepted  the driver has accepted the launch
void capture_after(const EnqueuedLaunch& launch, bool is_accepted);

}  // namespace kwb::capture
