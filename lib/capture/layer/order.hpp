// SPDX-License-Identifier: Apache-2.0
// The order of commands: which have the program and later commands certainly waited for? All with the lock
// held.
#pragma once

#include "capture/layer/objects.hpp"

namespace kwb::capture {

struct WaitList {
    cl_uint count = 0;
    const cl_event* events = nullptr;
};

/// A command has been enqueued.
/// @param event  the program's; nullptr: it asked for none
/// @return  its number in its queue
uint64_t note_command(QueueState& queue, cl_event event, const WaitList& waits);

/// The program has waited for a command.
/// @param is_alone  not for those before it
void note_awaited(uint32_t queue, uint64_t number, bool is_alone);
void note_awaited(const WaitList& waits);
/// Later commands of the queue wait for all earlier ones of it.
void note_barrier(QueueState& queue);

/// A command uses a buffer: report a fault if another queue's command, or an unordered one, may be at work on
/// it.
/// @param name  of the command
void note_use_of(Object& buffer, QueueState& queue, uint64_t number, bool is_write, TextAt name);

void add_open_read(const QueueState& queue, uint64_t number, const Addresses& addresses);

}  // namespace kwb::capture
