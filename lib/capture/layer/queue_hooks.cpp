// SPDX-License-Identifier: Apache-2.0
// Queues, which are made to measure times, and the calls that wait.
#include <string.h>

#include "capture/layer/hooks.hpp"

namespace kwb::capture {
namespace {

/// What the program asked for, from `before` to `after` of the same call.
thread_local cl_command_queue_properties asked = 0;
thread_local cl_queue_properties widened[32];

void made_queue(cl_command_queue handle, cl_device_id device, cl_command_queue_properties wanted) {
    if (handle == nullptr || recording() == nullptr) return;
    char name[256] = "";
    next.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr);
    cl_command_queue_properties properties = 0;
    next.clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr);
    const Addresses addresses = caller();
    const Lock locked;
    Recording* const into = current();
    if (into == nullptr) return;
    Object* const object =
        add_object(handle, ObjectKind::Queue, 0, place_of(addresses.frames, addresses.count));
    if ((properties & CL_QUEUE_PROFILING_ENABLE) == 0) ++into->unprofiled;
    if (object == nullptr || (object->queue = add_queue()) == nullptr) return;
    object->queue->handle = handle;
    object->queue->device = device_index(device, name);
    object->queue->is_out_of_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    object->queue->is_profiled = (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
    object->queue->has_own_profiling = (wanted & CL_QUEUE_PROFILING_ENABLE) != 0;
}

}  // namespace

void before(KWB_AT(clCreateCommandQueue), cl_context&, cl_device_id&, cl_command_queue_properties& properties,
            cl_int*&) {
    asked = properties;
    if (recording() != nullptr) properties |= CL_QUEUE_PROFILING_ENABLE;
}

void before(KWB_AT(clCreateCommandQueueWithProperties), cl_context&, cl_device_id&,
            const cl_queue_properties*& properties, cl_int*&) {
    asked = 0;
    constexpr uint32_t kRoom = sizeof widened / sizeof widened[0];
    uint32_t count = 0;
    bool has_bits = false;
    for (; properties != nullptr && properties[count] != 0; count += 2) {
        if (count + 5 > kRoom) return;
        widened[count] = properties[count];
        widened[count + 1] = properties[count + 1];
        if (properties[count] != CL_QUEUE_PROPERTIES) continue;
        has_bits = true;
        asked = properties[count + 1];
        widened[count + 1] |= CL_QUEUE_PROFILING_ENABLE;
    }
    // A queue on the device is none that the host enqueues to.
    if (recording() == nullptr || (asked & CL_QUEUE_ON_DEVICE) != 0) return;
    if (!has_bits) {
        widened[count++] = CL_QUEUE_PROPERTIES;
        widened[count++] = CL_QUEUE_PROFILING_ENABLE;
    }
    widened[count] = 0;
    properties = widened;
}

void after(KWB_AT(clCreateCommandQueue), cl_command_queue made, cl_context, cl_device_id device,
           cl_command_queue_properties, cl_int*) {
    made_queue(made, device, asked);
}

void after(KWB_AT(clCreateCommandQueueWithProperties), cl_command_queue made, cl_context, cl_device_id device,
           const cl_queue_properties*, cl_int*) {
    made_queue(made, device, asked);
}

void after(KWB_AT(clGetCommandQueueInfo), cl_int, cl_command_queue handle, cl_command_queue_info what,
           size_t room, void* value, size_t*) {
    if (what != CL_QUEUE_PROPERTIES || value == nullptr || room < sizeof(cl_command_queue_properties)) return;
    const Lock locked;
    const Object* const object = find_object(handle);
    // The program sees the queue that it asked for.
    if (object != nullptr && object->queue != nullptr && !object->queue->has_own_profiling)
        *static_cast<cl_command_queue_properties*>(value) &=
            ~cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE};
}

void after(KWB_AT(clFinish), cl_int, cl_command_queue handle) {
    const Lock locked;
    const Object* const object = find_object(handle);
    if (current() == nullptr || object == nullptr || object->queue == nullptr) return;
    note_awaited(object->queue->number, object->queue->enqueued, false);
}

void after(KWB_AT(clWaitForEvents), cl_int, cl_uint count, const cl_event* events) {
    const Lock locked;
    if (current() != nullptr) note_awaited({count, events});
}

void after(KWB_AT(clGetEventInfo), cl_int, cl_event event, cl_event_info what, size_t room, void* value,
           size_t*) {
    if (what != CL_EVENT_COMMAND_EXECUTION_STATUS || value == nullptr || room < sizeof(cl_int)) return;
    if (*static_cast<cl_int*>(value) > CL_COMPLETE) return;
    const Lock locked;
    if (current() != nullptr) note_awaited({1, &event});
}

void after(KWB_AT(clSetEventCallback), cl_int, cl_event event, cl_int,
           void(CL_CALLBACK*)(cl_event, cl_int, void*), void*) {
    const Lock locked;
    if (current() != nullptr) note_awaited({1, &event});
}

void after(KWB_AT(clGetProgramBuildInfo), cl_int, cl_program, cl_device_id, cl_program_build_info what,
           size_t, void*, size_t*) {
    if (what == CL_PROGRAM_BUILD_LOG || what == CL_PROGRAM_BUILD_STATUS) forget_error();
}

namespace {

void note_barrier_of(cl_command_queue handle) {
    const Object* const object = find_object(handle);
    if (object != nullptr && object->queue != nullptr) note_barrier(*object->queue);
}

}  // namespace

void accepted(KWB_AT(clEnqueueBarrier), const Accepted& command, cl_command_queue) {
    note_barrier_of(command.queue);
}

void accepted(KWB_AT(clEnqueueBarrierWithWaitList), const Accepted& command, cl_command_queue, cl_uint,
              const cl_event*, cl_event*) {
    note_barrier_of(command.queue);
}

}  // namespace kwb::capture
