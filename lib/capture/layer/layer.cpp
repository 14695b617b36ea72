// SPDX-License-Identifier: Apache-2.0
// The layer that the loader of OpenCL calls.
// Source: Khronos, "OpenCL ICD Loader", layers (CL/cl_layer.h).
#include <stdlib.h>
#include <string.h>

#include "capture/layer/functions.hpp"
#include "capture/layer/wrapper.hpp"

#define KWB_EXPORT extern "C" __attribute__((visibility("default")))

namespace kwb::capture {
namespace {

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

template <auto Member>
void intercept(const char* name) {
    if (next.*Member == nullptr) return;
    intercept(Wrapper<Member>::index(), name);
    own.*Member = Wrapper<Member>::call;
}

/// The program ends in order: what its last commands took, without waiting for them.
void end() {
    if (current() == nullptr) return;
    read_times(Reading::All);
    current()->end_ns = now_ns();
}

}  // namespace

const cl_icd_dispatch& intercept_all(const cl_icd_dispatch& target, cl_uint known) {
    ::memcpy(&next, &target, known * sizeof(void*));
    own = next;
#define KWB_INTERCEPT(name) intercept<&cl_icd_dispatch::name>(#name);
    KWB_FUNCTIONS(KWB_INTERCEPT)
#undef KWB_INTERCEPT
    ::atexit(end);
    return own;
}

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
    *own_count = known;
    *table = &intercept_all(*target, known);
    return CL_SUCCESS;
}
