// SPDX-License-Identifier: Apache-2.0
// What the layer does at single functions, besides what it does at all of them (layer.cpp). A function that
// has no hook here gets the template.
#pragma once

#include "capture/layer/commands.hpp"
#include "capture/layer/order.hpp"

namespace kwb::capture {

/// One function of the dispatch table.
template <auto Member>
struct At {};

#define KWB_AT(name) At<&cl_icd_dispatch::name>

/// A command that has been accepted.
struct Accepted {
    cl_command_queue queue = nullptr;
    cl_event event = nullptr;  ///< of the program; nullptr: it asked for none
    WaitList waits;
    Command command;
    uint64_t number = 0;  ///< in its queue
};

// Without the lock. `before` may change the arguments.

template <auto Member, class... Arguments>
void before(At<Member>, Arguments&...) {}

/// @return  numbers that explain the error; 0: none
template <auto Member, class... Arguments>
TextAt explain(At<Member>, cl_int /*code*/, Arguments...) {
    return 0;
}

/// The call succeeded.
template <auto Member, class Result, class... Arguments>
void after(At<Member>, Result, Arguments...) {}

/// The call has returned, with or without an error.
template <auto Member, class... Arguments>
void finished(At<Member>, cl_int /*code*/, Arguments...) {}

/// The command that the call enqueues, as far as its times are concerned; called before it.
template <auto Member, class... Arguments>
void describe(At<Member>, Command&, Arguments...) {}

/// With the lock: the content of a buffer may have been set.
void note_filled(cl_mem buffer);
template <class Other>
void note_filled(const Other&) {}

/// The command was accepted. With the lock.
template <auto Member, class... Arguments>
void accepted(At<Member>, const Accepted&, Arguments... arguments) {
    (note_filled(arguments), ...);
}

// Objects.
/// An object that the call has made, except buffers, images, kernels and queues.
void made(const void* handle, ObjectKind kind);
void retained(const void* handle);
/// Called before the release, because another object may get the same handle during it.
void released(const void* handle, const char* function);

void after(KWB_AT(clCreateBuffer), cl_mem made, cl_context, cl_mem_flags, size_t, void*, cl_int*);
void after(KWB_AT(clCreateBufferWithProperties), cl_mem made, cl_context, const cl_mem_properties*,
           cl_mem_flags, size_t, void*, cl_int*);
void after(KWB_AT(clCreateSubBuffer), cl_mem made, cl_mem, cl_mem_flags, cl_buffer_create_type, const void*,
           cl_int*);
void after(KWB_AT(clCreateImage), cl_mem made, cl_context, cl_mem_flags, const cl_image_format*,
           const cl_image_desc*, void*, cl_int*);
void after(KWB_AT(clCreateImageWithProperties), cl_mem made, cl_context, const cl_mem_properties*,
           cl_mem_flags, const cl_image_format*, const cl_image_desc*, void*, cl_int*);
void after(KWB_AT(clCreateImage2D), cl_mem made, cl_context, cl_mem_flags, const cl_image_format*, size_t,
           size_t, size_t, void*, cl_int*);
void after(KWB_AT(clCreateImage3D), cl_mem made, cl_context, cl_mem_flags, const cl_image_format*, size_t,
           size_t, size_t, size_t, size_t, void*, cl_int*);
void after(KWB_AT(clSVMAlloc), void* made, cl_context, cl_svm_mem_flags, size_t, cl_uint);
void before(KWB_AT(clSVMFree), cl_context&, void*&);
void accepted(KWB_AT(clEnqueueSVMFree), const Accepted&, cl_command_queue, cl_uint, void**,
              void(CL_CALLBACK*)(cl_command_queue, cl_uint, void**, void*), void*, cl_uint, const cl_event*,
              cl_event*);
void after(KWB_AT(clCreateKernel), cl_kernel made, cl_program, const char*, cl_int*);
void after(KWB_AT(clCreateKernelsInProgram), cl_int, cl_program, cl_uint, cl_kernel*, cl_uint*);
void after(KWB_AT(clCloneKernel), cl_kernel made, cl_kernel, cl_int*);
TextAt explain(KWB_AT(clCreateKernel), cl_int, cl_program, const char*, cl_int*);
TextAt explain(KWB_AT(clCreateBuffer), cl_int, cl_context, cl_mem_flags, size_t, void*, cl_int*);

// Queues, which are made to measure times.
void before(KWB_AT(clCreateCommandQueue), cl_context&, cl_device_id&, cl_command_queue_properties&, cl_int*&);
void before(KWB_AT(clCreateCommandQueueWithProperties), cl_context&, cl_device_id&,
            const cl_queue_properties*&, cl_int*&);
void after(KWB_AT(clCreateCommandQueue), cl_command_queue made, cl_context, cl_device_id,
           cl_command_queue_properties, cl_int*);
void after(KWB_AT(clCreateCommandQueueWithProperties), cl_command_queue made, cl_context, cl_device_id,
           const cl_queue_properties*, cl_int*);
void after(KWB_AT(clGetCommandQueueInfo), cl_int, cl_command_queue, cl_command_queue_info, size_t, void*,
           size_t*);

// Waits.
void after(KWB_AT(clFinish), cl_int, cl_command_queue);
void after(KWB_AT(clWaitForEvents), cl_int, cl_uint, const cl_event*);
void after(KWB_AT(clGetEventInfo), cl_int, cl_event, cl_event_info, size_t, void*, size_t*);
void after(KWB_AT(clSetEventCallback), cl_int, cl_event, cl_int, void(CL_CALLBACK*)(cl_event, cl_int, void*),
           void*);
void after(KWB_AT(clGetProgramBuildInfo), cl_int, cl_program, cl_device_id, cl_program_build_info, size_t,
           void*, size_t*);
void accepted(KWB_AT(clEnqueueBarrier), const Accepted&, cl_command_queue);
void accepted(KWB_AT(clEnqueueBarrierWithWaitList), const Accepted&, cl_command_queue, cl_uint,
              const cl_event*, cl_event*);

// Programs, which are built so that the driver reports the parameters of kernels.
void before(KWB_AT(clBuildProgram), cl_program&, cl_uint&, const cl_device_id*&, const char*&,
            void(CL_CALLBACK*&)(cl_program, void*), void*&);
void before(KWB_AT(clCompileProgram), cl_program&, cl_uint&, const cl_device_id*&, const char*&, cl_uint&,
            const cl_program*&, const char**&, void(CL_CALLBACK*&)(cl_program, void*), void*&);

void after(KWB_AT(clCompileProgram), cl_int, cl_program, cl_uint, const cl_device_id*, const char*, cl_uint,
           const cl_program*, const char**, void(CL_CALLBACK*)(cl_program, void*), void*);
void after(KWB_AT(clLinkProgram), cl_program made, cl_context, cl_uint, const cl_device_id*, const char*,
           cl_uint, const cl_program*, void(CL_CALLBACK*)(cl_program, void*), void*, cl_int*);

// Kernels.
void after(KWB_AT(clSetKernelArg), cl_int, cl_kernel, cl_uint, size_t, const void*);
void after(KWB_AT(clSetKernelArgSVMPointer), cl_int, cl_kernel, cl_uint, const void*);
void after(KWB_AT(clSetKernelExecInfo), cl_int, cl_kernel, cl_kernel_exec_info, size_t, const void*);
TextAt explain(KWB_AT(clSetKernelArg), cl_int, cl_kernel, cl_uint, size_t, const void*);
void before(KWB_AT(clEnqueueNDRangeKernel), cl_command_queue&, cl_kernel&, cl_uint&, const size_t*&,
            const size_t*&, const size_t*&, cl_uint&, const cl_event*&, cl_event*&);
void finished(KWB_AT(clEnqueueNDRangeKernel), cl_int, cl_command_queue, cl_kernel, cl_uint, const size_t*,
              const size_t*, const size_t*, cl_uint, const cl_event*, cl_event*);
void describe(KWB_AT(clEnqueueNDRangeKernel), Command&, cl_command_queue, cl_kernel, cl_uint, const size_t*,
              const size_t*, const size_t*, cl_uint, const cl_event*, cl_event*);
TextAt explain(KWB_AT(clEnqueueNDRangeKernel), cl_int, cl_command_queue, cl_kernel, cl_uint, const size_t*,
               const size_t*, const size_t*, cl_uint, const cl_event*, cl_event*);
void accepted(KWB_AT(clEnqueueNDRangeKernel), const Accepted&, cl_command_queue, cl_kernel, cl_uint,
              const size_t*, const size_t*, const size_t*, cl_uint, const cl_event*, cl_event*);
void accepted(KWB_AT(clEnqueueTask), const Accepted&, cl_command_queue, cl_kernel, cl_uint, const cl_event*,
              cl_event*);
void describe(KWB_AT(clEnqueueTask), Command&, cl_command_queue, cl_kernel, cl_uint, const cl_event*,
              cl_event*);

// Transfers.
#define KWB_READ cl_command_queue, cl_mem, cl_bool, size_t, size_t, void*, cl_uint, const cl_event*, cl_event*
#define KWB_WRITE \
    cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void*, cl_uint, const cl_event*, cl_event*
#define KWB_COPY cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, const cl_event*, cl_event*
#define KWB_FILL \
    cl_command_queue, cl_mem, const void*, size_t, size_t, size_t, cl_uint, const cl_event*, cl_event*
#define KWB_MAP                                                                                           \
    cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t, cl_uint, const cl_event*, cl_event*, \
        cl_int*
#define KWB_READ_RECT                                                                                       \
    cl_command_queue, cl_mem, cl_bool, const size_t*, const size_t*, const size_t*, size_t, size_t, size_t, \
        size_t, void*, cl_uint, const cl_event*, cl_event*
#define KWB_WRITE_RECT                                                                                      \
    cl_command_queue, cl_mem, cl_bool, const size_t*, const size_t*, const size_t*, size_t, size_t, size_t, \
        size_t, const void*, cl_uint, const cl_event*, cl_event*
#define KWB_COPY_RECT                                                                                      \
    cl_command_queue, cl_mem, cl_mem, const size_t*, const size_t*, const size_t*, size_t, size_t, size_t, \
        size_t, cl_uint, const cl_event*, cl_event*
#define KWB_READ_IMAGE                                                                               \
    cl_command_queue, cl_mem, cl_bool, const size_t*, const size_t*, size_t, size_t, void*, cl_uint, \
        const cl_event*, cl_event*
#define KWB_WRITE_IMAGE                                                                                    \
    cl_command_queue, cl_mem, cl_bool, const size_t*, const size_t*, size_t, size_t, const void*, cl_uint, \
        const cl_event*, cl_event*
void describe(KWB_AT(clEnqueueReadBuffer), Command&, KWB_READ);
void describe(KWB_AT(clEnqueueWriteBuffer), Command&, KWB_WRITE);
void describe(KWB_AT(clEnqueueCopyBuffer), Command&, KWB_COPY);
void describe(KWB_AT(clEnqueueFillBuffer), Command&, KWB_FILL);
void describe(KWB_AT(clEnqueueMapBuffer), Command&, KWB_MAP);
void describe(KWB_AT(clEnqueueReadBufferRect), Command&, KWB_READ_RECT);
void describe(KWB_AT(clEnqueueWriteBufferRect), Command&, KWB_WRITE_RECT);
void describe(KWB_AT(clEnqueueCopyBufferRect), Command&, KWB_COPY_RECT);
void describe(KWB_AT(clEnqueueReadImage), Command&, KWB_READ_IMAGE);
void describe(KWB_AT(clEnqueueWriteImage), Command&, KWB_WRITE_IMAGE);
void describe(KWB_AT(clEnqueueSVMMemcpy), Command&, cl_command_queue, cl_bool, void*, const void*, size_t,
              cl_uint, const cl_event*, cl_event*);
void describe(KWB_AT(clEnqueueSVMMemFill), Command&, cl_command_queue, void*, const void*, size_t, size_t,
              cl_uint, const cl_event*, cl_event*);
TextAt explain(KWB_AT(clEnqueueReadBuffer), cl_int, KWB_READ);
TextAt explain(KWB_AT(clEnqueueWriteBuffer), cl_int, KWB_WRITE);
TextAt explain(KWB_AT(clEnqueueCopyBuffer), cl_int, KWB_COPY);
void accepted(KWB_AT(clEnqueueReadBuffer), const Accepted&, KWB_READ);
void accepted(KWB_AT(clEnqueueReadBufferRect), const Accepted&, KWB_READ_RECT);
void accepted(KWB_AT(clEnqueueReadImage), const Accepted&, KWB_READ_IMAGE);
void accepted(KWB_AT(clEnqueueWriteBuffer), const Accepted&, KWB_WRITE);
void accepted(KWB_AT(clEnqueueWriteBufferRect), const Accepted&, KWB_WRITE_RECT);
void accepted(KWB_AT(clEnqueueWriteImage), const Accepted&, KWB_WRITE_IMAGE);
void accepted(KWB_AT(clEnqueueCopyBuffer), const Accepted&, KWB_COPY);
void accepted(KWB_AT(clEnqueueCopyBufferRect), const Accepted&, KWB_COPY_RECT);
void accepted(KWB_AT(clEnqueueFillBuffer), const Accepted&, KWB_FILL);
void accepted(KWB_AT(clEnqueueMapBuffer), const Accepted&, KWB_MAP);
void accepted(KWB_AT(clEnqueueUnmapMemObject), const Accepted&, cl_command_queue, cl_mem, void*, cl_uint,
              const cl_event*, cl_event*);

/// A program was built, compiled or linked.
void record_build(const Call& call, cl_int code, const char* options, bool is_background);

}  // namespace kwb::capture
