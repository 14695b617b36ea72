// SPDX-License-Identifier: Apache-2.0
// The file in which the OpenCL layer records what one process does. The layer maps it and writes in place, so
// that what was recorded survives every way to end. It has a fixed size: rows are counted beyond their limit,
// but not kept. The reader trusts none of it. Included by the layer, so it needs only C headers.
#pragma once

#include <stdint.h>

namespace kwb::capture {

inline constexpr char kRecordingMagic[8] = {'k', 'w', 'b', 'r', 'e', 'c', '0', '1'};
inline constexpr const char* kRecordingSuffix = ".kwbrec";

// Set by kwb for the layer.
inline constexpr const char* kFolderVariable = "KWB_CAPTURE_FOLDER";  ///< where recordings are written
inline constexpr const char* kOutputVariable = "KWB_CAPTURE_OUTPUT";  ///< where captured launches are written
inline constexpr const char* kKernelVariable =
    "KWB_CAPTURE_KERNELS";  ///< "\nscale\nsum\n"; unset: all kernels
inline constexpr const char* kLaunchVariable = "KWB_CAPTURE_LAUNCH";  ///< of each kernel, from 1

// A captured launch, as the layer leaves it for kwb in a folder below kOutputVariable.
inline constexpr const char* kLaunchFolderPrefix = ".launch-";
inline constexpr const char* kLaunchList = "list";
inline constexpr const char* kLaunchSource = "source.cl";
inline constexpr const char* kLaunchBinary = "program.bin";  ///< of a program without a source
inline constexpr uint32_t kArrayHeaderBytes = 128;           ///< left free at the begin of each array file

inline constexpr uint32_t kMostFrames = 8;
inline constexpr uint32_t kMostKernels = 1024;
inline constexpr uint32_t kMostSamples = 256;
inline constexpr uint32_t kMostBuilds = 256;
inline constexpr uint32_t kMostErrors = 256;
inline constexpr uint32_t kMostFaults = 256;
inline constexpr uint32_t kMostObjects = 512;
inline constexpr uint32_t kMostObjectKinds = 16;
inline constexpr uint32_t kMostOpenReads = 128;
inline constexpr uint32_t kMostDevices = 16;
inline constexpr uint32_t kMostTraced = 1u << 16;
inline constexpr uint32_t kMostFunctions = 192;
inline constexpr uint32_t kMostTextBytes = 1u << 20;

/// Of Recording::texts, where it ends with a zero byte. 0: the empty text.
using TextAt = uint32_t;

/// Return addresses, innermost first, each in a file of code.
struct RecordedPlace {
    uint32_t count;
    TextAt modules[kMostFrames];
    uint64_t offsets[kMostFrames];  ///< as the file's symbols count them
};

enum class CommandKind : uint8_t { None, Kernel, Read, Write, Copy, Fill, Map, Unmap, Other };
inline constexpr uint32_t kCommandKinds = 9;

/// Launches of one kernel function with one NDRange on one device.
struct KernelRow {
    TextAt name;
    uint32_t device;
    uint32_t dimensions;
    uint32_t has_local;  ///< 0: the driver chose
    uint64_t global[3];
    uint64_t local[3];
    uint64_t launches;
    uint64_t timed;  ///< those of `launches` whose times are known
    uint64_t total_ns, least_ns, most_ns;
    float samples_ns[kMostSamples];  ///< the first min(timed, kMostSamples): a random sample of all times
    RecordedPlace place;             ///< of the first launch
};

struct TransferRow {
    uint64_t count;
    uint64_t timed;
    uint64_t bytes;        ///< of all
    uint64_t timed_bytes;  ///< of those whose times are known
    uint64_t total_ns;
};

struct BuildRow {
    TextAt function;
    TextAt options;
    int32_t code;
    uint32_t is_background;  ///< it went on after the call
    uint64_t host_ns;
    RecordedPlace place;
};

/// A call that failed, or a fault that no call reported. Equal ones at the same place are counted.
struct ErrorRow {
    TextAt function;
    int32_t code;
    uint64_t count;
    uint32_t is_unseen;  ///< the program did not ask for the code
    TextAt next;         ///< the call that went on with an object of the failed one; 0: none did
    TextAt detail;       ///< the numbers that explain it; may be empty
    RecordedPlace place;
    RecordedPlace next_place;
};

struct FaultRow {
    TextAt code;    ///< "read_not_awaited"
    TextAt detail;  ///< a sentence
    uint64_t count;
    RecordedPlace place;
    RecordedPlace other;  ///< a second place that belongs to it; may have no frames
};

struct ObjectRow {
    uint64_t handle;  ///< 0: released, and the row is free
    TextAt kind;      ///< "buffer"
    uint64_t bytes;
    RecordedPlace place;
};

/// A read that the program has not waited for.
struct OpenReadRow {
    uint64_t number;  ///< of the command in its queue, from 1; 0: the row is free
    uint32_t queue;
    RecordedPlace place;
};

struct ObjectCount {
    TextAt kind;
    uint64_t created, released;
};

struct DeviceRow {
    TextAt name;
    uint64_t first_start_ns, last_end_ns;  ///< by the device's clock
    uint64_t busy_ns;                      ///< at least one command ran
    uint64_t host_gaps, host_gap_ns;       ///< idle until the next command was enqueued
    uint64_t longest_gap_ns;
    TextAt longest_gap_before;
    uint64_t commands;
};

struct TracedEvent {
    TextAt name;
    uint8_t kind;    ///< CommandKind; None: a host call
    uint8_t device;  ///< index
    uint16_t queue;
    uint32_t thread;
    uint32_t padding;
    uint64_t host_ns, host_duration_ns;  ///< of the call, CLOCK_MONOTONIC
    uint64_t queued_ns, start_ns, end_ns;
    uint64_t bytes;
};

struct FunctionRow {
    uint64_t calls;
    uint64_t host_ns;
};

struct Recording {
    char magic[8];
    uint64_t bytes;  ///< sizeof(Recording): another layout is not read
    int64_t pid;
    uint64_t begin_ns, end_ns;  ///< end: 0 if the process ended without running its exit handlers
    TextAt program;
    uint32_t kernels, builds, errors, faults, devices, traced, texts_used;
    uint64_t lost_kernels, lost_builds, lost_errors, lost_faults;  ///< rows for which there was no room
    uint64_t trace_stride;                                         ///< every n-th event is kept
    uint64_t trace_seen;                                           ///< events
    uint64_t untimed;                                              ///< commands whose times could not be read
    uint64_t unprofiled;                                           ///< queues that could not measure times
    uint64_t enqueued;                                             ///< commands of all kinds
    FunctionRow functions[kMostFunctions];                         ///< by their place in the dispatch table
    TextAt function_names[kMostFunctions];
    TransferRow transfers[kCommandKinds];
    KernelRow kernel_rows[kMostKernels];
    BuildRow build_rows[kMostBuilds];
    ErrorRow error_rows[kMostErrors];
    FaultRow fault_rows[kMostFaults];
    ObjectRow object_rows[kMostObjects];
    OpenReadRow open_reads[kMostOpenReads];
    ObjectCount object_counts[kMostObjectKinds];
    DeviceRow device_rows[kMostDevices];
    TracedEvent trace[kMostTraced];
    char texts[kMostTextBytes];
};

}  // namespace kwb::capture
