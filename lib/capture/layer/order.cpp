// SPDX-License-Identifier: Apache-2.0
#include "capture/layer/order.hpp"

namespace kwb::capture {
namespace {

void close_reads(uint32_t queue, uint64_t number, bool is_alone) {
    for (OpenReadRow& row : current()->open_reads)
        if (row.queue == queue && row.number != 0 && (is_alone ? row.number == number : row.number <= number))
            row.number = 0;
}

void raise(uint64_t& value, uint64_t to) {
    if (value < to) value = to;
}

bool is_ordered(const Use& earlier, const QueueState& queue) {
    if (earlier.queue == 0) return true;
    if (earlier.queue == queue.number && !queue.is_out_of_order) return true;
    const QueueState* const other = find_queue(earlier.queue);
    return other == nullptr || other->awaited >= earlier.number ||
           queue.seen[earlier.queue] >= earlier.number;
}

void report(const Use& earlier, const QueueState& queue, TextAt name, bool was_write, bool is_write) {
    const Addresses addresses = caller();
    FaultRow* const row = add_fault("unordered_commands", place_of(addresses.frames, addresses.count));
    if (row == nullptr) return;
    const char* const texts = current()->texts;
    row->detail = format_text(
        "%s may %s a buffer that %s on %s queue may still %s: no event, barrier or wait orders them",
        texts + name, is_write ? "write" : "read", texts + earlier.name,
        earlier.queue == queue.number ? "the same out-of-order" : "another", was_write ? "write" : "read");
}

}  // namespace

uint64_t note_command(QueueState& queue, cl_event event, const WaitList& waits) {
    const uint64_t number = ++queue.enqueued;
    for (cl_uint i = 0; i < waits.count && waits.events != nullptr; ++i) {
        const Object* const awaited = find_object(waits.events[i]);
        if (awaited == nullptr || awaited->queue_number == 0) continue;
        raise(queue.seen[awaited->queue_number], awaited->command);
        close_reads(awaited->queue_number, awaited->command, false);
        if (const QueueState* const other = find_queue(awaited->queue_number))
            for (uint32_t i_queue = 1; i_queue <= kMostQueues; ++i_queue)
                if (other != &queue) raise(queue.seen[i_queue], other->seen[i_queue]);
    }
    if (Object* const object = find_object(event)) {
        object->queue_number = queue.number;
        object->command = number;
    }
    return number;
}

void note_awaited(uint32_t queue, uint64_t number, bool is_alone) {
    QueueState* const state = find_queue(queue);
    if (state == nullptr) return;
    close_reads(queue, number, is_alone);
    // Of an out-of-order queue, the others count as awaited, too: rather miss a fault than invent one.
    raise(state->awaited, number);
    for (uint32_t i = 1; i <= kMostQueues; ++i)
        if (QueueState* const other = find_queue(i)) raise(other->awaited, state->seen[i]);
}

void note_awaited(const WaitList& waits) {
    for (cl_uint i = 0; i < waits.count && waits.events != nullptr; ++i) {
        const Object* const event = find_object(waits.events[i]);
        if (event == nullptr || event->queue_number == 0) continue;
        const QueueState* const queue = find_queue(event->queue_number);
        note_awaited(event->queue_number, event->command, queue != nullptr && queue->is_out_of_order);
    }
}

void note_barrier(QueueState& queue) {
    raise(queue.seen[queue.number], queue.enqueued);
}

void note_use_of(Object& buffer, QueueState& queue, uint64_t number, bool is_write, TextAt name) {
    if (!is_ordered(buffer.written, queue))
        report(buffer.written, queue, name, true, is_write);
    else if (is_write && !is_ordered(buffer.read, queue))
        report(buffer.read, queue, name, false, is_write);
    (is_write ? buffer.written : buffer.read) = {queue.number, number, name};
}

void add_open_read(const QueueState& queue, uint64_t number, const Addresses& addresses) {
    for (OpenReadRow& row : current()->open_reads) {
        if (row.number != 0) continue;
        row.queue = queue.number;
        row.place = place_of(addresses.frames, addresses.count);
        row.number = number;
        return;
    }
}

}  // namespace kwb::capture
