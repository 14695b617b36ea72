// SPDX-License-Identifier: Apache-2.0
#include "capture/layer/commands.hpp"

#include <pthread.h>
#include <string.h>

namespace kwb::capture {
namespace {

struct Pending {
    cl_event event = nullptr;
    Command command;
    uint64_t host_ns = 0, host_duration_ns = 0;
    uint32_t thread = 0;
};

constexpr uint64_t kMostPending = 1u << 16;
Pending pending[kMostPending];
uint64_t head = 0, tail = 0;  ///< count all that were ever put in
pthread_mutex_t reading_mutex = PTHREAD_MUTEX_INITIALIZER;

/// So many commands that still run are passed over in search for others that have completed.
constexpr uint32_t kMostRunning = 64;

/// Open addressing: row + 1, or 0.
constexpr uint32_t kRowSlots = 2 * kMostKernels;
uint32_t row_slots[kRowSlots];

uint64_t random_state = 88172645463325252u;

/// G. Marsaglia, "Xorshift RNGs", 2003.
uint64_t random_number() {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

void add_kernel_time(KernelRow& row, uint64_t ns) {
    row.least_ns = row.timed == 0 || ns < row.least_ns ? ns : row.least_ns;
    row.most_ns = ns > row.most_ns ? ns : row.most_ns;
    row.total_ns += ns;
    // J. S. Vitter, "Random sampling with a reservoir", 1985: algorithm R.
    const uint64_t at = row.timed < kMostSamples ? row.timed : random_number() % (row.timed + 1);
    if (at < kMostSamples) row.samples_ns[at] = static_cast<float>(ns);
    ++row.timed;
}

void add_device_time(Recording& into, const TracedEvent& event) {
    DeviceRow& row = into.device_rows[event.device];
    if (row.commands++ == 0) {
        row.first_start_ns = event.start_ns;
    } else if (event.start_ns > row.last_end_ns && event.queued_ns > row.last_end_ns) {
        // Idle, and until `queued` nothing was there to do.
        const uint64_t until = event.queued_ns < event.start_ns ? event.queued_ns : event.start_ns;
        const uint64_t gap = until - row.last_end_ns;
        ++row.host_gaps;
        row.host_gap_ns += gap;
        if (gap > row.longest_gap_ns) {
            row.longest_gap_ns = gap;
            row.longest_gap_before = event.name;
        }
    }
    const uint64_t begin = event.start_ns > row.last_end_ns ? event.start_ns : row.last_end_ns;
    if (event.end_ns > begin) {
        row.busy_ns += event.end_ns - begin;
        row.last_end_ns = event.end_ns;
    }
}

void account(const Pending& done, bool is_timed, uint64_t queued, uint64_t start, uint64_t end) {
    const Lock locked;
    Recording* const into = current();
    if (into == nullptr) return;
    if (!is_timed || end < start) {
        ++into->untimed;
        return;
    }
    const Command& command = done.command;
    if (command.kind == CommandKind::Kernel) {
        if (command.kernel_row != 0) add_kernel_time(into->kernel_rows[command.kernel_row - 1], end - start);
    } else {
        TransferRow& row = into->transfers[static_cast<uint32_t>(command.kind)];
        ++row.timed;
        row.timed_bytes += command.bytes;
        row.total_ns += end - start;
    }
    const TracedEvent event{.name = command.name,
                            .kind = static_cast<uint8_t>(command.kind),
                            .device = static_cast<uint8_t>(command.device),
                            .queue = static_cast<uint16_t>(command.queue),
                            .thread = done.thread,
                            .padding = 0,
                            .host_ns = done.host_ns,
                            .host_duration_ns = done.host_duration_ns,
                            .queued_ns = queued,
                            .start_ns = start,
                            .end_ns = end,
                            .bytes = command.bytes};
    add_device_time(*into, event);
    add_trace(event);
}

/// A command that the device could not carry out: no call of the program may ever report it.
void record_failure(const Pending& done, cl_int code) {
    const Lock locked;
    Recording* const into = current();
    if (into == nullptr) return;
    if (FaultRow* const row = add_fault("command_failed", {}))
        row->detail = format_text("%s failed on the device with the code %d", into->texts + done.command.name,
                                  static_cast<int>(code));
}

/// @return  false: the command has not completed
bool try_read(const Pending& one) {
    cl_int status = CL_COMPLETE;
    if (next.clGetEventInfo(one.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) !=
        CL_SUCCESS)
        status = CL_COMPLETE;
    if (status > CL_COMPLETE) return false;
    if (status < 0) record_failure(one, status);
    cl_ulong queued = 0, start = 0, end = 0;
    const auto read = [&one](cl_profiling_info what, cl_ulong& into) {
        return next.clGetEventProfilingInfo(one.event, what, sizeof into, &into, nullptr) == CL_SUCCESS;
    };
    const bool is_timed = status == CL_COMPLETE && read(CL_PROFILING_COMMAND_QUEUED, queued) &&
                          read(CL_PROFILING_COMMAND_START, start) && read(CL_PROFILING_COMMAND_END, end);
    account(one, is_timed, queued, start, end);
    next.clReleaseEvent(one.event);
    return true;
}

/// Whoever has the lock of reading owns the slots from `head` to `tail`.
void read_pending(Reading reading) {
    lock();
    uint64_t end = tail;
    unlock();
    if (reading == Reading::Few && end - head > 2 && end - head < kMostPending / 2) end = head + 2;
    uint32_t running = 0;
    for (uint64_t i = head; i != end && running < kMostRunning; ++i) {
        Pending& one = pending[i % kMostPending];
        if (one.event == nullptr) continue;
        if (try_read(one))
            one.event = nullptr;
        else
            ++running;
    }
    lock();
    while (head != tail && pending[head % kMostPending].event == nullptr) ++head;
    unlock();
}

}  // namespace

void follow(const Command& command, cl_event event, bool is_owned, const Call& call) {
    if (!is_owned && next.clRetainEvent(event) != CL_SUCCESS) return;
    const uint32_t thread = thread_number();
    lock();
    const bool has_room = tail - head < kMostPending;
    if (has_room)
        pending[tail++ % kMostPending] = {event, command, call.begin_ns, call.end_ns - call.begin_ns, thread};
    else if (Recording* const into = current())
        ++into->untimed;
    unlock();
    if (!has_room) next.clReleaseEvent(event);
}

void read_times(Reading reading) {
    if (::pthread_mutex_trylock(&reading_mutex) != 0) return;  // another thread reads them
    read_pending(reading);
    ::pthread_mutex_unlock(&reading_mutex);
}

uint32_t kernel_row(TextAt name, uint32_t device, cl_uint dimensions, const size_t* global,
                    const size_t* local) {
    Recording& into = *current();
    if (dimensions < 1 || dimensions > 3 || global == nullptr) return 0;
    uint64_t extents[6] = {};
    for (cl_uint i = 0; i < dimensions; ++i) {
        extents[i] = global[i];
        extents[3 + i] = local != nullptr ? local[i] : 0;
    }
    uint64_t slot = uint64_t{name} * 31 + device;
    for (const uint64_t extent : extents) slot = (slot ^ extent) * 1099511628211u;  // FNV's prime
    for (slot = (slot >> 32) % kRowSlots; row_slots[slot] != 0; slot = (slot + 1) % kRowSlots) {
        const KernelRow& row = into.kernel_rows[row_slots[slot] - 1];
        if (row.name == name && row.device == device && row.dimensions == dimensions &&
            ::memcmp(row.global, extents, sizeof row.global) == 0 &&
            ::memcmp(row.local, extents + 3, sizeof row.local) == 0)
            return row_slots[slot];
    }
    if (into.kernels == kMostKernels) {
        ++into.lost_kernels;
        return 0;
    }
    KernelRow& row = into.kernel_rows[into.kernels];
    row.name = name;
    row.device = device;
    row.dimensions = dimensions;
    row.has_local = local != nullptr;
    ::memcpy(row.global, extents, sizeof row.global);
    ::memcpy(row.local, extents + 3, sizeof row.local);
    return row_slots[slot] = ++into.kernels;
}

uint32_t device_index(cl_device_id device, const char* name) {
    static cl_device_id known[kMostDevices];
    Recording& into = *current();
    for (uint32_t i = 0; i < into.devices; ++i)
        if (known[i] == device) return i;
    if (into.devices == kMostDevices) return kMostDevices - 1;
    known[into.devices] = device;
    into.device_rows[into.devices].name = add_text(name);
    return into.devices++;
}

void forget_commands() {
    head = tail = 0;
    for (Pending& one : pending) one.event = nullptr;
    ::memset(row_slots, 0, sizeof row_slots);
    reading_mutex = PTHREAD_MUTEX_INITIALIZER;
}

}  // namespace kwb::capture
