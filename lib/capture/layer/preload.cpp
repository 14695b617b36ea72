// SPDX-License-Identifier: Apache-2.0
// For loaders without layers: functions of OpenCL's names, which a program calls if this library is in
// LD_PRELOAD.
#include <dlfcn.h>
#include <pthread.h>

#include "capture/layer/functions.hpp"
#include "capture/layer/wrapper.hpp"

namespace kwb::capture {
namespace {

pthread_once_t loader_once = PTHREAD_ONCE_INIT;

template <auto Member>
void find(cl_icd_dispatch& target, void* library, const char* name) {
    void* const function = ::dlsym(library, name);
    ::memcpy(&(target.*Member), &function, sizeof function);
}

void open_loader() {
    void* library = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) library = RTLD_NEXT;
    static cl_icd_dispatch target;
#define KWB_FIND(name) find<&cl_icd_dispatch::name>(target, library, #name);
    KWB_FUNCTIONS(KWB_FIND)
#undef KWB_FIND
    intercept_all(target, sizeof target / sizeof(void*));
}

template <auto Member>
struct Preloaded;

template <class Result, class... Arguments, Result (CL_API_CALL* cl_icd_dispatch::*Member)(Arguments...)>
struct Preloaded<Member> {
    static Result CL_API_CALL call(Arguments... arguments) {
        ::pthread_once(&loader_once, open_loader);
        if (next.*Member == nullptr) return Result();  // the loader is older than this function
        return Wrapper<Member>::call(arguments...);
    }
};

}  // namespace
}  // namespace kwb::capture

// Templates have no C names, and headers may declare these functions, so that each gets its name from the
// assembler.
#define KWB_PRELOAD(name)                                                                            \
    extern "C" {                                                                                     \
    __attribute__((used)) static auto kwb_resolve_##name() -> void (*)() {                           \
        return reinterpret_cast<void (*)()>(&kwb::capture::Preloaded<&cl_icd_dispatch::name>::call); \
    }                                                                                                \
    __attribute__((visibility("default"),                                                            \
                   ifunc("kwb_resolve_" #name))) void kwb_preload_##name() __asm__(#name);           \
    }
KWB_FUNCTIONS(KWB_PRELOAD)
