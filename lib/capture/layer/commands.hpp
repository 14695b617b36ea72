// SPDX-License-Identifier: Apache-2.0
// Commands that the program has enqueued, until their times are known. Times are read when the program waits,
// and a few at each further command: never by waiting where it does not wait.
#pragma once

#include "capture/layer/objects.hpp"

namespace kwb::capture {

/// A command whose times are wanted.
struct Command {
    CommandKind kind = CommandKind::None;
    TextAt name = 0;          ///< kernel function, or the call
    uint32_t kernel_row = 0;  ///< + 1
    uint32_t device = 0;
    uint32_t queue = 0;
    uint64_t bytes = 0;
};

/// Keeps the event until the command has completed.
/// @param is_owned  the program does not have the event, so this reference is released at the end
void follow(const Command& command, cl_event event, bool is_owned, const Call& call);

enum class Reading { Few, All };
/// Read the times of commands that have completed.
void read_times(Reading reading);

/// With the lock held: the row of this launch, + 1; 0: there is no room.
uint32_t kernel_row(TextAt name, uint32_t device, cl_uint dimensions, const size_t* global,
                    const size_t* local);

/// With the lock held.
uint32_t device_index(cl_device_id device, const char* name);

/// In the child of fork(), which cannot use its parent's commands.
void forget_commands();

}  // namespace kwb::capture
