// SPDX-License-Identifier: Apache-2.0
// The objects of the program that are alive, and what the layer knows about them. All with the lock held.
#pragma once

#include "capture/layer/record.hpp"

namespace kwb::capture {

enum class ObjectKind : uint8_t {
    None,
    Context,
    Queue,
    Buffer,
    Image,
    Sampler,
    Program,
    Kernel,
    Event,
    SharedMemory,  ///< of clSVMAlloc(); its handle is its address
};

inline constexpr uint32_t kMostArguments = 64;
inline constexpr uint32_t kMostQueues = 16;  ///< whose order against each other is followed

/// A parameter of a kernel function, and the argument that is set for it.
struct KernelArgument {
    cl_kernel_arg_address_qualifier space = 0;  ///< 0: the driver does not report it
    bool is_const = false;
    bool is_set = false;
    bool is_svm = false;
    bool is_reported = false;  ///< a fault of this argument, until it is set again
    uint32_t type_bytes = 0;   ///< of a number or vector; 0: unknown
    TextAt type = 0, name = 0;
    size_t bytes = 0;               ///< as set
    const void* object = nullptr;   ///< buffer, image or sampler; an address in shared virtual memory
    unsigned char value[256] = {};  ///< its first bytes; of local memory none
};

struct KernelState {
    TextAt name = 0;
    uint32_t arguments = 0;
    uint64_t launches = 0;
    bool follows_pointers = false;  ///< to shared virtual memory that is no argument
    KernelArgument list[kMostArguments];
};

/// A command that used a buffer: the number counts the commands of its queue from 1.
struct Use {
    uint32_t queue = 0;  ///< number of the queue; 0: none
    uint64_t number = 0;
    TextAt name = 0;
};

struct QueueState {
    const void* handle = nullptr;
    uint32_t number = 0;  ///< from 1
    uint32_t device = 0;  ///< index in the recording
    bool is_out_of_order = false;
    bool is_profiled = false;
    bool has_own_profiling = true;  ///< false: the layer has added it
    uint64_t enqueued = 0;
    uint64_t awaited = 0;              ///< the program has waited for all commands up to this one
    uint64_t seen[kMostQueues + 1]{};  ///< its commands come after these of other queues
};

struct Object {
    const void* handle = nullptr;
    ObjectKind kind = ObjectKind::None;
    int references = 0;
    uint32_t row = 0;  ///< in the recording, + 1
    // Of buffers, images and shared memory.
    uint64_t bytes = 0;
    cl_mem_flags flags = 0;
    const void* parent = nullptr;  ///< of a sub-buffer
    bool is_filled = false;        ///< its content may have been set
    int maps = 0;
    Use written, read;  ///< last
    // Of programs, from the free store: the source and options of a compiled program, also of one that was
    // linked from it alone, which has no source in the driver. Only while launches are captured.
    char* source = nullptr;
    char* options = nullptr;
    // Of kernels and queues.
    KernelState* kernel = nullptr;
    QueueState* queue = nullptr;
    // Of events.
    uint32_t queue_number = 0;
    uint64_t command = 0;
};

/// @return  nullptr: it is not alive, or unknown
Object* find_object(const void* handle);
/// The shared memory that contains this address.
/// @return  nullptr: there is none
Object* find_shared_memory(const void* address);
/// @return  nullptr: there is no room
Object* add_object(const void* handle, ObjectKind kind, uint64_t bytes, const RecordedPlace& place);
/// Returns to the free store what belongs to the object if this was its last reference.
/// @return  false: it is not alive
bool release_object(const void* handle);

/// Keeps a copy of the texts.
void keep_source(Object& program, const char* source, const char* options);

QueueState* find_queue(uint32_t number);
QueueState* add_queue();

}  // namespace kwb::capture
