// SPDX-License-Identifier: Apache-2.0
// The layer that the loader of OpenCL calls: one wrapper for each function of the dispatch table.
// Source: Khronos, "OpenCL ICD Loader", layers (CL/cl_layer.h).
#include <stdlib.h>
#include <string.h>

#include "capture/layer/hooks.hpp"

#define KWB_EXPORT extern "C" __attribute__((visibility("default")))

namespace kwb::capture {
namespace {

template <class A, class B>
inline constexpr bool kIsSame = false;
template <class A>
inline constexpr bool kIsSame<A, A> = true;

/// The last argument of this type; nullptr: there is none.
template <class Wanted>
Wanted* last_of() {
    return nullptr;
}
template <class Wanted, class First, class... Others>
Wanted* last_of(First& first, Others&... others) {
    if (Wanted* const later = last_of<Wanted>(others...)) return later;
    if constexpr (kIsSame<Wanted, First>) return &first;
    return nullptr;
}

/// The kind of object that a function of this result makes; kernels, queues and memory have hooks of their
/// own.
template <class Result>
inline constexpr ObjectKind kMakes = ObjectKind::None;
template <>
inline constexpr ObjectKind kMakes<cl_context> = ObjectKind::Context;
template <>
inline constexpr ObjectKind kMakes<cl_sampler> = ObjectKind::Sampler;
template <>
inline constexpr ObjectKind kMakes<cl_program> = ObjectKind::Program;
template <>
inline constexpr ObjectKind kMakes<cl_event> = ObjectKind::Event;

template <class Argument>
const void* handle_of(Argument) {
    return &next;  // no object
}
inline const void* handle_of(cl_context one) {
    return one;
}
inline const void* handle_of(cl_command_queue one) {
    return one;
}
inline const void* handle_of(cl_mem one) {
    return one;
}
inline const void* handle_of(cl_sampler one) {
    return one;
}
inline const void* handle_of(cl_program one) {
    return one;
}
inline const void* handle_of(cl_kernel one) {
    return one;
}
inline const void* handle_of(cl_event one) {
    return one;
}

template <class First, class... Others>
const void* first_object(First first, Others...) {
    return handle_of(first);
}
inline const void* first_object() {
    return &next;
}

bool begins(const char* name, const char* with) {
    return ::strncmp(name, with, ::strlen(with)) == 0;
}

/// The call has returned: count it, and record its error.
template <auto Member, class... Arguments>
void finish(Call& call, cl_int code, Arguments... arguments) {
    call.end_ns = now_ns();
    Recording* const into = current();
    if (into == nullptr) return;
    FunctionRow& row = into->functions[call.function];
    __atomic_fetch_add(&row.calls, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&row.host_ns, call.end_ns - call.begin_ns, __ATOMIC_RELAXED);
    if (code < 0) record_error(call, code, explain(At<Member>{}, code, arguments...));
}

void trace_call(const Call& call) {
    const Function& function = functions[call.function];
    if (!function.is_traced) return;
    const Lock locked;
    if (current() == nullptr) return;
    TracedEvent event{};
    event.name = function.text;
    event.host_ns = call.begin_ns;
    event.host_duration_ns = call.end_ns - call.begin_ns;
    add_trace(event);
}

/// A command was enqueued.
/// @param event  of the program; nullptr: it asked for none
/// @param own    the event that the layer asked for instead
template <auto Member, class... Arguments>
void follow_command(const Call& call, Command command, cl_event event, cl_event own, Arguments... arguments) {
    cl_command_queue* const queue = last_of<cl_command_queue>(arguments...);
    const cl_event** const waits = last_of<const cl_event*>(arguments...);
    const cl_uint* const count = last_of<cl_uint>(arguments...);
    bool is_profiled = false;
    lock();
    if (Recording* const into = current()) {
        ++into->enqueued;
        if (event != nullptr) add_object(event, ObjectKind::Event, 0, {});
        Accepted accepted_command{queue != nullptr ? *queue : nullptr, event, {}, command, 0};
        if (waits != nullptr && count != nullptr) accepted_command.waits = {*count, *waits};
        Object* const object = find_object(accepted_command.queue);
        if (object != nullptr && object->queue != nullptr) {
            accepted_command.number = note_command(*object->queue, event, accepted_command.waits);
            command.queue = object->queue->number;
            command.device = object->queue->device;
            is_profiled = object->queue->is_profiled;
        }
        if (command.kind != CommandKind::None && command.kind != CommandKind::Kernel) {
            TransferRow& row = into->transfers[static_cast<uint32_t>(command.kind)];
            ++row.count;
            row.bytes += command.bytes;
        }
        accepted(At<Member>{}, accepted_command, arguments...);
    }
    unlock();
    if (is_profiled && command.kind != CommandKind::None && (event != nullptr || own != nullptr))
        follow(command, event != nullptr ? event : own, event == nullptr, call);
    else if (own != nullptr)
        next.clReleaseEvent(own);
}

template <auto Member>
struct Wrapper;

template <class Result, class... Arguments, Result (CL_API_CALL* cl_icd_dispatch::*Member)(Arguments...)>
struct Wrapper<Member> {
    static unsigned index() {
        return static_cast<unsigned>(
            (reinterpret_cast<const char*>(&(next.*Member)) - reinterpret_cast<const char*>(&next)) /
            static_cast<long>(sizeof(void*)));
    }

    static Result CL_API_CALL call(Arguments... arguments) {
        const At<Member> at;
        Call call;
        call.function = index();
        const Function& function = functions[call.function];
        const bool is_recorded = recording() != nullptr;
        if (!is_recorded) return (next.*Member)(arguments...);
        call.first = first_object(arguments...);
        note_use(call.function, call.first);
        if (begins(function.name, "clRelease")) released(call.first, function.name);
        before(at, arguments...);

        Command command;
        command.kind = function.kind;
        command.name = function.text;
        cl_event own_event = nullptr;
        cl_event** const event = last_of<cl_event*>(arguments...);
        const bool has_event = event != nullptr && *event != nullptr;
        if (function.kind != CommandKind::None) {
            describe(at, command, arguments...);
            if (event != nullptr && !has_event) *event = &own_event;
        }
        cl_int own_code = CL_SUCCESS;
        cl_int** const code_at = last_of<cl_int*>(arguments...);
        if constexpr (!kIsSame<Result, cl_int>)
            if (code_at != nullptr && *code_at == nullptr) {
                call.is_unseen = true;
                *code_at = &own_code;
            }

        call.begin_ns = now_ns();
        if constexpr (kIsSame<Result, void>) {
            (next.*Member)(arguments...);
            finish<Member>(call, CL_SUCCESS, arguments...);
        } else {
            Result result = (next.*Member)(arguments...);
            cl_int code = CL_SUCCESS;
            if constexpr (kIsSame<Result, cl_int>)
                code = result;
            else if (code_at != nullptr)
                code = **code_at;
            finish<Member>(call, code, arguments...);
            if (code == CL_SUCCESS)
                succeed(call, result, command, has_event ? **event : nullptr, own_event, arguments...);
            finished(at, code, arguments...);
            if (function.is_waiting) read_times(Reading::All);
            note_build(call, code, arguments...);
            return result;
        }
    }

    template <class Returned>
    static void succeed(const Call& call, Returned result, const Command& command, cl_event event,
                        cl_event own_event, Arguments... arguments) {
        const Function& function = functions[call.function];
        trace_call(call);
        if constexpr (kMakes<Returned> != ObjectKind::None) made(result, kMakes<Returned>);
        if (begins(function.name, "clRetain")) retained(call.first);
        if (begins(function.name, "clEnqueue")) {
            follow_command<Member>(call, command, event, own_event, arguments...);
            if (function.kind != CommandKind::None && !function.is_waiting) read_times(Reading::Few);
        }
        after(At<Member>{}, result, arguments...);
    }

    static void note_build(const Call& call, cl_int code, Arguments... arguments) {
        if constexpr (kIsBuild) {
            const char** const options = last_of<const char*>(arguments...);
            void(CL_CALLBACK * * const notify)(cl_program, void*) =
                last_of<void(CL_CALLBACK*)(cl_program, void*)>(arguments...);
            record_build(call, code, options != nullptr ? *options : nullptr,
                         notify != nullptr && *notify != nullptr);
        } else {
            static_cast<void>(call);
            static_cast<void>(code);
            (static_cast<void>(arguments), ...);
        }
    }
    // Their callbacks have a type that no other function has.
    static constexpr bool kIsBuild =
        (kIsSame<Arguments, void(CL_CALLBACK*)(cl_program, void*)> || ...) &&
        !kIsSame<Result(CL_API_CALL*)(Arguments...), decltype(cl_icd_dispatch::clSetProgramReleaseCallback)>;
};

CommandKind kind_of(const char* name) {
    static const struct {
        const char* prefix;
        CommandKind kind;
    } kKinds[] = {{"clEnqueueNDRangeKernel", CommandKind::Kernel},
                  {"clEnqueueTask", CommandKind::Kernel},
                  {"clEnqueueRead", CommandKind::Read},
                  {"clEnqueueWrite", CommandKind::Write},
                  {"clEnqueueCopy", CommandKind::Copy},
                  {"clEnqueueSVMMemcpy", CommandKind::Copy},
                  {"clEnqueueFill", CommandKind::Fill},
                  {"clEnqueueSVMMemFill", CommandKind::Fill},
                  {"clEnqueueMap", CommandKind::Map},
                  {"clEnqueueUnmap", CommandKind::Unmap},
                  {"clEnqueueMigrate", CommandKind::Other}};
    for (const auto& one : kKinds)
        if (begins(name, one.prefix)) return one.kind;
    return CommandKind::None;
}

cl_icd_dispatch own;

void intercept(unsigned index, const char* name) {
    Function& function = functions[index];
    function.name = name;
    function.kind = kind_of(name);
    function.is_query = begins(name, "clGet") || begins(name, "clRetain") || begins(name, "clRelease");
    function.is_waiting = begins(name, "clFinish") || begins(name, "clWaitFor") ||
                          begins(name, "clEnqueueRead") || begins(name, "clEnqueueMap") ||
                          begins(name, "clGetEventInfo");
    function.is_traced = begins(name, "clEnqueue") || begins(name, "clFinish") || begins(name, "clWaitFor") ||
                         begins(name, "clBuild") || begins(name, "clCompile") || begins(name, "clLink");
}

#define KWB_INTERCEPT(name)                                         \
    if (next.name != nullptr) {                                     \
        intercept(Wrapper<&cl_icd_dispatch::name>::index(), #name); \
        own.name = Wrapper<&cl_icd_dispatch::name>::call;           \
    }

void intercept_all() {
    KWB_INTERCEPT(clGetPlatformIDs)
    KWB_INTERCEPT(clGetPlatformInfo)
    KWB_INTERCEPT(clGetDeviceIDs)
    KWB_INTERCEPT(clGetDeviceInfo)
    KWB_INTERCEPT(clCreateContext)
    KWB_INTERCEPT(clCreateContextFromType)
    KWB_INTERCEPT(clRetainContext)
    KWB_INTERCEPT(clReleaseContext)
    KWB_INTERCEPT(clGetContextInfo)
    KWB_INTERCEPT(clCreateCommandQueue)
    KWB_INTERCEPT(clRetainCommandQueue)
    KWB_INTERCEPT(clReleaseCommandQueue)
    KWB_INTERCEPT(clGetCommandQueueInfo)
    KWB_INTERCEPT(clSetCommandQueueProperty)
    KWB_INTERCEPT(clCreateBuffer)
    KWB_INTERCEPT(clCreateImage2D)
    KWB_INTERCEPT(clCreateImage3D)
    KWB_INTERCEPT(clRetainMemObject)
    KWB_INTERCEPT(clReleaseMemObject)
    KWB_INTERCEPT(clGetSupportedImageFormats)
    KWB_INTERCEPT(clGetMemObjectInfo)
    KWB_INTERCEPT(clGetImageInfo)
    KWB_INTERCEPT(clCreateSampler)
    KWB_INTERCEPT(clRetainSampler)
    KWB_INTERCEPT(clReleaseSampler)
    KWB_INTERCEPT(clGetSamplerInfo)
    KWB_INTERCEPT(clCreateProgramWithSource)
    KWB_INTERCEPT(clCreateProgramWithBinary)
    KWB_INTERCEPT(clRetainProgram)
    KWB_INTERCEPT(clReleaseProgram)
    KWB_INTERCEPT(clBuildProgram)
    KWB_INTERCEPT(clUnloadCompiler)
    KWB_INTERCEPT(clGetProgramInfo)
    KWB_INTERCEPT(clGetProgramBuildInfo)
    KWB_INTERCEPT(clCreateKernel)
    KWB_INTERCEPT(clCreateKernelsInProgram)
    KWB_INTERCEPT(clRetainKernel)
    KWB_INTERCEPT(clReleaseKernel)
    KWB_INTERCEPT(clSetKernelArg)
    KWB_INTERCEPT(clGetKernelInfo)
    KWB_INTERCEPT(clGetKernelWorkGroupInfo)
    KWB_INTERCEPT(clWaitForEvents)
    KWB_INTERCEPT(clGetEventInfo)
    KWB_INTERCEPT(clRetainEvent)
    KWB_INTERCEPT(clReleaseEvent)
    KWB_INTERCEPT(clGetEventProfilingInfo)
    KWB_INTERCEPT(clFlush)
    KWB_INTERCEPT(clFinish)
    KWB_INTERCEPT(clEnqueueReadBuffer)
    KWB_INTERCEPT(clEnqueueWriteBuffer)
    KWB_INTERCEPT(clEnqueueCopyBuffer)
    KWB_INTERCEPT(clEnqueueReadImage)
    KWB_INTERCEPT(clEnqueueWriteImage)
    KWB_INTERCEPT(clEnqueueCopyImage)
    KWB_INTERCEPT(clEnqueueCopyImageToBuffer)
    KWB_INTERCEPT(clEnqueueCopyBufferToImage)
    KWB_INTERCEPT(clEnqueueMapBuffer)
    KWB_INTERCEPT(clEnqueueMapImage)
    KWB_INTERCEPT(clEnqueueUnmapMemObject)
    KWB_INTERCEPT(clEnqueueNDRangeKernel)
    KWB_INTERCEPT(clEnqueueTask)
    KWB_INTERCEPT(clEnqueueMarker)
    KWB_INTERCEPT(clEnqueueWaitForEvents)
    KWB_INTERCEPT(clEnqueueBarrier)
    KWB_INTERCEPT(clSetEventCallback)
    KWB_INTERCEPT(clCreateSubBuffer)
    KWB_INTERCEPT(clSetMemObjectDestructorCallback)
    KWB_INTERCEPT(clCreateUserEvent)
    KWB_INTERCEPT(clSetUserEventStatus)
    KWB_INTERCEPT(clEnqueueReadBufferRect)
    KWB_INTERCEPT(clEnqueueWriteBufferRect)
    KWB_INTERCEPT(clEnqueueCopyBufferRect)
    KWB_INTERCEPT(clCreateSubDevices)
    KWB_INTERCEPT(clRetainDevice)
    KWB_INTERCEPT(clReleaseDevice)
    KWB_INTERCEPT(clCreateImage)
    KWB_INTERCEPT(clCreateProgramWithBuiltInKernels)
    KWB_INTERCEPT(clCompileProgram)
    KWB_INTERCEPT(clLinkProgram)
    KWB_INTERCEPT(clUnloadPlatformCompiler)
    KWB_INTERCEPT(clGetKernelArgInfo)
    KWB_INTERCEPT(clEnqueueFillBuffer)
    KWB_INTERCEPT(clEnqueueFillImage)
    KWB_INTERCEPT(clEnqueueMigrateMemObjects)
    KWB_INTERCEPT(clEnqueueMarkerWithWaitList)
    KWB_INTERCEPT(clEnqueueBarrierWithWaitList)
    KWB_INTERCEPT(clCreateCommandQueueWithProperties)
    KWB_INTERCEPT(clSVMAlloc)
    KWB_INTERCEPT(clSVMFree)
    KWB_INTERCEPT(clEnqueueSVMFree)
    KWB_INTERCEPT(clEnqueueSVMMemcpy)
    KWB_INTERCEPT(clEnqueueSVMMemFill)
    KWB_INTERCEPT(clEnqueueSVMMap)
    KWB_INTERCEPT(clEnqueueSVMUnmap)
    KWB_INTERCEPT(clCreateSamplerWithProperties)
    KWB_INTERCEPT(clSetKernelArgSVMPointer)
    KWB_INTERCEPT(clSetKernelExecInfo)
    KWB_INTERCEPT(clCloneKernel)
    KWB_INTERCEPT(clCreateProgramWithIL)
    KWB_INTERCEPT(clEnqueueSVMMigrateMem)
    KWB_INTERCEPT(clGetDeviceAndHostTimer)
    KWB_INTERCEPT(clGetHostTimer)
    KWB_INTERCEPT(clGetKernelSubGroupInfo)
    KWB_INTERCEPT(clSetDefaultDeviceCommandQueue)
    KWB_INTERCEPT(clSetProgramReleaseCallback)
    KWB_INTERCEPT(clSetProgramSpecializationConstant)
    KWB_INTERCEPT(clCreateBufferWithProperties)
    KWB_INTERCEPT(clCreateImageWithProperties)
    KWB_INTERCEPT(clSetContextDestructorCallback)
}

/// The program ends in order: what its last commands took, without waiting for them.
void end() {
    if (current() == nullptr) return;
    read_times(Reading::All);
    current()->end_ns = now_ns();
}

}  // namespace
}  // namespace kwb::capture

KWB_EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t room, void* value, size_t* needed) {
    static const char kName[] = "kwb capture";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void* from = nullptr;
    size_t bytes = 0;
    if (what == CL_LAYER_API_VERSION) {
        from = &version;
        bytes = sizeof version;
    } else if (what == CL_LAYER_NAME) {
        from = kName;
        bytes = sizeof kName;
    } else {
        return CL_INVALID_VALUE;
    }
    if (value != nullptr && room < bytes) return CL_INVALID_VALUE;
    if (value != nullptr) ::memcpy(value, from, bytes);
    if (needed != nullptr) *needed = bytes;
    return CL_SUCCESS;
}

KWB_EXPORT cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch* target, cl_uint* own_count,
                                          const cl_icd_dispatch** table) {
    using namespace kwb::capture;
    static_assert(sizeof(cl_icd_dispatch) / sizeof(void*) <= kMostFunctions);
    if (target == nullptr || own_count == nullptr || table == nullptr) return CL_INVALID_VALUE;
    constexpr cl_uint kEntries = sizeof(cl_icd_dispatch) / sizeof(void*);
    const cl_uint known = count < kEntries ? count : kEntries;
    ::memcpy(&next, target, known * sizeof(void*));
    own = next;
    intercept_all();
    ::atexit(end);
    *own_count = known;
    *table = &own;
    return CL_SUCCESS;
}
